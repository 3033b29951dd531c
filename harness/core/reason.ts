// Reasons: why something isn't tested or isn't judged, as data; its sentence is made where it is shown.
import { pathFromPointer, pointerFromPath } from "./json.ts";
import { describeOutage, type OutageReason } from "./outageReason.ts";
import { describePartLack, type PartLack } from "./partLack.ts";
import { unlike } from "./quoting.ts";

/** What to add to a target file: a member at a JSON pointer, or an item to the list there. */
export interface Addition {
  readonly at: string;
  readonly item?: string;
}

/** What a target doesn't have or allow, and something needs. `remedy`: what the target file could add. */
export type UnmetNeed =
  | { readonly kind: "noBase"; readonly api: string; readonly remedy: readonly Addition[] }
  | { readonly kind: "noKey"; readonly role: string; readonly remedy: readonly Addition[] }
  | { readonly kind: "noProjectId"; readonly project: string; readonly remedy: readonly Addition[] }
  /** A sample, or another member of the target file. */
  | { readonly kind: "noMember"; readonly member: string; readonly remedy: readonly Addition[] }
  | { readonly kind: "noConsent"; readonly consent: string; readonly remedy: readonly Addition[] }
  /** @param of what is under control where it can be tested */
  | { readonly kind: "noControl"; readonly of: string }
  | { readonly kind: "notOffered"; readonly what: string }
  | { readonly kind: "noGenerator"; readonly detail: string }
  /** One of Assay's own tests verifies it. */
  | { readonly kind: "aboutAssay"; readonly test: string }
  /** No answer can break it. */
  | { readonly kind: "onlyObserved"; readonly probe: string }
  /** What only one check needs, in its words. */
  | { readonly kind: "otherNeed"; readonly detail: string; readonly remedy?: readonly Addition[] };

/** Which budget of the target file doesn't cover the next request; `spending` says what it would cost. */
export interface BudgetReason {
  readonly kind: "budgetSpent";
  readonly of: "requests" | "credits" | "seconds";
  readonly most: number;
  readonly spending?: { readonly soFar: number; readonly operation: string | null; readonly price: number | null };
}

/** Why nothing of a feature counts as verified: nothing shows that the platform checks keys. */
type UnprovenKeys = { readonly kind: "keysUnproven" } & (
  | { readonly by: "bothServed" }
  | { readonly by: "ownerRefused"; readonly fate: string }
  /** Of the unauthorized request. */
  | { readonly by: "noAnswer"; readonly fault: string }
  | { readonly by: "need"; readonly need: UnmetNeed }
);

/** How a known deviation fits, or no longer does. */
export interface DeviationReason {
  readonly kind: "deviation";
  readonly state: "expected" | "gone" | "different" | "expired";
  /** Why it is accepted, in the words of its entry. */
  readonly accepted: string;
  readonly owner?: string;
  readonly until: string;
  readonly link?: string;
  readonly entry: { readonly file: string; readonly line: number };
}

