// The verdict on a run as a whole, the same in every report: its word, why, and how much was judged; no full stops.
import { describeOutage } from "../harness/core/outageReason.ts";
import { isFixed } from "../harness/model/verdict.ts";
import type { Run } from "../harness/record/run.ts";
import { boundsHeadline, exceededBounds } from "./bounds.ts";
import { loadAlone, loadHeadline } from "./load.ts";
import { counted, countsOf, numberText } from "./numbers.ts";
import { words } from "./words.ts";

type Judged = Pick<
  Run,
  | "complete"
  | "totals"
  | "load"
  | "exitCode"
  | "preflight"
  | "cutShort"
  | "intermittent"
  | "recording"
  | "requirements"
  | "outages"
>;

/** The verdict on a whole run, a comparison or a night: the first word of its report, as its exit code has it. */
const verdictWords: { readonly [code: number]: string } = { 0: "Passed", 1: "Failed", 3: "Inconclusive" };

export const verdictWord = (exitCode: number): string => verdictWords[exitCode] ?? `Exit code ${exitCode}`;

/** The verdict on the whole run, why, and how much of what this target can show was judged. */
export function headlineOf(run: Judged): string {
  const alone = loadAlone(run);
  const word = verdictWord(run.exitCode);
  if (alone) return loadHeadline(run, alone, word);
  if (run.preflight?.ended) return `${word}: nothing was tested`;
  const why = { 0: passedBy, 1: failedBy, 3: openBy }[run.exitCode] ?? openBy;
  return `${word}: ${[...why(run), ...coverageOf(run)].join("; ")}`;
}

const areBroken = ({ broken }: Run["totals"]): string =>
  `${counted(broken, "requirement")} ${broken === 1 ? "is" : "are"} broken`;

/** What a reader may want to know of a run that nothing fails. */
const besidesIn = ({ warned, deviates, renamed, fixed }: Run["totals"]): readonly string[] =>
  countsOf(
    [warned, "warning"],
    [deviates - renamed, words.deviates.one, words.deviates.many],
    [fixed, "known issue is fixed", "known issues are fixed"],
  );

function passedBy({ totals, recording }: Judged): readonly string[] {
  const besides = besidesIn(totals).join(", ");
  if (recording) return [`${besides || "no breach"} in ${counted(recording.judged, "exchange")}`];
  return [besides || "nothing is broken"];
}

function failedBy(run: Judged): readonly string[] {
  const { totals, load, complete, cutShort } = run;
  const exceeded = boundsHeadline(load);
  const fixed = failingFixed(run);
  const reasons = [
    ...(totals.broken > 0 ? [areBroken(totals)] : []),
    ...(exceeded === null ? [] : [exceeded]),
    ...countsOf([fixed, "known issue is fixed", "known issues are fixed"]).map(
      (some) => `${some}, which --fixed=fail doesn't accept`,
    ),
  ];
  const why = reasons.length > 0 ? reasons : ["some failures didn't recur, which --intermittent=fail doesn't accept"];
  return [...why, ...(complete ? [] : [cutShortText(cutShort)])];
}

const failingFixed = ({ requirements }: Pick<Run, "requirements">): number =>
  requirements.filter((one) => isFixed(one) && one.enforced === "fail").length;

function openBy(run: Judged): readonly string[] {
  const { totals, load, complete, cutShort } = run;
  if (!complete) return [cutShortText(cutShort)];
  const outages = headlinedOutages(run);
  if (outages.length > 0) return outages.map(describeOutage);
  const loadFlaw = loadFlawOf(load);
  if (loadFlaw !== null) return [loadFlaw];
  if (isNothingJudged(run)) return [run.recording ? "nothing could be judged" : "nothing was verified"];
  const strict = strictFlawOf(run);
  if (strict !== null) return [strict];
  return totals.inconclusive > 0
    ? [`${counted(totals.inconclusive, "requirement")} could not be judged`]
    : ["a check threw an error"];
}

/** Those by which the platform is gone, where the headline says so. */
export const headlinedOutages = ({
  outages = [],
  exitCode,
  complete,
}: Pick<Run, "outages" | "exitCode" | "complete">) =>
  complete && exitCode === 3 ? outages.filter(({ stopped, until }) => stopped && until === undefined) : [];

