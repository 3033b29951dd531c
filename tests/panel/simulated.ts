// Simulated panels in virtual time: vendors are the reference, each with a behaviour of its own, on one chain.
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { type SteppedClock, steppedClock } from "../../harness/core/clock.ts";
import type { Target } from "../../harness/targets/target.ts";
import { type Transport, transportTo } from "../../harness/transport/transport.ts";
import type { Wire, WireAnswer, WireRequest } from "../../harness/transport/wire.ts";
import { chanceOf } from "../../load/k6/chance.ts";
import { PanelFindings, type PollFinding } from "../../panel/findings.ts";
import type { PanelReport } from "../../panel/panelReport.ts";
import { type PanelMember, rounds } from "../../panel/polling.ts";
import { pricesOf } from "../../panel/prices.ts";
import { namedQuestions, type PolledQuestion } from "../../panel/questions.ts";
import { freshWorld, wireTo } from "../../proof/inProcess.ts";
import { withoutControl } from "../../proof/targets.ts";
import { slotAt, type TokenAccount, wellKnown } from "../../reference/platform/chain.ts";
import { createPlatform } from "../../reference/platform.ts";
import { lagIn } from "../../reports/panel/figures.ts";
import { splitLines } from "../../reports/panel/view.ts";

const slot_ms = 400;
const epoch_ms = Date.parse("2026-01-15T10:00:00Z");

/** What every vendor's chain goes through: an account that gets another amount at a slot. */
interface Change {
  readonly slot: number;
  readonly account: TokenAccount;
}

/** A copy of the chain, as it was some slots ago. */
interface View {
  readonly ask: (request: WireRequest, lag_ms: number) => Promise<WireAnswer>;
}

/** Which slot a copy of the chain had when it answered: known to the simulation, and read by nobody else. */
const truth = "x-simulated-slot";

const base = "http://reference.assay.example";
const keyIn = ({ keys }: Target): string => keys.get("paid")?.secret.open() ?? "";

/** Answers by slot and request: the same on every copy. */
type Answers = Map<string, Promise<WireAnswer>>;

function viewOf(clock: SteppedClock, changes: readonly Change[], key: string, answers: Answers): View {
  const { world, targetAt } = freshWorld("panel");
  const own = keyIn(targetAt(base));
  let [at_ms, done] = [epoch_ms, 0];
  const platform = createPlatform({ world, now_ms: () => at_ms });
  const carry = wireTo(platform, undefined);
  return {
    ask: (request, lag_ms) => {
      at_ms = Math.max(at_ms, clock.now_ms() - lag_ms);
      const slot = slotAt(at_ms);
      for (; (changes[done]?.slot ?? slot + 1) <= slot; done += 1)
        world.chain.write([changes[done]?.account as TokenAccount]);
      const name = `${slot} ${request.body}`;
      const answer =
        answers.get(name) ??
        carry({ ...request, url: request.url.replace(key, own) }, new AbortController().signal).then((given) => ({
          ...given,
          headers: [...given.headers, [truth, String(slot)] as const],
        }));
      answers.set(name, answer);
      return answer;
    },
  };
}

/** What a vendor does with a request, given copies of the chain as it is and with a lag. */
type Behaviour = (vendor: {
  readonly clock: SteppedClock;
  readonly chance: () => number;
  /** A copy of its own for each lag. */
  readonly at: (slots: number) => (request: WireRequest) => Promise<WireAnswer>;
}) => Wire;

const edited = (answer: WireAnswer, edit: (text: string) => string): WireAnswer => ({
  ...answer,
  body: Buffer.from(edit(Buffer.from(answer.body).toString())),
});

type Members = { [member: string]: unknown };

/** Another list in place of the one of an answer. */
const relisted = (answer: WireAnswer, change: (accounts: readonly Members[]) => readonly Members[]): WireAnswer =>
  edited(answer, (text) => {
    const { result, ...message } = JSON.parse(text) as { result?: { token_accounts?: Members[]; cursor?: string } };
    if (!result?.token_accounts) return text;
    const accounts = change(result.token_accounts);
    // A page that is followed by more has a cursor.
    const isCut = accounts.length === shortPage && result.token_accounts.length > shortPage;
    return JSON.stringify({
      ...message,
      result: { ...result, ...(isCut ? { cursor: "next" } : {}), token_accounts: accounts },
    });
  });
