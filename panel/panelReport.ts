// What a panel found: vendors that were asked the same at the same time.
import type { Edition } from "../harness/core/interface.ts";
import type { ExchangeRecord } from "../harness/record/journal.ts";
import type { Spent } from "../harness/targets/budget.ts";

/** Only ever extended; see reports/README.md. Since 2, a percentile of too few answers is null. */
export const panelFormat = 2;

/**
 * `stale`: the panel's answer before it moved on · `fresher`: the panel's answer later · `wrong`: nobody else's, again
 * and again, while the others' answers stayed the same · `unsettled`: differs, and nothing shows who is right ·
 * `rate-limited`: refused for our rate · `refused`: for another reason · `incomparable`: without a slot.
 */
export const standings = [
  "agrees",
  "stale",
  "fresher",
  "wrong",
  "unsettled",
  "unavailable",
  "rate-limited",
  "refused",
  "incomparable",
] as const;
export type Standing = (typeof standings)[number];

/** How many answers of a vendor are of each kind. */
export type StandingCounts = { readonly [standing in Standing]: number };

/** Vendors that differed again and again without a majority that can be trusted. */
export interface Split {
  /** Places of vendors that agree with one another, the largest group first. */
  readonly groups: readonly (readonly number[])[];
  readonly polls: number;
}

export interface PanelQuestion {
  readonly id: string;
  readonly operation: string;
  /** What was asked for, in short. */
  readonly about: string;
  readonly polls: number;
  /** Vendor by vendor. */
  readonly counts: readonly StandingCounts[];
  readonly splits: readonly Split[];
}

/** Of one vendor's answers that say when. */
export interface Freshness {
  readonly vendor: number;
  /** How many answers were so many slots behind the newest of the same poll. */
  readonly behind: { readonly [slots: string]: number };
  /** By how many slots a lag may be off, half the time: the round trips leave it open. */
  readonly uncertain: number;
  /** In how many answers it was certainly more than one slot behind; 0 where no vendor can be trusted. */
  readonly stale: number;
}

/** Of served answers; `cold`: a connection was made for them. */
export interface PanelLatency {
  readonly vendor: number;
  readonly operation: string;
  readonly kind: "warm" | "cold";
  readonly count: number;
  readonly p50_ms: number;
  /** Null below 60 answers. */
  readonly p95_ms: number | null;
  /** Null below 300 answers. */
  readonly p99_ms: number | null;
  /** HdrHistogram V2 of µs, compressed, in base64. */
  readonly histogram: string;
}

/** Of requests for which a connection was made, one of the times that add up to their latency. */
export interface ConnectionPhase {
  readonly vendor: number;
  /** `server`: from the request on an open connection to the end of the answer. */
  readonly phase: "dns" | "connect" | "tls" | "server";
  readonly count: number;
  readonly p50_ms: number;
  /** As `histogram` of latencies. */
  readonly histogram: string;
}

/** How often one vendor's answers in one operation know less than an earlier one of its own. */
export interface Backwards {
  readonly vendor: number;
  readonly operation: string;
  /** Answers that came after an earlier one, with which they can be compared. */
  readonly answers: number;
  /** How many of them went back, in whatever way. */
  readonly back: number;
  /** How many were so many slots below the newest that the vendor had shown. */
  readonly slots: { readonly [slots: string]: number };
  /** How many gave a value that the vendor had replaced, with a slot that doesn't show it. */
  readonly values: number;
  /** How many gave an earlier status of a bundle than the vendor had given, or none. */
  readonly statuses: number;
}

/** Polls from which a vendor was left out. */
export interface Absence {
  readonly vendor: number;
  /**
   * `silent`: it had given no answer again and again · `limited`: it refused requests at the target's pace · `spent`:
   * the target's budget was spent.
   */
  readonly is: "silent" | "limited" | "spent";
  readonly from: string;
  /** Null where it was left out until the end. */
  readonly to: string | null;
  readonly polls: number;
  /** Of one that was silent, the fault of its last request, e.g. `timeout: no complete answer within 15 s`. */
  readonly why: string | null;
}