const cutShortText = (cutShort: string | undefined): string =>
  `the run was cut short${cutShort ? `, as ${cutShort}` : ""}`;

/** Requirements that this target can show: not those about Assay itself, or not testable from outside. */
export const showableIn = (totals: Run["totals"]): number =>
  judgedIn(totals) + totals.withheld - totals.untestable + totals.inconclusive;

/** `130 of 249 requirements judged, 38 of them in part`; none of a recording, which verifies nothing. */
function coverageOf({ totals, recording }: Judged): readonly string[] {
  const all = showableIn(totals);
  if (recording || all === 0) return [];
  const judged = judgedIn(totals);
  const some = counted(all, "requirement");
  const share = judged < all ? `${numberText(judged)} of ${some}` : all === 1 ? some : `all ${some}`;
  return [[`${share} judged`, ...countsOf([totals.narrowed, "of them in part", "of them in part"])].join(", ")];
}

export const judgedIn = (totals: Run["totals"]): number => {
  const { holds, broken, warned, noted, deviates } = totals;
  return holds + broken + warned + noted + deviates;
};

/** Whether nothing was verified; a known deviation counts, as its requirement was judged. */
export const isNothingJudged = ({ totals, recording }: Pick<Run, "totals" | "recording">): boolean =>
  (recording ? recording.judged : totals.holds + totals.deviates) === 0;

/** A sentence where only `strict` makes the run inconclusive, else null. */
export function strictFlawOf({ complete, totals, exitCode, load }: Judged): string | null {
  const isStrictness = complete && exitCode === 3 && totals.narrowed > 0 && totals.inconclusive === 0;
  if (!isStrictness || loadFlawOf(load) !== null) return null;
  const some = counted(totals.narrowed, "requirement is", "requirements are");
  return `${some} only verified in part, which a strict run doesn't accept`;
}

/** Why a load isn't green, apart from requirements and bounds; null where it is. */
const loadFlawOf = (load: Run["load"]): string | null => (load?.doubt ? "the load is inconclusive" : null);

/** Why a run as a whole must not look green, apart from broken requirements and exceeded bounds; null where it may. */
export function flawOf(run: Judged): string | null {
  const { complete, exitCode, load, totals } = run;
  if (!complete) return headlineOf(run);
  if (totals.broken > 0 || exceededBounds(load).length > 0 || failingFixed(run) > 0) return loadFlawOf(load);
  const isSaid = exitCode === 3 && totals.inconclusive > 0 && !load?.doubt;
  return exitCode === 0 || isSaid ? null : headlineOf(run);
}

const exitMeanings: { readonly [code: number]: string } = {
  0: "nothing broken, something verified",
  3: "inconclusive, cut short, nothing verified, or (in a strict run) only verified in part",
};

/** What each exit code says, of whatever run. */
export const exitCodeMeanings: { readonly [code: string]: string } = {
  0: "passed: nothing is broken but known issues and what only warns, and something was verified",
  1:
    "failed: a requirement is broken, a bound of the target file is exceeded, or, where that is wanted, a failure " +
    "came and went or a known issue is fixed",
  2: "flags, the target file or the environment are invalid; nothing was judged",
  3:
    "inconclusive: the platform is unreachable, keys are unknown, the run was cut short, nothing was verified, or " +
    "(in a strict run) something only in part",
};

/** What the exit code of a run says, e.g. `a bound of the target file is exceeded`. */
export function exitCodeText(run: Judged): string {
  const { exitCode, totals, load, recording } = run;
  // A recording verifies nothing.
  if (recording && exitCode === 0) return "nothing broken of what was judged";
  if (exitCode !== 1) return exitMeanings[exitCode] ?? "unknown";
  const exceeded = exceededBounds(load).length > 0 ? ["a bound of the target file is exceeded"] : [];
  if (totals.broken > 0) return ["a requirement is broken", ...exceeded].join(", and ");
  return exceeded[0] ?? (failingFixed(run) > 0 ? "a known issue is fixed" : "failures that came and went count");
}