const listing =
  (change: (accounts: readonly Members[], chance: () => number) => readonly Members[]): Behaviour =>
  ({ at, chance }) => {
    const fresh = at(0);
    return async (request) => relisted(await fresh(request), (accounts) => change(accounts, chance));
  };
const shortPage = 50;

/** Each does only what the interface leaves open. */
export const honest = {
  plain: ({ at }) => at(0),
  "in another order each time": listing((accounts, chance) =>
    accounts
      .map((one) => [chance(), one] as const)
      .sort(([a], [b]) => a - b)
      .map(([, one]) => one),
  ),
  "with members of its own": listing((accounts) =>
    accounts.map(({ burnt: _, ...one }) => ({ program: "token", ...one })),
  ),
  "with an empty account": listing((accounts) => [
    ...accounts,
    { ...accounts[0], address: "4Nd1mYQzXT4wVUqj8MTfXPqk4wWHzjy3p5KXJtYd7xCq", amount: 0 },
  ]),
  "with pages of 50": listing((accounts) => accounts.slice(0, shortPage)),
  "of two replicas": ({ at, chance }) => {
    const replicas = [at(0), at(0)] as const;
    return (request) => (chance() < 0.5 ? replicas[0] : replicas[1])(request);
  },
} satisfies { readonly [name: string]: Behaviour };

export const planted = {
  "3 slots behind": ({ at }) => at(3),
  "40 slots behind": ({ at }) => at(40),
  "a wrong balance": listing(([first, ...others]) =>
    first ? [{ ...first, amount: Number(first["amount"]) + 7 }, ...others] : [],
  ),
  "a missing account": listing((accounts) => accounts.slice(0, -1)),
  "a flapping replica": ({ at, chance }) => {
    const [fresh, old] = [at(0), at(40)];
    return (request) => (chance() < 0.5 ? fresh : old)(request);
  },
  "a cache of 20 s": ({ at, clock }) => {
    const cached = new Map<string, { until_ms: number; answer: Promise<WireAnswer> }>();
    const fresh = at(0);
    return (request) => {
      const known = cached.get(request.body ?? "");
      if (known && known.until_ms > clock.now_ms()) return known.answer;
      const answer = fresh(request);
      cached.set(request.body ?? "", { until_ms: clock.now_ms() + 20_000, answer });
      return answer;
    };
  },
  "refuses 30 %": ({ at, chance }) => {
    const fresh = at(0);
    return (request) =>
      chance() < 0.3
        ? Promise.resolve({ status: 429, headers: [["content-type", "application/json"]], body: Buffer.from("{}") })
        : fresh(request);
  },
} satisfies { readonly [name: string]: Behaviour };

/** Two replicas, of which one is so many slots behind the other and answers with that chance. */
const twoReplicas =
  (slots: number, share: number): Behaviour =>
  ({ at, chance }) => {
    const [fresh, old] = [at(0), at(slots)];
    return (request) => (chance() < share ? old : fresh)(request);
  };
export const lagging = {
  "replicas 3 slots apart": twoReplicas(3, 0.5),
  "replicas 10 slots apart": twoReplicas(10, 0.2),
  "replicas 40 slots apart": twoReplicas(40, 0.3),
} satisfies { readonly [name: string]: Behaviour };

const behaviours: { readonly [name: string]: Behaviour } = { ...honest, ...planted, ...lagging };

/** How often answers went back, and by how much at most, by the slots of the copies that gave them, in order. */
function backIn(slots: readonly number[]) {
  const by = slots.map((slot, nth) => Math.max(0, ...slots.slice(0, nth)) - slot).filter((behind) => behind > 0);
  return { answers: slots.length - 1, back: by.length, most: Math.max(0, ...by) };
}

/** Accounts of the sample owners whose amounts change every few seconds, and others that never do. */
function changesFor(accounts: readonly TokenAccount[], seconds: number, seed: number): readonly Change[] {
  const changes: Change[] = [];
  let nth = 0;
  for (
    let slot = slotAt(epoch_ms);
    slot < slotAt(epoch_ms + seconds * 1_000);
    slot += 1 + Math.floor(chanceOf(seed, (nth += 1)) * 40)
  ) {
    const account = accounts[nth % accounts.length];
    if (account) changes.push({ slot, account: { ...account, amount: BigInt(nth + 1), slot } });
  }
  return changes;
}

