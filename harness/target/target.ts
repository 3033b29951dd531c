// A target: the platform to judge, the keys held for it, what is known of it and allowed there.
import type { Api, Feature, Interface, IrreversibleId } from "../core/interface.ts";
import type { Redactor, Secret } from "../core/secret.ts";
import type { Asker, Made, Role } from "../core/stimulus.ts";
import type { Knowledge } from "../core/template.ts";
import type { Deviation } from "./deviations.ts";

/** What a target must allow before it is done: what trips a limit, loads, costs credits or can't be undone. */
export type Consent = "throttle" | "load" | "paidProbes" | IrreversibleId;

/** What the dashboard says of a project. */
export interface KnownProject {
  readonly id?: string;
  readonly plan: "paid" | "free";
  readonly planName?: string;
  /** Credits per cycle. */
  readonly creditsLimit?: number;
  readonly admin?: "enabled" | "disabled";
  readonly billingData?: "missing";
  readonly generalPerSecond?: number;
  /** In place of the target's pace: of a project that was made with a general limit far above it. */
  readonly ownPerSecond?: number;
}

/** How a target wants to be loaded. */
export interface LoadProfile {
  /** Requests per second of the whole mix, at most; as the pace has it where it is left out. */
  readonly perSecond?: number;
  /** How long a shape lasts, by its name. */
  readonly seconds: { readonly [shape: string]: number };
  /** How often an operation comes beside others of its API; 1 where nothing is said. */
  readonly weights: { readonly [operation: string]: number };
  /** What 95 of 100 answers of an operation must keep. */
  readonly latencyP95_ms: { readonly [operation: string]: number };
  /** Dear operations that may be asked for off loopback. */
  readonly operations: readonly string[];
}

export interface HeldKey {
  readonly secret: Secret;
  readonly projectName: string;
  readonly project: KnownProject;
  /** Of a project that control has made. */
  readonly isMade?: true;
}

/** Power over the platform: the reference alone gives it. */
export interface PowerOver {
  readonly base: string;
  readonly token: Secret;
  /** Wraps the key of a made project. */
  secretOf(value: string): Secret;
}

/** What a target file says besides, for checks of one interface: whoever reads it augments this. */
export interface TargetExtras {}

export interface Target extends Knowledge, TargetExtras {
  readonly name: string;
  /** By what it is judged. */
  readonly interface: Interface;
  /** Whether it is the reference platform, whose every answer we can account for. */
  readonly isReference: boolean;
  readonly bases: { readonly [S in Api]?: string };
  readonly offers: readonly Feature[];
  readonly keys: ReadonlyMap<Role | Made, HeldKey>;
  readonly projects: { readonly [name: string]: KnownProject };
  readonly allow: readonly Consent[];
  readonly deviations: readonly Deviation[];
  readonly budget: { readonly credits?: number; readonly requests?: number; readonly seconds?: number };
  readonly prices: { readonly [operation: string]: number };
  /** Requests per second on one API, at most. */
  readonly perSecond: number;
  /** The same for APIs with a limit of their own. */
  readonly apiPerSecond: { readonly [A in Api]?: number };
  readonly quiet: boolean;
  readonly rounding: "nearest" | "directed";
  readonly redact: Redactor;
  readonly control?: PowerOver;
  readonly load: LoadProfile;
}

/** The key that an asker stands for; undefined where the target has none. */
export function keyOf(target: Target, asker: Asker): (HeldKey & { readonly role: Role | Made }) | undefined {
  const candidates: readonly (Role | Made)[] = asker === "owner" ? ["paid", "other", "free"] : [asker];
  for (const role of candidates) {
    const key = target.keys.get(role);
    if (key) return { ...key, role };
  }
  return undefined;
}
