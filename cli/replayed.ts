// What became of a run's breaches once they are sent again: the value, and its lines.
import type { Breach } from "../harness/model/verdict.ts";
import type { NoReplay } from "../harness/record/replaying.ts";
import type { JudgedRequirement, Run } from "../harness/record/run.ts";
import type { Spent } from "../harness/targets/budget.ts";
import { breachText } from "../reports/breach.ts";
import { counted } from "../reports/numbers.ts";
import { oneLine } from "../reports/text.ts";

/** What became of one breach, or of all that a requirement has; `undecided` where nobody can tell. */
type Fate = "fixed" | "broken" | "undecided";

const fates: readonly Fate[] = ["fixed", "broken", "undecided"];
const fateText = (fate: Fate): string => (fate === "undecided" ? "can't tell" : fate);

export interface ReplayedBreach {
  /** The one that showed it. */
  readonly exchange: number;
  readonly is: Fate;
  /** What still breaks it; null where nothing does. */
  readonly breach: Pick<Breach, "at" | "expected" | "got"> | null;
  /** Why it can't be told; null where it can. */
  readonly why: { readonly kind: NoReplay["kind"] | "unjudged"; readonly says: string } | null;
  readonly spent: Pick<Spent, "requests" | "credits">;
}

export interface ReplayedRequirement extends Pick<JudgedRequirement, "id" | "sentence"> {
  readonly is: Fate;
  /** Those that were sent, the last one deciding where it is still broken. */
  readonly breaches: readonly ReplayedBreach[];
  /** How many requests showed it. */
  readonly shown: number;
  readonly spent: ReplayedBreach["spent"];
  /** Judges it again by all its requests. */
  readonly replay: string;
}

export const replayedNothing = { requests: 0, credits: 0 };

export const spentByAll = (all: readonly Pick<ReplayedBreach, "spent">[]): ReplayedRequirement["spent"] =>
  all.reduce(
    ({ requests, credits }, { spent }) => ({ requests: requests + spent.requests, credits: credits + spent.credits }),
    replayedNothing,
  );

export const noReplayTexts: { readonly [Kind in NoReplay["kind"]]: string } = {
  costly: "it sends what can't be undone, or many requests at set times",
  noCheck: "no check for it is loaded, as it is of a config: name that with --config",
  notAlone: "its request follows from others and can't be sent alone",
};

/** The first value is what its reader came for. */
export function replayOutcome(run: Run, target: string, requirements: readonly ReplayedRequirement[]) {
  const count = (fate: Fate): number => requirements.filter(({ is }) => is === fate).length;
  return {
    exitCode: count("broken") > 0 ? 1 : count("undecided") > 0 ? 3 : 0,
    run: run.id,
    target,
    totals: Object.fromEntries(fates.map((fate) => [fate, count(fate)])),
    spent: spentByAll(requirements),
    requirements,
  };
}

export function replayedText(replayed: ReplayedRequirement): string {
  const detail = detailOf(replayed);
  const { is, id, sentence } = replayed;
  return `${fateText(is).padEnd(10)}  ${id}  ${sentence}${detail === "" ? "" : `\n            ${detail}`}`;
}

/** What still breaks it, or why it can't be told; of what is fixed how much of it was sent, unless all was. */
function detailOf({ is, breaches, shown, replay: line }: ReplayedRequirement): string {
  const decisive = breaches.find((one) => one.is === is);
  if (decisive?.breach) return oneLine(breachText(decisive.breach, (text) => text));
  if (is === "undecided") {
    const again = `\`${line}\` judges it again`;
    const { kind, says } = decisive?.why ?? { kind: "unjudged", says: "" };
    if (kind !== "unjudged") return `${says}: ${again}`;
    return oneLine(says === "" ? again : `${says}; ${again}`);
  }
  const fixed = breaches.filter((one) => one.is === "fixed").length;
  return fixed < shown ? `${fixed} of the ${shown} requests that showed it; \`${line}\` sends all` : "";
}

export function totalLine({ totals, spent: { requests, credits } }: ReturnType<typeof replayOutcome>): string {
  const counts = fates.map((fate) => `${totals[fate]} ${fateText(fate)}`);
  return `${counts.join(", ")} · ${counted(requests, "request")}, ${counted(credits, "credit")}`;
}
