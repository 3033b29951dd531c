// A target: the platform to judge, its keys and sample data, and what may be done there.
import type { Api, Feature, Interface, IrreversibleId, KnownProject, OperationId, Role } from "../core/interface.ts";
import type { Asker, Made } from "../core/requestSpec.ts";
import type { Redactor, Secret } from "../core/secret.ts";
import type { Knowledge } from "../core/template.ts";
import type { Deviation } from "./deviations.ts";

/** What a target must allow explicitly: to trip limits, load, probe at a cost, and call what can't be undone. */
export type Consent = "throttle" | "load" | "paidProbes" | IrreversibleId;

/** An environment variable that a target file names. */
export interface NamedVariable {
  readonly name: string;
  /** Where the file names it, e.g. `keys`, `free`, `env`. */
  readonly at: readonly string[];
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

/** Other commands of this machine that use its projects. */
export interface OtherCommands {
  /** On those that work now, for first lines. */
  sentences(): readonly string[];
  /** The projects that they have used since this command began, by their names here. */
  projects(): readonly string[];
  /** Tells them what this command sends at most. */
  publish(plan: { readonly requests: number; readonly credits: number }): void;
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
  /** As they are written, with `${NAME}` where one holds the key of a variable. */
  readonly bases: { readonly [S in Api]?: string };
  /** The keys of variables in bases, by their names. */
  readonly baseKeys: ReadonlyMap<string, Secret>;
  /** The names at the top of its file. */
  readonly members?: readonly string[];
  /** By feature, the line of its file that offers it, or else has the base of its API, from 1. */
  readonly lines?: { readonly [feature: string]: number };
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
  /** Left out where nobody looks. */
  readonly others?: OtherCommands;
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
}

/** The role that an asker stands for; undefined where the target has no key of it. */
function roleOf({ keys, interface: { askers } }: Target, asker: Asker): Role | Made | undefined {
  if (asker === "someone") return undefined;
  return asker === "owner" || asker === "bystander" ? askers[asker].find((role) => keys.has(role)) : asker;
}

/** The key that an asker stands for; undefined where the target has none. */
export function keyOf(target: Target, asker: Asker): (HeldKey & { readonly role: Role | Made }) | undefined {
  const role = roleOf(target, asker);
  if (role === undefined) return undefined;
  const key = target.keys.get(role);
  return key && { ...key, role };
}

/** The name of the project whose key it is. */
export function projectNameOf(target: Target, asker: Asker): string | undefined {
  const role = roleOf(target, asker);
  return role && target.keys.get(role)?.projectName;
}
