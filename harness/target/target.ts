// A target: the platform to judge, its keys and sample data, and what may be done there.
import type { Api, Feature, Interface, IrreversibleId, OperationId } from "../core/interface.ts";
import type { Redactor, Secret } from "../core/secret.ts";
import type { Asker, Made, Role } from "../core/stimulus.ts";
import type { Knowledge } from "../core/template.ts";
import type { Deviation } from "./deviations.ts";

/** What a target must allow explicitly: to trip limits, load, probe at a cost, and call what can't be undone. */
export type Consent = "throttle" | "load" | "paidProbes" | IrreversibleId;

/** An environment variable that a target file names. */
export interface NamedVariable {
  readonly name: string;
  /** Where the file names it, e.g. `keys.paid.env`. */
  readonly field: string;
}

export interface KnownProject {
  readonly id?: string;
  readonly plan: "paid" | "free";
  readonly planName?: string;
  /** Credits per cycle. */
  readonly creditsLimit?: number;
  readonly admin?: "enabled" | "disabled";
  readonly billingData?: "missing";
  /** The limit of the project, in requests per second. */
  readonly generalPerSecond?: number;
  /** Requests per second instead of the target's pace, for a project made with a far higher limit. */
  readonly ownPerSecond?: number;
}

/** A load ends early where more fails, or p95 of what is served is higher, within its last seconds. */
export interface StopBounds {
  readonly failedShare: number;
  readonly p95_ms: number;
  readonly within_s: number;
}

export interface LoadProfile {
  /** Requests per second of the whole mix, at most; by default the pace. */
  readonly perSecond?: number;
  /** Duration of each load shape, by name. */
  readonly seconds: { readonly [shape: string]: number };
  /** How often an operation is called relative to others of its API; 1 by default. */
  readonly weights: { readonly [operation: string]: number };
  /** Upper bounds of the 95th percentile, by operation. */
  readonly latencyP95_ms: { readonly [operation: string]: number };
  readonly stop: Partial<StopBounds>;
  /** Costly operations that may be called other than on loopback. */
  readonly operations: readonly string[];
}

export interface HeldKey {
  readonly secret: Secret;
  readonly projectName: string;
  readonly project: KnownProject;
  /** Set where control has made the project. */
  readonly isMade?: true;
}

/** Access to the control contract; only the reference grants it. */
export interface PowerOver {
  readonly base: string;
  readonly token: Secret;
}

/** A sample that fills in what the target file leaves out: of a chain profile, or made up; it may be unknown there. */
export interface Assumption {
  /** What it fills in, as a JSON pointer, e.g. `/samples/orders/0`. */
  readonly at: string;
  readonly value: string;
  /** The profile, and where it is published; or how it was made. */
  readonly source: string;
  /** An operation whose calls rest on it though they don't show it. */
  readonly restsIn?: OperationId;
  /** Made by the run, so that nobody has used it. */
  readonly isMade?: true;
}

/** Members of a target file that only checks of one interface use; the module that reads them augments this. */
export interface TargetExtras {}

export interface Target extends Knowledge, TargetExtras {
  readonly name: string;
  /** Whom to write to about our requests: a URL or a mail address, shown in each of them. */
  readonly contact?: string;
  /** The version of Assay that sends them. */
  readonly version?: string;
  readonly interface: Interface;
  readonly isReference: boolean;
  readonly bases: { readonly [S in Api]?: string };
  readonly offers: readonly Feature[];
  readonly keys: ReadonlyMap<Role | Made, HeldKey>;
  readonly projects: { readonly [name: string]: KnownProject };
  readonly allow: readonly Consent[];
  readonly deviations: readonly Deviation[];
  readonly budget: { readonly credits?: number; readonly requests?: number; readonly seconds?: number };
  readonly prices: { readonly [operation: string]: number };
  /** Requests per second of one feature, at most. */
  readonly perSecond: number;
  /** Requests per second on APIs with a limit of their own. */
  readonly apiPerSecond: { readonly [A in Api]?: number };
  readonly quiet: boolean;
  /** Whether a run is inconclusive where something holds in part only. */
  readonly strict: boolean;
  /** By when charges show, as the platform has agreed. */
  readonly settlesWithin_s?: number;
  readonly rounding: "nearest" | "directed";
  /** Whose values become keys: each is sent to all bases, but for a payer's, which only signs. */
  readonly variables: readonly NamedVariable[];
  readonly redact: Redactor;
  readonly control?: PowerOver;
  /** Those that fill in something here. */
  readonly assumptions?: readonly Assumption[];
  readonly load: LoadProfile;
}

/** The first of these that a target has is meant. */
const rolesFor: { readonly [A in Asker]?: readonly Role[] } = {
  someone: [],
  owner: ["paid", "other", "free"],
  bystander: ["other", "paid", "free"],
};

/** The role that an asker stands for; undefined where the target has no key of it. */
const roleOf = ({ keys }: Target, asker: Asker): Role | Made | undefined => {
  const some = rolesFor[asker];
  return some ? some.find((role) => keys.has(role)) : (asker as Role | Made);
};

/** The key that an asker stands for; undefined where the target has none. */
export function keyOf(target: Target, asker: Asker): (HeldKey & { readonly role: Role | Made }) | undefined {
  const role = roleOf(target, asker);
  const key = role && target.keys.get(role);
  return key && { ...key, role };
}

/** The name of the project whose key it is. */
export function projectNameOf(target: Target, asker: Asker): string | undefined {
  const role = roleOf(target, asker);
  return role && target.keys.get(role)?.projectName;
}
