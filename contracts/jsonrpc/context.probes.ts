// Probes of the context member of JSON-RPC results: slots over time, further members (§4.3)
import { notSeen } from "../../harness/core/outcomes.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import { type AnsweredExchange, fingerprintOf } from "../../harness/model/fingerprint.ts";
import type { Probe, ProbeContext, Seen } from "../../harness/model/probe.ts";
import { isServed } from "../../harness/transport/answers.ts";
import { fieldsAt, seenAs } from "../shared/describeCalls.ts";
import { forFeature } from "../shared/forFeature.ts";
import { inTurn } from "../shared/inTurn.ts";
import { resultOf } from "../shared/jsonRpcOracles.ts";
import { baselineRequests } from "./baselineRequests.ts";

const { experiment, observeEach } = forFeature("compression");

const withSlots = baselineRequests.filter(
  ({ method }) => method === "getCompressedBalance" || method === "getMultipleNewAddressProofs",
);

/** Ten calls of each method in each repeat, two per second. */
const calls = 10;
const between_ms = 500;
const ask = (nth: number): readonly RequestSpec[] =>
  withSlots.map(({ ask: baseline }) => baseline({ again: 400 + nth }));

const slotIn = (answered: AnsweredExchange): number | undefined => {
  const slot = resultOf(answered, "/context/slot");
  return typeof slot === "number" ? slot : undefined;
};

interface SlotRead {
  readonly method: string;
  readonly slot: number;
  readonly answered: AnsweredExchange;
}

const readIn = ({ ask: send, canAsk, wait, target }: ProbeContext): Promise<readonly (readonly SlotRead[])[]> =>
  inTurn(Array(calls).keys(), async (nth) => {
    const round = await inTurn(ask(nth).filter(canAsk), async (requestSpec) => {
      const answered = await send(requestSpec);
      const slot = slotIn(answered);
      return slot === undefined ? [] : [{ method: requestSpec.operation ?? "", slot, answered }];
    });
    // The reference's slots follow its clock, so that waiting shows nothing more.
    if (!target.isReference) await wait(between_ms);
    return round.flat();
  });

/** Slots between two machines, or two methods: so coarse that it stays the same from run to run. */
const distance = (slots: number): string =>
  slots <= 3 ? "up to 3 slots" : slots <= 150 ? "up to 150 slots" : "more than 150 slots";

function courseOf(slots: readonly number[]): string {
  const deepest = Math.max(0, ...slots.slice(1).map((slot, index) => (slots[index] ?? slot) - slot));
  return deepest > 0 ? `falls, by ${distance(deepest)}` : "never falls";
}

async function overTime(context: ProbeContext): Promise<readonly Seen[]> {
  const rounds = await readIn(context);
  const all = rounds.flat();
  if (all.length === 0) throw notSeen("no result carried a slot");
  const seen: Seen[] = [...new Set(all.map(({ method }) => method))].map((method) => {
    const own = all.filter((one) => one.method === method);
    const course = courseOf(own.map(({ slot }) => slot));
    return {
      fingerprint: fingerprintOf((own[0] as SlotRead).answered, { case: method, bucket: course }),
      summary: course,
    };
  });
  const gaps = rounds
    .filter(({ length }) => length > 1)
    .map((round) => Math.max(...round.map(({ slot }) => slot)) - Math.min(...round.map(({ slot }) => slot)));
  const [first] = all;
  if (!first || gaps.length === 0) return seen;
  const between = distance(Math.max(...gaps));
  return [...seen, seenAs("between methods called one after the other", first.answered, between)];
}

const place = "/result/context/";

export const probes: readonly Probe[] = [
  experiment("OBS-CTX-MONO", Array.from({ length: calls }, (_, nth) => ask(nth)).flat(), overTime, {
    suffices: "any",
    when: "beside",
  }),
  observeEach(
    "OBS-CTX-EXTRA",
    withSlots.map(({ ask: baseline }) => baseline()),
    (answered) => {
      if (answered.requestSpec.operation === null || !isServed(answered) || slotIn(answered) === undefined)
        return undefined;
      const summary = fieldsAt(answered, (path) => path.startsWith(place) && path !== `${place}slot`);
      return { case: answered.requestSpec.operation, summary };
    },
  ),
];
