// A year of honest nights, and the same with changes planted
import { type Found, importedNight, type Night, pack, unpacked, yearOf } from "./madeNights.ts";
import { ranInProcess } from "./runs.ts";

/** Broken on one night in five from night 200 on, and on the last night. */
export const [flaky, fresh] = ["CYC-PRES-01", "USG-FLD-01"] as const;

/** The night with what it packs changed. */
const repacked = (night: Night, change: (found: readonly Found[]) => readonly Found[]): Night => ({
  ...night,
  packed: pack(change(unpacked(night))),
});

const withLimit = (night: Night, limit: string): Night => ({
  ...repacked(night, (found) => [...found, ["OBS-RATE-ALGO", { "the limit": [limit] }]]),
  limits: { "the limit": limit },
});

const withoutDate = (night: Night): Night =>
  repacked(night, (found) => found.map(([what, { "header: date": _, ...places }]) => [what, places]));

/** Night 340: p95 of one operation +30 % · 350: a limit of 4 · 355: a header gone. */
export async function yearsOfNights() {
  const run = await ranInProcess({
    only: ["USG-HTTP-01", "USG-FLD-01", "CYC-PRES-01", "IH-OK-01", "TA-RES-01", "WAL-BAL-01", "CB-RES-01"],
  });
  const honest = yearOf(await importedNight(run), { seed: 1, drift: "in two months", busy: "together" });
  const planted = honest.map((night, nth) => {
    const requirements = {
      ...night.requirements,
      ...(nth >= 200 && nth % 5 === 0 ? { [flaky]: "broken" as const } : {}),
      ...(nth === 364 ? { [fresh]: "broken" as const } : {}),
    };
    const latencies = night.latencies.map((line, place) =>
      place === 0 && nth >= 340 ? { ...line, p50_ms: line.p50_ms * 1.3, p95_ms: line.p95_ms * 1.3 } : line,
    );
    const limited = withLimit({ ...night, requirements, latencies }, nth >= 350 ? "4 in 1 s" : "5 in 1 s");
    return nth >= 355 ? withoutDate(limited) : limited;
  });
  return { honest, planted };
}
