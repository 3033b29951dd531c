// The tables of an interface: all that the engine knows of what it judges, received as one value.

/** The description of an interface augments this to narrow the ids below; without it they are strings. */
export interface Register {}

type Registered<Key extends string> = Register extends { readonly [K in Key]: infer Id extends string } ? Id : string;

/** The id of one requirement, e.g. `ORD-SUM-01`. */
export type RequirementId = Registered<"requirement">;
/** The id of one unspecified behaviour, e.g. `OBS-ORD-SORT`. */
export type ObservationId = Registered<"observation">;
export type OperationId = Registered<"operation">;
/** Operations that platforms offer together; a target names those that it offers. */
export type Feature = Registered<"feature">;
/** One base address and the operations served there. */
export type Api = Registered<"api">;
export type IrreversibleId = Registered<"irreversible">;
/** The name of a key in a target file. */
export type Role = Registered<"role">;

/** What a requirement can extend over, member by member. */
export type ScopeDimension = "operation" | "key" | "carrier";

export interface Requirement {
  readonly id: RequirementId;
  /** Indicative, at most 100 characters. */
  readonly sentence: string;
  /** The place in the interface. */
  readonly clause: string;
  readonly level: "must" | "may" | "informational" | "advisory";
  readonly basis: "explicit" | "entailed" | "implied" | "external";
  readonly enforce: "fail" | "warn" | "note";
  /** Set where a breach on a vendor is only a warning, whatever the basis. */
  readonly onVendors?: "warn";
  /**
   * What it extends over; where only some members were tried, it holds in part. `atLeast`: operations, features, APIs
   * or keys without which it is withheld, as far as a check is planned for them.
   */
  readonly coverage?: { readonly over: ScopeDimension; readonly atLeast?: readonly string[] };
  readonly needs: readonly string[];
  readonly mutants?: { readonly [slug: string]: string };
  /** Benign variants, which no check may call broken, by name. */
  readonly benign?: { readonly [slug: string]: string };
  /** Where a user's config defines it, from where the command was started; left out of the interface's own. */
  readonly definedAt?: { readonly file: string; readonly line: number };
}

/** What the interface leaves unspecified: observed, never failed. */
export interface UnspecifiedBehaviour {
  readonly id: ObservationId;
  readonly question: string;
  readonly clause: string;
  readonly kind: "not-shown" | "silent" | "conflict" | "normally";
  readonly safety: "safe" | "paid" | "throttle" | "irreversible" | "white";
  readonly probe: string;
  readonly records: string;
  /** Of measured values: words in the order of their size. */
  readonly scales?: readonly (readonly string[])[];
  /** Each case is a limit as it was found. */
  readonly measures?: "limits";
}

export interface Operation {
  readonly id: OperationId;
  readonly api: Api;
  readonly feature: Feature;
  readonly method: string;
  /** Path template below the API's base. */
  readonly path: string;
  /** Price of one call; null where the interface doesn't show it. */
  readonly credits: number | null;
  readonly errors: string;
  /** Answers that have a schema: HTTP statuses, or `result` and `error` of a JSON-RPC method. */
  readonly answers: readonly string[];
  /** Required members of each answer that is an object; of JSON-RPC results, the envelope apart. */
  readonly members: { readonly [answer: string]: readonly string[] };
  /** Source of a regular expression; requests whose body matches can't be undone. */
  readonly irreversible?: string;
  /** It may have an effect, so that it isn't sent again after a failure. */
  readonly isOnce?: boolean;
}

/** One row of an error table, as far as the engine reads it. */
export interface ErrorRow {
  /** Left out where the HTTP status identifies the error. */
  readonly code?: number;
  readonly cause: string;
}

/** Requests per second that an operation or a whole API serves. */
export type StatedLimit = {
  readonly perSecond: number;
  readonly clause: string;
  /** The member of `pace` in a target file that replaces the derived pace. */
  readonly pace?: string;
} & ({ readonly api: Api } | { readonly operation: OperationId });

/** A documented name that a target may replace by its own. */
export interface Renamable {
  readonly documented: string;
  /** Its member of `names` in a target file. */
  readonly name: string;
  readonly in: "header" | "query";
  /** Those that name it. */
  readonly requirements: readonly RequirementId[];
}

/** A key that a target may give. */
export interface RoleDescription {
  readonly name: Role;
  /** Control can make a project like the one that has it. */
  readonly isReplaceable?: boolean;
  /** From here it is refused. */
  readonly isForOtherAddresses?: boolean;
}

/** What is known of a project; the description of an interface augments this with what it tells of projects. */
export interface KnownProject {
  readonly id?: string;
  /** The limit of the project, in requests per second. */
  readonly generalPerSecond?: number;
  /** Requests per second instead of the target's pace, for a project made with a far higher limit. */
  readonly ownPerSecond?: number;
}

/** The interface that is judged, and its version. */
export interface Edition {
  readonly name: string;
  readonly version: string;
  /** Changes whenever the specs do. */
  readonly digest: string;
}

