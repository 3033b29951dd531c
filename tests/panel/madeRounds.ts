// Rounds of a panel of made-up vendors, and the questions that are put there.
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { steppedClock } from "../../harness/core/clock.ts";
import type { Target } from "../../harness/targets/target.ts";
import type { ConnectionTimes } from "../../harness/transport/connectionTimes.ts";
import type { Exchange, Fault } from "../../harness/transport/exchange.ts";
import { type Transport, transportTo } from "../../harness/transport/transport.ts";
import { WireFault } from "../../harness/transport/wireFault.ts";
import { Attendance } from "../../panel/attendance.ts";
import { collected } from "../../panel/collecting.ts";
import { PanelFindings } from "../../panel/findings.ts";
import type { PanelMember, Poll } from "../../panel/polling.ts";
import {
  distinctQuestions,
  namedQuestions,
  type PolledQuestion,
  pickedQuestions,
  sampleQuestions,
} from "../../panel/questions.ts";
import { freshWorld } from "../../proof/inProcess.ts";

const owner = "D1VtmGG1jUKtipm1ZGmkbro3akJ5J6CxzfJSJPnqoe5w";
export const questions: readonly PolledQuestion[] = namedQuestions([
  { getTokenAccounts: { owner } },
  { getCompressedBalance: { address: owner } },
  { getIndexerHealth: null },
]);
/** Each of them slows a vendor down once that refuses all. */
export const manyQuestions = namedQuestions(
  Array.from({ length: 12 }, (_, nth) => ({ getTokenAccounts: { owner, limit: nth + 1 } })),
);
export const bundles = namedQuestions([{ getBundleStatuses: [["a"]] }]);

export interface Setting {
  readonly paces?: readonly number[];
  readonly change?: (target: Target, vendor: number) => Partial<Target>;
  readonly most?: number;
  readonly seed?: number;
  readonly asked?: readonly PolledQuestion[];
  /** By how much the first vendor is asked too late. */
  readonly late_ms?: number;
  /** Instead of the answer to the nth request of all to a vendor, at a time in ms. */
  readonly failing?: (vendor: number, at_ms: number) => Fault["kind"] | 429 | 503 | null;
  /** How long it lasts, instead of `most` rounds. */
  readonly for_ms?: number;
  /** Whether each connection was begun before the request that used it. */
  readonly isBegunEarlier?: boolean;
  /** A defect of ours: instead of what was exchanged, or thrown. */
  readonly broken?: (vendor: number, nth: number, exchange: Exchange) => Exchange;
}

/** A fault takes so long: one that hangs takes up all its time. */
const faultAfter_ms = (kind: Fault["kind"]): number => (kind === "timeout" ? 15_000 : 5);

/** Asks made-up vendors; gives what was asked, in which order requests began, and what the report has of it. */
export async function polledBy({
  paces = [100, 100, 100],
  change = () => ({}),
  most = 4,
  seed = 1,
  asked = questions,
  late_ms = 0,
  failing = () => null,
  for_ms,
  isBegunEarlier = false,
  broken = (_vendor, _nth, exchange) => exchange,
}: Setting) {
  const clock = steppedClock(0);
  const began: { readonly vendor: number; readonly at_ms: number }[] = [];
  const members = paces.map((perSecond, vendor): PanelMember => {
    const { targetAt } = freshWorld("asking");
    const target = { ...targetAt(`http://v${vendor}.example`), perSecond, isReference: false };
    const wire = async () => {
      began.push({ vendor, at_ms: clock.now_ms() });
      const failure = failing(vendor, clock.now_ms());
      await clock.sleep(typeof failure === "string" ? faultAfter_ms(failure) : 5);
      if (typeof failure === "string") throw new WireFault(failure, "made for this test");
      return {
        status: failure ?? 200,
        headers: [["content-type", "application/json"]] as const,
        body: Buffer.from("{}"),
      };
    };
    const whole = { ...target, ...change(target, vendor) };
    const transport = transportTo(whole, wire, clock);
    let sent = 0;
    const send: typeof transport.send = async (...given) => {
      if (vendor === 0 && late_ms > 0) await clock.sleep(late_ms);
      return broken(vendor, (sent += 1), await transport.send(...given));
    };
    const latestConnection = (): ConnectionTimes => {
      return { began_ms: isBegunEarlier ? 0 : performance.now(), dns_ms: 1, connect_ms: 2, tls_ms: null };
    };
    // What it gives is read anew each time.
    const asked: Transport = Object.assign(Object.create(transport) as Transport, { send });
    return { target: whole, transport: asked, connections: () => began.length, latestConnection };
  });
  const all: Poll[] = [];
  const found = new PanelFindings(members.length, null, dataPlatform);
  const findings = {
    add: (poll: Poll): void => {
      all.push(poll);
      found.add(poll);
    },
  };
  const isTimed = for_ms !== undefined;
  const goesOn = (round: number): boolean => (isTimed ? clock.now_ms() < for_ms : round < most);
  const polling = { clock, seed, goesOn, isTimed, attendance: new Attendance<PanelMember>(clock) };
  const panel = await collected(members, asked, { ...polling, findings });
  return { all, began, took_ms: clock.now_ms(), panel, found: found.report((id) => id) };
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