/** What a panel asked in place of questions of its own. */
export interface PanelWorkload {
  /** Of the mix, or the recording's file. */
  readonly name: string;
  readonly is: "mix" | "recording";
  /** Whose work it is, in a sentence or two; null where nobody says. */
  readonly why: string | null;
  /** Of all calls, by operation; they add up to 1. */
  readonly shares: { readonly [operation: string]: number };
  /** What isn't asked, and why. */
  readonly left: readonly { readonly what: string; readonly calls: number; readonly why: string }[];
  /** The same for the same calls in the same shares. */
  readonly digest: string;
}

/** What one vendor takes for the calls of a panel, in credits. */
export interface VendorPrice {
  readonly vendor: number;
  /** By operation, as the interface or the target file has it; null where neither does. */
  readonly listed: { readonly [operation: string]: number | null };
  /**
   * What its usage grew by, exactly as a decimal, the served calls that caused it, and what is listed for these, which
   * are never exactly in the shares of the mix; null where that wasn't read, or says nothing.
   */
  readonly charged: { readonly credits: string; readonly calls: number; readonly listed: number | null } | null;
  /** Why nothing is known of what was charged; null where it is. */
  readonly why: string | null;
}

/** A failure of Assay itself. What it failed on isn't compared. */
export interface PanelDefect {
  /** The place of the vendor whose answers it failed on; null where it failed on whole polls. */
  readonly vendor: number | null;
  /** With its place in the code. */
  readonly message: string;
  /** 0 where it ended the panel. */
  readonly polls: number;
}

/** Two vendors' warm answers to the same polls. */
export interface Lead {
  readonly operation: string;
  readonly faster: number;
  readonly slower: number;
  readonly polls: number;
  /** Whether there are enough polls to tell. */
  readonly isRanked: boolean;
  /** The median difference, with an interval that holds for all pairs together at 99 %. */
  readonly by_ms: number;
  readonly from_ms: number;
  readonly to_ms: number;
  /** Differences by which the faster one was faster, and by which it was slower: as `histogram` of latencies. */
  readonly histograms: readonly [faster: string, slower: string];
}

/** A value in which answers to one poll differ. */
export interface Difference {
  /** The address of the account or the proof; null for a balance. */
  readonly of: string | null;
  readonly member: string;
  /** Numbers are exact decimals. */
  readonly is: "number" | "text";
  /** Places of vendors by what they gave, the most first; null: missing from their answers. */
  readonly values: readonly { readonly value: string | null; readonly vendors: readonly number[] }[];
}

/** One poll in which vendors differed. */
export interface Dissent {
  readonly question: string;
  readonly standings: readonly (Standing | null)[];
  /** Vendor by vendor; null where it wasn't asked. */
  readonly exchanges: readonly (ExchangeRecord | null)[];
  /** The first of the values that differ; missing in older panels. */
  readonly differences?: readonly Difference[];
  /** How many values differ. */
  readonly differing?: number;
  /** The command that repeats just this. */
  readonly replay: string;
}

export interface PanelReport {
  readonly format: 1 | typeof panelFormat;
  readonly version: string;
  readonly interface: Edition;
  readonly id: string;
  readonly command: string;
  readonly seed: number;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly rounds: number;
  /** Whether it lasted as long as it was to. */
  readonly complete: boolean;
  /** From where it was sent; null where the user didn't name it. */
  readonly vantage: string | null;
  readonly vendors: readonly {
    readonly name: string;
    /** The target file, as given on the command line. */
    readonly file: string;
    readonly spent: Spent;
  }[];
  /** The place of the vendor that is trusted instead of a majority; null without one. */
  readonly reference: number | null;
  readonly questions: readonly PanelQuestion[];
  /** By operation: each may be served by an index of its own. */
  readonly freshness: { readonly [operation: string]: readonly Freshness[] };
  readonly latencies: readonly PanelLatency[];
  readonly leads: readonly Lead[];
  readonly dissents: readonly Dissent[];
  /** Polls that didn't begin within 50 ms, and aren't compared. */
  readonly apart: number;
  // Missing in panels of format 1.
  readonly connections?: readonly ConnectionPhase[];
  readonly backwards?: readonly Backwards[];
  readonly absences?: readonly Absence[];
  readonly defects?: readonly PanelDefect[];
  /** Null or missing where the panel asked questions of its own. */
  readonly workload?: PanelWorkload | null;
  readonly prices?: readonly VendorPrice[];
}