export interface Interface {
  readonly edition: Edition;
  readonly requirements: readonly Requirement[];
  readonly unspecified: readonly UnspecifiedBehaviour[];
  readonly operations: readonly Operation[];
  readonly apis: Readonly<Record<Api, Protocol["kind"]>>;
  readonly errorTables: { readonly [table: string]: readonly ErrorRow[] };
  /** Codes of rate refusals that platforms use besides those of error tables. */
  readonly undocumentedRateCodes: readonly number[];
  /** Documented names of the header and the query parameter that carry a key. */
  readonly carriers: { readonly header: string; readonly query: string };
  /** In the order in which they are tried. */
  readonly roles: readonly RoleDescription[];
  /** Whose key an asker uses: the first of these that a target has; where it has none, the first is asked for. */
  readonly askers: { readonly owner: readonly Role[]; readonly bystander: readonly Role[] };
  /** What is known of a project that control made, where a recording tells no more. */
  readonly madeProject: KnownProject;
  /** How the id of a project is refused that isn't the key's own; left out where the interface shows no such ids. */
  readonly foreignProject?: { readonly status: number; readonly clause: string };
  readonly limits: readonly StatedLimit[];
  readonly renamable?: readonly Renamable[];
  /** The feature whose answers count the calls of all others; null where none does. */
  readonly meter: Feature | null;
}

/** How answers of one operation are read. */
export interface Protocol {
  readonly kind: "http" | "json-rpc";
  /** Null for what the interface doesn't describe. */
  readonly errorTable: string | null;
  /** Codes of rate refusals; null where the table shows none. Words and `undocumentedRateCodes` show others. */
  readonly rateCodes: readonly number[] | null;
  readonly undocumentedRateCodes: readonly number[];
  /** Codes by which the table puts a refusal down to the request or who sent it, whatever the message says. */
  readonly blamingCodes: readonly number[];
  /** Codes of server failures; null where the table shows no codes: then the HTTP status decides. */
  readonly serverCodes: readonly number[] | null;
  /** Required members of its answers and of all HTTP errors; null where the interface leaves open what answers hold. */
  readonly forms: readonly (readonly string[])[] | null;
}

const codesOf = (rows: readonly ErrorRow[], ...causes: readonly string[]): readonly number[] =>
  rows.flatMap(({ cause, code }) => (code !== undefined && causes.includes(cause) ? [code] : []));

/** A code that means a server failure in any table means it everywhere; one that means a timeout, in its own only. */
function makeProtocol(tables: Interface, api: Api, operation: OperationId | null): Protocol {
  const { apis, operations, errorTables, undocumentedRateCodes } = tables;
  const described = operations.find(({ id }) => id === operation);
  const errorTable = described?.errors ?? null;
  const kind = new Map(Object.entries(apis)).get(api) ?? "http";
  const all = Object.values(errorTables).flat();
  const own = Object.values(described?.members ?? {});
  const errors = operations.flatMap(({ members }) =>
    Object.entries(members).flatMap(([answer, names]) => (Number(answer) >= 400 ? [names] : [])),
  );
  const rows = errorTable === null ? all : (errorTables[errorTable] ?? []);
  const rateCodes = codesOf(rows, "rate");
  const hasCodes = errorTable === null || rateCodes.length > 0;
  const timeouts = errorTable === null ? [] : codesOf(rows, "timeout");
  return {
    kind,
    errorTable,
    rateCodes: hasCodes ? rateCodes : null,
    undocumentedRateCodes: undocumentedRateCodes.filter((code) => rows.every((row) => row.code !== code)),
    blamingCodes: codesOf(rows, "params", "key", "permission", "notFound"),
    forms: kind === "http" && own.length === 0 ? null : [...own, ...errors],
    serverCodes: hasCodes ? [...new Set([...codesOf(all, "server", "unavailable"), ...timeouts])] : null,
  };
}

/** Made once per operation, as every exchange needs one. */
const protocols = new WeakMap<Interface, Map<string, Protocol>>();

/** @param operation null for what the interface doesn't describe */
export function protocolOf(tables: Interface, api: Api, operation: OperationId | null): Protocol {
  const known = protocols.get(tables) ?? new Map<string, Protocol>();
  protocols.set(tables, known);
  const protocol = known.get(`${api} ${operation}`) ?? makeProtocol(tables, api, operation);
  known.set(`${api} ${operation}`, protocol);
  return protocol;
}

export const operationOf = ({ operations }: Pick<Interface, "operations">, id: string | null): Operation | undefined =>
  operations.find((one) => one.id === id);

/** What shares a limit: an operation that has a stated limit of its own, else an API. */
export const sharedLimitOf = ({ limits }: Pick<Interface, "limits">, api: string, operation: string | null): string =>
  limits.some((limit) => "operation" in limit && limit.operation === operation) ? (operation ?? api) : api;

/** Every feature, in the order of the operations. */
export const featuresOf = ({ operations }: Pick<Interface, "operations">): readonly Feature[] => [
  ...new Set(operations.map(({ feature }) => feature)),
];

/** The API that serves a feature; a feature has one. */
export const apiOf = ({ operations }: Interface, feature: Feature): Api | undefined =>
  operations.find((one) => one.feature === feature)?.api;

/** @throws Error for an id that the interface doesn't have */
export function requirementOf({ requirements }: Interface, id: RequirementId): Requirement {
  const requirement = requirements.find((one) => one.id === id);
  if (!requirement) throw new Error(`no requirement ${id}`);
  return requirement;
}

/** @throws Error for an id that the interface doesn't have */
export function unspecifiedBehaviour({ unspecified }: Interface, id: ObservationId): UnspecifiedBehaviour {
  const row = unspecified.find((one) => one.id === id);
  if (!row) throw new Error(`no observation ${id}`);
  return row;
}
