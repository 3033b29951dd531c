// Which words and signs say what a run found, the same in every report?
import type { Json } from "../harness/core/json.ts";
import type { JudgedRequirement, Run, Totals } from "../harness/record/run.ts";

/** A verdict with the severity of its breach: what a reader tells apart. */
export type Kind = keyof Totals;

interface Words {
  /** Tells kinds apart without colour. */
  readonly sign: string;
  /** One requirement that … */
  readonly one: string;
  /** Several that … */
  readonly many: string;
  readonly means: string;
}

export const words: { readonly [kind in Kind]: Words } = {
  broken: { sign: "✗", one: "broken", many: "broken", means: "The platform was seen to break the promise." },
  warned: {
    sign: "▲",
    one: "warned",
    many: "warned",
    means: "Broken, but told only: the promise is implied or advisory.",
  },
  noted: { sign: "●", one: "noted", many: "noted", means: "Not as described, written down as an observation." },
  inconclusive: {
    sign: "?",
    one: "inconclusive",
    many: "inconclusive",
    means: "Could not be judged, by our fault or the network's.",
  },
  deviates: {
    sign: "≈",
    one: "deviates",
    many: "deviate as known",
    means: "Broken in the way that the target declares.",
  },
  withheld: {
    sign: "–",
    one: "withheld",
    many: "withheld",
    means: "Could not be tried, or is hidden behind another breach.",
  },
  holds: { sign: "✓", one: "holds", many: "hold", means: "Every check of it was exercised and held." },
};

/** Worst first. */
export const kinds = Object.keys(words) as readonly Kind[]; // Keys of a literal whose type names them.

export function kindOf({ verdict, enforced }: Pick<JudgedRequirement, "verdict" | "enforced">): Kind {
  if (verdict !== "broken") return verdict;
  return ({ fail: "broken", warn: "warned", note: "noted" } as const)[enforced];
}

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en-GB")} ${count === 1 ? one : many}`;

/** The verdict on the whole run, as a sentence without full stop. */
export function headlineOf({ complete, totals, load }: Pick<Run, "complete" | "totals" | "load">): string {
  const broken = totals.broken
    ? `${counted(totals.broken, "promise")} ${totals.broken === 1 ? "is" : "are"} broken`
    : null;
  if (!complete) return `The run was cut short${broken ? `: ${broken} so far` : ""}`;
  if (broken) return broken;
  const unloaded = loadFlawOf(load);
  if (unloaded !== null) return unloaded;
  if (totals.holds === 0) return "Nothing was verified";
  if (totals.inconclusive)
    return `Nothing is seen broken, ${totals.inconclusive.toLocaleString("en-GB")} could not be judged`;
  return `Nothing is broken: ${counted(totals.holds, "holds", "hold")}`;
}

/** Why a load isn't green, whatever became of the promises; null where it is. */
function loadFlawOf(load: Run["load"]): string | null {
  const unkept = load?.bounds.filter(({ isKept }) => !isKept).length ?? 0;
  if (unkept > 0) return `${counted(unkept, "bound")} on latency ${unkept === 1 ? "isn't" : "aren't"} kept`;
  return load?.doubt ? "The load could not be judged" : null;
}

/** Why a run as a whole must not read as green, whatever became of each promise; null where it may. */
export function flawOf(run: Pick<Run, "complete" | "totals" | "load">): string | null {
  if (!run.complete) return headlineOf(run);
  return loadFlawOf(run.load) ?? (run.totals.holds === 0 ? "Nothing was verified" : null);
}

/** No more digits than a measured time deserves. */
export const inMs = (value_ms: number): string =>
  value_ms.toLocaleString(
    "en-GB",
    value_ms < 10 ? { minimumFractionDigits: 1, maximumFractionDigits: 1 } : { maximumFractionDigits: 0 },
  );

/** Of a plan, or of what was spent in the end. */
export const costOf = ({ credits, unpriced }: Pick<Run["spent"], "credits" | "unpriced">): string =>
  [
    ...(credits || !unpriced ? [counted(credits, "credit")] : []),
    ...(unpriced ? [`${counted(unpriced, "call")} of unknown price`] : []),
  ].join(" + ");

/** How much was learnt for it, in one sentence without full stop. */
export function yieldLine({
  yield: { musts, perThousandCredits, perHundredRequests, byThousandCredits, byHundredRequests },
}: Pick<Run, "yield">): string {
  const figure = (value: number): string => value.toLocaleString("en-GB");
  return [
    `${counted(musts, "must", "musts")} verified`,
    ...(perThousandCredits === null
      ? []
      : [`${figure(perThousandCredits)} per 1,000 credits (${figure(byThousandCredits)} by the first 1,000)`]),
    ...(perHundredRequests === null
      ? []
      : [`${figure(perHundredRequests)} per 100 requests (${figure(byHundredRequests)} by the first 100)`]),
  ].join(" · ");
}

type Entry = NonNullable<Run["audit"]>["entries"][number];

/** What should have been charged: one amount, or two where it is open whether refused calls count. */
export const expectedOf = ({ spent: { least, most } }: Entry): string =>
  least === most ? least : `${least} to ${most}`;

/** What the audit found, in one sentence without full stop; null where none was made. */
export function auditLine({ audit }: Pick<Run, "audit">): string | null {
  if (!audit) return null;
  const of = (result: Entry["result"]): number => audit.entries.filter((entry) => entry.result === result).length;
  const told = [
    ...(of("agrees") ? [`${counted(of("agrees"), "figure")} grew by what was spent`] : []),
    ...(of("differs") ? [`${counted(of("differs"), "figure")} grew by more or less than was spent`] : []),
    ...(of("open") ? [`${counted(of("open"), "figure")} can't be told`] : []),
    ...(audit.reason === null ? [] : [audit.reason]),
  ];
  return `${audit.entries.length ? "audit" : "no audit"}: ${told.join(" · ")}`;
}

/** What was seen at an open point, for people. */
export function valueText(value: Json): string {
  if (Array.isArray(value)) return value.map(valueText).join(" | ");
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .map(([name, member]) => `${name} ${valueText(member)}`)
    .join(", ");
}

/** How many open points were looked at, in one sentence without full stop. */
export function observedLine(observations: Run["observations"]): string {
  const of = (wanted: Run["observations"][number]["state"]): number =>
    observations.filter(({ state }) => state === wanted).length;
  return [
    `${counted(of("stable"), "open point")} observed`,
    ...(of("unstable") ? [`${of("unstable").toLocaleString("en-GB")} seen to vary`] : []),
    ...(of("withheld") ? [`${of("withheld").toLocaleString("en-GB")} not looked at`] : []),
  ].join(" · ");
}

export interface Group {
  readonly reason: string;
  readonly requirements: readonly JudgedRequirement[];
}

/** What was withheld by reason, the commonest first. */
export function withheldByReason({ requirements }: Pick<Run, "requirements">): readonly Group[] {
  const groups = new Map<string, JudgedRequirement[]>();
  for (const requirement of requirements) {
    if (requirement.verdict !== "withheld") continue;
    const reason = requirement.reason ?? "no reason given";
    groups.set(reason, [...(groups.get(reason) ?? []), requirement]);
  }
  return [...groups]
    .map(([reason, members]) => ({ reason, requirements: members }))
    .sort((a, b) => b.requirements.length - a.requirements.length);
}