export type Reason =
  | UnmetNeed
  | BudgetReason
  | OutageReason
  | UnprovenKeys
  | DeviationReason
  /** A sample that the target file doesn't give was looked for, and not found. */
  | { readonly kind: "notFound"; readonly at: string; readonly why: Reason }
  | { readonly kind: "noCheck" }
  // The run.
  | { readonly kind: "notReached" }
  | { readonly kind: "firstBreach" }
  | { readonly kind: "timeOver"; readonly most_s: number }
  /** Of generated cases: enough smaller ones were tried, or waited for. */
  | { readonly kind: "shrunkEnough"; readonly detail: string }
  | { readonly kind: "usedByOthers"; readonly projects: readonly string[] }
  | { readonly kind: "checkFailed"; readonly of: "check" | "probe"; readonly message: string }
  // Other answers.
  | { readonly kind: "hidden"; readonly by: readonly string[] }
  /** Another requirement's breach hides it. */
  | { readonly kind: "masked"; readonly detail: string }
  | { readonly kind: "nothingJudged" }
  /** `lacked`: JSON pointers to what the answers would have had to contain, where that is known. */
  | { readonly kind: "notContained"; readonly returned: readonly string[]; readonly lacked?: readonly string[] }
  | { readonly kind: "behind"; readonly returned: string }
  | { readonly kind: "recorded"; readonly exchanges: number }
  | { readonly kind: "onlyByCheck" }
  // What a check saw, or didn't.
  | { readonly kind: "notSeen"; readonly detail: string }
  | { readonly kind: "notSettled"; readonly detail: string }
  /** The interface leaves open what would have to be known. */
  | { readonly kind: "leftOpen"; readonly detail: string }
  /** The target file may be at fault. */
  | { readonly kind: "excused"; readonly detail: string }
  // Caused by Assay or by the network.
  | { readonly kind: "doubtful"; readonly outcome: string }
  | { readonly kind: "notReproducible"; readonly first: string; readonly then: string }
  | { readonly kind: "notRepeated"; readonly first: string; readonly by: "price" | "effect" | Reason }
  | { readonly kind: "rateRefused"; readonly returned: string; readonly waits: number }
  | { readonly kind: "soundRefused"; readonly fate: string }
  | { readonly kind: "ownerUnanswered"; readonly why: Reason }
  | { readonly kind: "unusable"; readonly sentences: readonly string[] }
  | { readonly kind: "control"; readonly detail: string }
  | { readonly kind: "generator"; readonly detail: string }
  /** Before a load, callers of a feature weren't distinguished. */
  | { readonly kind: "loadUnsent"; readonly feature: string; readonly why: Reason }
  /** A load passed a bound that ends it early, e.g. `63 of 120 requests failed within 10 s, more than 25 %`. */
  | { readonly kind: "loadStopped"; readonly after_s: number; readonly detail: string; readonly remedy: string }
  /** A signal or a full disk ended a load; `by` is null where nothing is known of its end. */
  | { readonly kind: "loadEnded"; readonly by: string | null; readonly after_s: number; readonly of_s: number }
  /** Parts of a load that together aren't the one that was ordered. */
  | { readonly kind: "loadParts"; readonly lacks: readonly PartLack[] }
  /** What a load was to measure, and nothing else shows: its bounds on latency, its knee, or anything at its rate. */
  | { readonly kind: "unmeasured"; readonly what: "bounds" | "knee" | "rate"; readonly why: Reason }
  /** A refusal rests on a public fact, or a value made up, that may be false there; `member` would replace it. */
  | {
      readonly kind: "assumption";
      readonly at: string;
      readonly value: string;
      readonly source: string;
      readonly member: string;
    }
  /** In the words of a check, as of one that a user wrote. */
  | { readonly kind: "ownWords"; readonly text: string };

export const otherNeed = (detail: string, remedy?: readonly Addition[]): UnmetNeed => ({
  kind: "otherNeed",
  detail,
  ...(remedy === undefined ? {} : { remedy }),
});

/** @param pointer of the member; of an item of a list, the list as a whole would be added */
export function noMember(pointer: string): UnmetNeed {
  const path = pathFromPointer(pointer);
  const item = path.findIndex((name) => typeof name === "number");
  const at = item === -1 ? pointer : pointerFromPath(path.slice(0, item));
  return { kind: "noMember", member: path.join("."), remedy: [{ at }] };
}

export const noConsent = (consent: string, also: readonly Addition[] = []): UnmetNeed => ({
  kind: "noConsent",
  consent,
  remedy: [{ at: "/allow", item: consent }, ...also],
});

function describeDeviation(deviationReason: DeviationReason): string {
  const { state, accepted, owner, until, link, entry } = deviationReason;
  const place = `${entry.file}:${entry.line}`;
  switch (state) {
    case "gone":
      return `remove ${place} (${accepted})`;
    case "different":
      return `fails differently than the known issue (${accepted}): fix it, or update its entry, ${place}`;
    case "expired":
      return `the known issue was accepted until ${until} (${accepted}): renew or remove its entry, ${place}`;
    case "expected":
      return [`${accepted}; ${owner ? `${owner}, ` : ""}until ${until}`, ...(link ? [link] : []), place].join(", ");
  }
}

function describeUnproven(reason: UnprovenKeys): string {
  const soNothing = "so nothing shows that the platform checks keys";
  switch (reason.by) {
    case "bothServed":
      return "owner and unauthorized requests were both served, so nothing shows that keys are checked";
    case "ownerRefused":
      return `the owner's request ${reason.fate}, ${soNothing}`;
    case "noAnswer":
      return `the unauthorized request got no answer (${reason.fault}), ${soNothing}`;
    case "need":
      return `${describeReason(reason.need)}, ${soNothing}`;
  }
}

function describeBudget({ of, most, spending }: BudgetReason): string {
  const cost = spending ? ` (${spending.soFar} so far, ${spending.operation} costs ${spending.price})` : "";
  return `the budget of ${most} ${of} is spent${cost}`;
}

function describeUnrepeated(first: string, by: "price" | "effect" | Reason): string {
  if (typeof by === "object") return `${first}; not repeated: ${describeReason(by)}`;
  return `${first}; not sent again, as it ${by === "price" ? "costs credits" : "may have had an effect"}`;
}

const describeRecorded = (exchanges: number): string =>
  exchanges === 0 ? "no judged exchange shows it" : `not broken in ${exchanges} exchange${exchanges === 1 ? "" : "s"}`;

const unmeasuredTexts = {
  bounds: "the bounds on latency aren't judged",
  knee: "the knee isn't measured",
  rate: "the rate wasn't kept for a tenth of the load",
};

