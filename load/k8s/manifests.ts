// What k6-operator 1.x needs to send a load from a cluster, and the Job that judges it: files with placeholders, filled
import { readdirSync, readFileSync } from "node:fs";
import { pinnedVersion } from "../k6/ensure.ts";
import { ownFlags, ownSettings } from "../k6/process.ts";

/** A load that a cluster sends, by the names of placeholders; a line is there once for each value of a list. */
export interface ClusterLoad {
  /** Of the TestRun, and the beginning of all other names. */
  readonly name: string;
  /** E.g. `smoke on acme: 9 requests in 2 s`. */
  readonly summary: string;
  readonly parts: number;
  /** What its logs begin with: those of an earlier load may be in the same volume. */
  readonly stamp: string;
  /** Those that hold the keys it needs. */
  readonly variable: readonly string[];
  /** The names of the ConfigMap's. */
  readonly file: readonly string[];
  /** The version of Assay. */
  readonly assay: string;
  readonly requests: number;
  readonly seconds: number;
  /** Whether breaches of implied requirements fail or warn. */
  readonly implied: string;
}

/** Names of pods and services, which k6-operator makes of it, must be shorter than 64 characters. */
const longestName_chars = 40;

/** Begins with a letter, as names of services must. @param target begins with a letter or digit */
export function manifestName(target: string, shape: string): string {
  const plain = target.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const room = longestName_chars - "assay--".length - shape.length;
  return `assay-${plain.slice(0, room).replace(/-$/, "")}-${shape}`;
}

/** Room for what k6 logs of a request: 100 bytes as measured, and the whole answers of some. */
const logged_bytes = 200;
/** How much longer than the load a cluster may take, to pull images and place pods. */
const slack_s = 900;

const templates = new URL("folder/", import.meta.url);

/** All files of the folder but those of the ConfigMap, by their names. */
export function manifestsOf(load: ClusterLoad): ReadonlyMap<string, string> {
  const values = {
    ...load,
    k6: pinnedVersion(),
    flags: ownFlags.join(" "),
    setting: Object.entries(ownSettings).map(([name, value]) => `{ name: ${name}, value: "${value}" }`),
    storage_Gi: Math.ceil((load.requests * logged_bytes) / 2 ** 30),
    timeout_s: Math.ceil(load.seconds) + slack_s,
  };
  return new Map(
    readdirSync(templates).map((file) => [file, filled(readFileSync(new URL(file, templates), "utf8"), values)]),
  );
}

/** A text with values in its placeholders. A line whose first one is a list is there once for each of its values. */
function filled(text: string, values: { readonly [name: string]: string | number | readonly string[] }): string {
  const placeholder = /\{(\w+)\}/g;
  const lines = text.split("\n").flatMap((line) => {
    const [[whole = "", name = ""] = []] = line.matchAll(placeholder);
    const value = values[name];
    return typeof value === "object" ? value.map((one) => line.replaceAll(whole, () => one)) : [line];
  });
  return lines.join("\n").replace(placeholder, (whole, name: string) => String(values[name] ?? whole));
}
