// Prices of made-up vendors in virtual time, and the text of a panel with prices.
import { type SteppedClock, steppedClock } from "../../harness/core/clock.ts";
import type { Target } from "../../harness/targets/target.ts";
import { transportTo } from "../../harness/transport/transport.ts";
import type { WireRequest } from "../../harness/transport/wire.ts";
import { WireFault } from "../../harness/transport/wireFault.ts";
import type { PanelReport, VendorPrice } from "../../panel/panelReport.ts";
import { type PanelMember, rounds } from "../../panel/polling.ts";
import { PanelCharges, pricesOf } from "../../panel/prices.ts";
import { namedQuestions } from "../../panel/questions.ts";
import { freshWorld } from "../../proof/inProcess.ts";
import { documentLines } from "../../reports/document/terminal.ts";
import { mixPriceOf } from "../../reports/panel/prices.ts";
import { panelDocument } from "../../reports/panel/view.ts";
import { madePanel } from "./made.ts";

export interface Meter {
  /** Credits of one call, as it is charged. */
  readonly charges?: number;
  /** When a charge shows. */
  readonly lag_ms?: number;
  /** What usage says, by the credits that show and how often it was read before. */
  readonly says?: (credits: number, reads: number) => string;
  readonly isRefused?: boolean;
  readonly served?: boolean;
  /** Calls after the first so many get no answer, though they are charged. */
  readonly answers?: number;
  readonly change?: Partial<Target>;
  /** Whether each read of usage ends in a defect of ours. */
  readonly isBroken?: boolean;
}

function memberOn(clock: SteppedClock, name: string, meter: Meter): PanelMember {
  const {
    charges = 10,
    lag_ms = 0,
    isRefused = false,
    isBroken = false,
    served = true,
    answers = 1_000,
    change,
  } = meter;
  const { says = (credits) => `{ "creditsUsed": 9007199254740993.${credits} }` } = meter;
  const sent_ms: number[] = [];
  let reads = 0;
  const { targetAt } = freshWorld("prices");
  const target = { ...targetAt(`http://${name}.example`), name, perSecond: 50, prices: { getIndexerHealth: 10 } };
  const answer = (request: WireRequest): readonly [status: number, text: string] => {
    if (request.method === "GET") {
      if (isBroken) throw new TypeError("made for this test");
      const credits = sent_ms.filter((at_ms) => at_ms + lag_ms <= clock.now_ms()).length * charges;
      return [isRefused ? 403 : 200, says(credits, (reads += 1))];
    }
    sent_ms.push(clock.now_ms());
    return served ? [200, `{ "jsonrpc": "2.0", "id": 1, "result": "ok" }`] : [429, "{}"];
  };
  const whole = { ...target, quiet: true, ...change };
  const wire = async (request: WireRequest) => {
    await clock.sleep(5);
    const [status, text] = answer(request);
    if (sent_ms.length > answers && request.method !== "GET") throw new WireFault("reset", "made for this test");
    return { status, headers: [["content-type", "application/json"]] as const, body: Buffer.from(text) };
  };
  return { target: whole, transport: transportTo(whole, wire, clock), connections: () => 0 };
}

/** The price of ten calls of health, and how long it took in all. */
export async function priceOfTen(
  meter: Meter,
  { complete = true, shares = {} }: { complete?: boolean; shares?: { readonly [operation: string]: number } } = {},
): Promise<VendorPrice & { readonly took_ms: number }> {
  const clock = steppedClock(0);
  const members = [memberOn(clock, "ada", meter), memberOn(clock, "bea", {})];
  const charges = await PanelCharges.begin(members, clock, shares);
  const questions = namedQuestions([{ getIndexerHealth: null }]);
  for await (const poll of rounds(members, questions, { clock, seed: 1, goesOn: (round) => round < 10 }))
    charges.add(poll);
  const [price] = await pricesOf(members, ["getIndexerHealth", "getTokenAccounts"], charges, complete);
  if (!price) throw new Error("no price");
  return { ...price, took_ms: clock.now_ms() };
}

export const madeWorkload = {
  name: "w",
  is: "mix",
  why: "x",
  shares: { getTokenAccounts: 0.75, getIndexerHealth: 0.25 },
  left: [],
  digest: "0",
} as const;
export const pricedPanel = (...prices: readonly Omit<VendorPrice, "vendor">[]): PanelReport =>
  madePanel({ workload: madeWorkload, prices: prices.map((price, vendor) => ({ ...price, vendor })) });
export const listedPrices = { getTokenAccounts: 10, getIndexerHealth: 1 };

/** In the terminal. */
export const textOfPanel = (panel: PanelReport): string => documentLines(panelDocument(panel)).join("\n");

/** Vendor by vendor. */
export const mixPricesOf = (panel: PanelReport) => panel.vendors.map((_, vendor) => mixPriceOf(panel, vendor));