const sentences: { readonly [Kind in Reason["kind"]]: (reason: Extract<Reason, { kind: Kind }>) => string } = {
  noBase: ({ api }) => `the target names no base for ${api}`,
  noKey: ({ role }) => `the target has no key \`${role}\``,
  noProjectId: ({ project }) => `the target gives no id for the project \`${project}\``,
  noMember: ({ member }) => `the target gives no \`${member}\``,
  noConsent: ({ consent }) => `the target doesn't allow \`${consent}\``,
  noControl: ({ of }) => `not testable from outside (needs ${of})`,
  notOffered: ({ what }) => `the target doesn't offer ${what}`,
  noGenerator: ({ detail }) => detail,
  otherNeed: ({ detail }) => detail,
  budgetSpent: describeBudget,
  outage: describeOutage,
  keysUnproven: describeUnproven,
  deviation: describeDeviation,
  notFound: ({ why }) => describeReason(why),
  noCheck: () => "no check",
  aboutAssay: ({ test }) => `about Assay itself, not the platform (${test})`,
  onlyObserved: ({ probe }) => `only observed, by ${probe}`,
  notReached: () => "the run ended before it was judged",
  firstBreach: () => "the run ended at the first breach",
  timeOver: ({ most_s }) => `not started within ${most_s} s`,
  shrunkEnough: ({ detail }) => detail,
  usedByOthers: ({ projects }) => `others used ${projects.join(" and ")} meanwhile`,
  checkFailed: ({ of, message }) => `the ${of} threw an error: ${message}`,
  hidden: ({ by }) => `${by.join(", ")} ${by.length === 1 ? "is" : "are"} broken`,
  masked: ({ detail }) => detail,
  nothingJudged: () => "nothing was judged",
  notContained: ({ returned, lacked }) =>
    `no answer ${lacked ? `contained ${lacked.join(" or ")}` : "showed it"} (answers: ${returned.join(", ")})`,
  behind: ({ returned }) => `the index is behind: ${returned}`,
  recorded: ({ exchanges }) => describeRecorded(exchanges),
  onlyByCheck: () => "only a check can show it",
  notSeen: ({ detail }) => detail,
  notSettled: ({ detail }) => detail,
  leftOpen: ({ detail }) => detail,
  excused: ({ detail }) => detail,
  doubtful: ({ outcome }) => outcome,
  notReproducible: ({ first, then }) => `${first}, then ${then}: not reproducible`,
  notRepeated: ({ first, by }) => describeUnrepeated(first, by),
  rateRefused: ({ returned, waits }) => `still rate-limited (${returned}) after ${waits} waits`,
  soundRefused: ({ fate }) => `a valid request just after it ${fate}`,
  ownerUnanswered: ({ why }) => `the owner's request got no answer: ${describeReason(why)}`,
  unusable: ({ sentences: all }) => all.join("; "),
  control: ({ detail }) => detail,
  generator: ({ detail }) => detail,
  loadUnsent: ({ feature, why }) => `no load was sent: the preflight failed (${feature}: ${describeReason(why)})`,
  loadStopped: ({ after_s, detail }) => `the load was stopped automatically after ${after_s} s: ${detail}`,
  loadEnded: ({ by, after_s, of_s }) =>
    by === null
      ? `the record of the load breaks off after ${after_s} s of ${of_s}`
      : `${by} ended the load after ${after_s} s of ${of_s}`,
  loadParts: ({ lacks }) => lacks.map(describePartLack).join("; "),
  unmeasured: ({ what, why }) => `${unmeasuredTexts[what]}: ${describeReason(why)}`,
  assumption: ({ at, value, source, member }) =>
    `\`${at}\` ${value} (${source}) may not exist on this platform: give \`${member}\``,
  ownWords: ({ text }) => text,
};

/** All kinds, as the schema of runs lists them. */
export const reasonKinds: readonly string[] = Object.keys(sentences);

/** For people: a sentence without a full stop, in lower case. */
export const describeReason = (reason: Reason): string =>
  (sentences[reason.kind] as (reason: Reason) => string)(reason);

/** Those that differ in more than figures and ids that they quote. */
export function unlikeReasons(reasons: readonly Reason[]): readonly Reason[] {
  const texts = reasons.map(describeReason);
  return unlike(texts).flatMap((text) => reasons[texts.indexOf(text)] ?? []);
}

/** Whether no run of this target can show it: about Assay itself, not testable from outside, or not offered. */
export const isUntestable = ({ kind }: Pick<Reason, "kind">): boolean =>
  kind === "aboutAssay" || kind === "noControl" || kind === "onlyObserved" || kind === "notOffered";

/** A reason, and those that led to it. */
export function causesOf(reason: Reason): readonly Reason[] {
  return "why" in reason ? [reason, ...causesOf(reason.why)] : [reason];
}
