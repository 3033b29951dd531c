// What a tool says of one platform
import type { ServedPlatform } from "./platforms.ts";

/** By finding, as operation, check and what is said: the seconds until the answer that shows it. */
export interface Findings {
  readonly [finding: string]: number;
}

export interface JudgedPlatform {
  readonly findings: Findings;
  /** Sent by the tool, or for one that only reads: exchanges that it was given. */
  readonly requests: number;
  readonly seconds: number;
  /** Null where it can't be told. */
  readonly processorSeconds: number | null;
}

/** A tool that ends without having judged is named, and counts nowhere else. */
export interface Unable {
  readonly unable: string;
}

export type Outcome = JudgedPlatform | Unable;

/** Where a tool works on one platform. */
export interface Place {
  readonly served: ServedPlatform;
  /** An empty folder of its own. */
  readonly folder: string;
  readonly seed: number;
}

/** Keeps the first time of each finding. */
export function firstTimes(found: Iterable<readonly [finding: string, seconds: number]>): Findings {
  const first = new Map<string, number>();
  for (const [finding, seconds] of found) first.set(finding, Math.min(seconds, first.get(finding) ?? seconds));
  return Object.fromEntries(first);
}

/** What a tool says against a request is about the platform only where the platform took it. */
export const saidOfRequest = (status: number): string => (status < 400 ? "taken" : "refused");
