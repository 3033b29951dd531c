// What a run tells of its bundles: how many were sent and landed, what they cost, and where blockhashes came from
import type { CheckContext } from "../../harness/model/check.ts";
import { isServed } from "../../harness/transport/answers.ts";
import { reasonOf } from "../shared/reasonOf.ts";
import { blockhashesText, recentBlockhash } from "./blockhashes.ts";
import { type BundleContext, needsChain } from "./chainRpc.ts";
import { fundsFor, lamportsText, mostLamports, spentLamports } from "./funds.ts";
import { tallyOf } from "./landed.ts";
import { mayNotSend } from "./requests.ts";

/** One sentence without a full stop; null where no bundle was sent, or only to the reference. */
export async function remarkOnBundles(context: CheckContext): Promise<string | null> {
  const { target, mostSends } = context;
  const sent = context.exchanges().filter(({ requestSpec }) => requestSpec.operation === "sendBundle");
  const accepted = sent.filter(isServed).length;
  if (accepted === 0 || !needsChain(target)) return null;
  const awaited = tallyOf(context);
  const spent = await spentLamports(context).catch(reasonOf);
  return [
    `Bundles: ${sent.length} sent of at most ${mostSends.calls}, ${accepted} accepted`,
    ...(awaited.sent > 0 ? [`${awaited.landed} of the ${awaited.sent} that were waited for landed`] : []),
    ...(typeof spent === "number"
      ? [`${lamportsText(spent)} spent, of ${lamportsText(mostLamports(target, mostSends))} at most`]
      : []),
    ...(typeof spent === "string" ? [`what they cost isn't known: ${spent}`] : []),
    blockhashesText(context),
  ].join("; ");
}

/** What bundles lack before any is sent, or that nothing lacks; null where none may be sent. */
export async function readinessForBundles(context: BundleContext): Promise<string | null> {
  const { target, mostSends } = context;
  if (mayNotSend(target) !== null || !needsChain(target)) return null;
  try {
    await recentBlockhash(context);
    const held = await fundsFor(context);
    const most = lamportsText(mostLamports(target, mostSends));
    const funds = held === null ? [] : [`the payer holds ${lamportsText(held)}, of which a run takes ${most} at most`];
    return [...funds, blockhashesText(context)].join("; ");
  } catch (error) {
    return reasonOf(error);
  }
}
