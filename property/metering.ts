// Charges add up whatever the order of calls (§1.5, §4.2)
import fc from "fast-check";
import { tabledRequests } from "../contracts/jsonrpc/baselineRequests.ts";
import { notQuiet } from "../contracts/metering/chargePace.ts";
import { growthBy } from "../contracts/metering/growth.ts";
import { grewBy } from "../contracts/metering/meterRounds.ts";
import { controlOf } from "../contracts/shared/control.ts";
import { walletPrice } from "../contracts/shared/figures.ts";
import { onlyServed } from "../contracts/shared/masked.ts";
import { walletBaseline } from "../contracts/wallet/requests.ts";
import { held, worstOf } from "../harness/core/finding.ts";
import type { Asker, RequestSpec } from "../harness/core/requestSpec.ts";
import { unmetNeedOf } from "../harness/engine/unmetNeeds.ts";
import type { Check, CheckContext, Shown } from "../harness/model/check.ts";
import { listArbitrary, recordArbitrary } from "./arbitraries/lists.ts";
import { propertyFrom } from "./property.ts";

/** Wallet endpoints of every plan, and methods of the compression product (§2.1, §4.2). */
type Call = (options: { readonly as: Asker; readonly id: number }) => RequestSpec;
const walletCalls: { readonly [name: string]: Call } = {
  balances: walletBaseline("getWalletBalances").ask,
  history: walletBaseline("getWalletHistory").ask,
  identity: walletBaseline("getWalletIdentity").ask,
};
const compression = tabledRequests.filter(({ errorTable }) => errorTable === "compression");
const calls: { readonly [name: string]: Call } = {
  ...walletCalls,
  ...Object.fromEntries(compression.map(({ method, ask }) => [method, ask])),
};

async function charged(sequence: readonly string[], context: CheckContext): Promise<Shown> {
  const { asker } = await context.project();
  const growth = await growthBy(context, asker, async () => {
    for (const [nth, name] of sequence.entries()) {
      const requestSpec = calls[name]?.({ as: asker, id: nth + 1 });
      if (!requestSpec) throw new Error(`no call ${name}`);
      onlyServed(await context.ask(context.fresh(requestSpec)));
    }
  });
  const wallet = sequence.filter((name) => name in walletCalls).length;
  const shown = [
    grewBy(growth, "/requests/walletApi", wallet),
    grewBy(growth, "/credits/walletApi", wallet * walletPrice),
    grewBy(growth, "/requests/compression", sequence.length - wallet),
  ];
  return { exchange: growth.exchange, finding: worstOf(shown.map(({ finding }) => finding)) ?? held };
}

export const properties: readonly Check[] = [
  propertyFrom(
    "MET-REQ-01",
    (target) => {
      const names = Object.entries(calls).filter(
        ([, ask]) => unmetNeedOf(ask({ as: "owner", id: 1 }), target) === null,
      );
      return recordArbitrary({ sequence: listArbitrary(fc.constantFrom(...names.map(([name]) => name)), 1, 12) });
    },
    ({ sequence }, context) => charged(sequence, context),
    {
      name: "chargesAddUp",
      feature: "usage",
      control: { reads: 8, of: controlOf.billing },
      unless: notQuiet,
      cases: { many: 60, some: 1, few: 0 },
    },
  ),
];
