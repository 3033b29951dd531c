// Rounds of a panel of made-up vendors, and the questions that are put there.
import { steppedClock } from "../../harness/core/clock.ts";
import type { Target } from "../../harness/targets/target.ts";
import { transportTo } from "../../harness/transport/transport.ts";
import { type PanelMember, type Poll, rounds } from "../../panel/polling.ts";
import {
  distinctQuestions,
  namedQuestions,
  type PolledQuestion,
  pickedQuestions,
  sampleQuestions,
} from "../../panel/questions.ts";
import { freshWorld } from "../../proof/inProcess.ts";
import { listed } from "../support/recordings.ts";

const owner = "D1VtmGG1jUKtipm1ZGmkbro3akJ5J6CxzfJSJPnqoe5w";
export const questions: readonly PolledQuestion[] = namedQuestions([
  { getTokenAccounts: { owner } },
  { getCompressedBalance: { address: owner } },
  { getIndexerHealth: null },
]);
export const bundles = namedQuestions([{ getBundleStatuses: [["a"]] }]);

export interface Setting {
  readonly paces?: readonly number[];
  readonly change?: (target: Target, vendor: number) => Partial<Target>;
  readonly most?: number;
  readonly seed?: number;
  readonly asked?: readonly PolledQuestion[];
  /** By how much the first vendor is asked too late. */
  readonly late_ms?: number;
}

/** Asks made-up vendors; gives what was asked, and in which order requests began. */
export async function polledBy({
  paces = [100, 100, 100],
  change = () => ({}),
  most = 4,
  seed = 1,
  asked = questions,
  late_ms = 0,
}: Setting) {
  const clock = steppedClock(0);
  const began: { readonly vendor: number; readonly at_ms: number }[] = [];
  const members = paces.map((perSecond, vendor): PanelMember => {
    const { targetAt } = freshWorld("asking");
    const target = { ...targetAt(`http://v${vendor}.example`), perSecond, isReference: false };
    const wire = async () => {
      began.push({ vendor, at_ms: clock.now_ms() });
      await clock.sleep(5);
      return { status: 200, headers: [["content-type", "application/json"]] as const, body: Buffer.from("{}") };
    };
    const whole = { ...target, ...change(target, vendor) };
    const transport = transportTo(whole, wire, clock);
    const send: typeof transport.send = async (...given) => {
      if (vendor === 0 && late_ms > 0) await clock.sleep(late_ms);
      return transport.send(...given);
    };
    return { target: whole, transport: { ...transport, send }, connections: () => began.length };
  });
  const all = await listed<Poll>(rounds(members, asked, { clock, seed, goesOn: (round) => round < most }));
  return { all, began, took_ms: clock.now_ms() };
}

/** Questions from the samples of a target that gives all. */
export const sampled = (): readonly PolledQuestion[] =>
  sampleQuestions([freshWorld("asking").targetAt("http://a.example")]);

/** One's own questions before those of samples, each once. */
export const distinctOf = (own: Parameters<typeof namedQuestions>[0], ...samples: readonly PolledQuestion[]) =>
  distinctQuestions([...namedQuestions(own), ...samples]);

/** Ids of the questions about accounts of these lists. */
export const pickedFrom = (seed: number, ...lists: readonly (readonly object[])[]): readonly string[] =>
  pickedQuestions(
    lists.map((all) => ({ answer: { json: { value: { result: { token_accounts: all } } } } })) as unknown as Parameters<
      typeof pickedQuestions
    >[0],
    seed,
  ).map(({ id }) => id);