interface Simulated {
  readonly seed: number;
  readonly rounds: number;
  /** By vendor, how much longer than the others its answers are on their way, in ms. */
  readonly farther_ms?: (vendor: number) => number;
  /** By vendor, credits for a list of accounts. */
  readonly price?: (vendor: number) => number;
}

/** @param vendors their behaviours, in order */
export async function simulatedPanel(
  vendors: readonly string[],
  wanted: Simulated,
): Promise<PollFinding & Pick<PanelReport, "prices"> & { readonly truths: readonly ReturnType<typeof backIn>[] }> {
  const { seed } = wanted;
  const clock = steppedClock(epoch_ms);
  const { world } = freshWorld("panel");
  const moving = world.chain
    .accounts(({ owner }) => owner === wellKnown.ownerWithEmptyAccounts)
    .filter(({ amount }) => amount > 0n);
  const changes = changesFor(moving.slice(0, 2), wanted.rounds * 6, seed);
  const answers: Answers = new Map();
  const served: readonly number[][] = vendors.map(() => []);
  let nth = 0;
  const members = vendors.map((name, vendor): PanelMember => {
    const chance = (): number => chanceOf(seed * 100 + vendor, (nth += 1));
    const { targetAt } = freshWorld("panel");
    const prices = { getTokenAccounts: wanted.price?.(vendor) ?? 10 };
    const target = { ...withoutControl(targetAt(base)), name, prices, perSecond: 20 };
    const at = (slots: number) => {
      const view = viewOf(clock, changes, keyIn(target), answers);
      // Nobody is exactly at the head.
      return (request: WireRequest): Promise<WireAnswer> => view.ask(request, slots * slot_ms + chance() * slot_ms);
    };
    const answer = behaviours[name]?.({ clock, chance, at });
    if (!answer) throw new Error(`no behaviour ${name}`);
    const wire: Wire = async (request, signal) => {
      await clock.sleep(10 + chance() * 40 + (wanted.farther_ms?.(vendor) ?? 0));
      const answered = await clock.during(() => answer(request, signal));
      served[vendor]?.push(...answered.headers.flatMap(([name, text]) => (name === truth ? Number(text) : [])));
      await clock.sleep(10 + chance() * 40);
      return answered;
    };
    const transport = transportTo(target, wire, clock);
    // By the clock of the simulation.
    const send: Transport["send"] = async (...given) => {
      const exchange = await transport.send(...given);
      return { ...exchange, latency_ms: clock.now_ms() - exchange.sentAt_ms };
    };
    return { target, transport: Object.assign(Object.create(transport) as Transport, { send }), connections: () => 0 };
  });
  const questions: readonly PolledQuestion[] = namedQuestions([
    { getTokenAccounts: { owner: wellKnown.ownerWithEmptyAccounts } },
    { getTokenAccounts: { owner: wellKnown.ownerWithEmptyAccounts, mint: moving[3]?.mint ?? "" } },
    { getTokenAccounts: { owner: wellKnown.owner } },
  ]);
  const findings = new PanelFindings(vendors.length, null, dataPlatform);
  for await (const asked of rounds(members, questions, { clock, seed, goesOn: (round) => round < wanted.rounds })) {
    findings.add(asked);
    await clock.sleep(500);
  }
  const prices = await pricesOf(members, ["getTokenAccounts"], null, true);
  return { ...findings.report((id) => id), prices, truths: served.map(backIn) };
}

/** A panel of one poll that didn't begin together. */
export function notTogether(): PollFinding {
  const findings = new PanelFindings(2, null, dataPlatform);
  for (const question of namedQuestions([{ getIndexerHealth: null }]))
    findings.add({ question, round: 0, replies: [], isTogether: false });
  return findings.report((id) => id);
}

/** Whether a panel tells that a vendor is behind. */
export const isBehind = ({ freshness }: PollFinding, vendor: number): boolean =>
  Object.values(freshness)
    .flat()
    .some((one) => one.vendor === vendor && lagIn(one).isStale);

/** What is told of votes without a majority. */
export const splitsOf = (found: PollFinding, names: readonly string[]): readonly string[] =>
  splitLines({ ...found, vendors: names.map((name) => ({ name })) } as unknown as Parameters<typeof splitLines>[0]);
