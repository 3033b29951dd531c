// Times as logs write them.
import type { Json } from "../core/json.ts";

/** Numbers below are seconds, then ms, then µs; above they are ns. In ms the first is September 2001. */
const firstInMs = 1e12;
const firstInMicroseconds = 1e14;
const firstInNanoseconds = 1e17;

/** As web servers write `$time_local` and `%t`. */
const commonLog = /^\[?(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d:\d\d:\d\d)(?:\.\d+)? ([+-]\d\d)(\d\d)\]?$/;
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

function msOf(number: number): number {
  if (number < firstInMs) return number * 1_000;
  if (number < firstInMicroseconds) return number;
  return number < firstInNanoseconds ? number / 1_000 : number / 1_000_000;
}

/** Unix time in ms, NaN where it is none, or where it has no zone: then it would depend on the machine. */
export function loggedTime(value: Json | undefined): number {
  const number = typeof value === "string" && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  if (typeof number === "number") return new Date(msOf(number)).getTime();
  if (typeof number !== "string") return Number.NaN;
  const [, day, month = "", year, time, hours, minutes] = commonLog.exec(number) ?? [];
  if (year !== undefined) {
    const nth = String(months.indexOf(month) + 1).padStart(2, "0");
    return Date.parse(`${year}-${nth}-${day}T${time}${hours}:${minutes}`);
  }
  return /(Z|GMT|UTC|[+-]\d\d:?\d\d)$/i.test(number) ? Date.parse(number) : Number.NaN;
}

/** Whether it is a time but for its zone. */
export const lacksZone = (value: Json | undefined): boolean =>
  typeof value === "string" &&
  /^\d{4}-\d\d-\d\d/.test(value) &&
  !Number.isNaN(loggedTime(`${value.replace(",", ".")}Z`));
