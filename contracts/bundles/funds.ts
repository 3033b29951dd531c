// What bundles cost: checked before the first is sent, and reported once the run is over
import { Withheld } from "../../harness/core/outcomes.ts";
import { otherNeed } from "../../harness/core/reason.ts";
import type { Target } from "../../harness/targets/target.ts";
import { type BundleContext, balanceOf } from "./chainRpc.ts";
import { payerFor } from "./payer.ts";

/** Lamports for each signature. */
const feeOfSignature = 5_000;
/** What an account without data must hold, in lamports: rent for two years. */
const leastBalance = 890_880;

/** E.g. `1,435,000 lamports`. */
export const lamportsText = (lamports: number): string => `${lamports.toLocaleString("en-US")} lamports`;

/** The most that the plan's bundles take from the payer, in lamports: tips, fees, and what comes back later. */
export const mostLamports = (
  { bundles }: Target,
  { payments, signatures, deposits }: BundleContext["mostSends"],
): number => payments * (bundles?.tipLamports ?? 0) + signatures * feeOfSignature + deposits;

/**
 * The lamports that the payer holds before the first bundle; null where the chain doesn't say.
 * @throws Withheld where the payer can't pay for the plan, or the tip account doesn't live and no tip begins it
 */
export const fundsFor = (context: BundleContext): Promise<number | null> =>
  context.once("funds for bundles", async () => {
    const { target, mostSends } = context;
    const { tipAccount = "", tipLamports = 0 } = target.bundles ?? {};
    const payer = payerFor(target).address;
    const most = mostLamports(target, mostSends) + leastBalance;
    const held = await balanceOf(context, payer);
    if (held !== null && held < most)
      throw new Withheld(
        otherNeed(
          `the payer ${payer} holds ${lamportsText(held)}, and the plan may need ${lamportsText(most)} (tips, fees, ` +
            `and what an account must keep): fund it with ${lamportsText(most - held)} more, or select less with ` +
            "--only",
        ),
      );
    const tipped = held === null ? null : await balanceOf(context, tipAccount);
    if (tipped !== null && tipped + tipLamports < leastBalance)
      throw new Withheld(
        otherNeed(
          `the tip account ${tipAccount} holds ${lamportsText(tipped)}, and no transfer may leave it less than ` +
            `${lamportsText(leastBalance)}: name an account that the platform designates in bundles.tipAccount`,
        ),
      );
    return held;
  });

/** Lamports that the payer has spent since then; null where the chain doesn't say. */
export async function spentLamports(context: BundleContext): Promise<number | null> {
  const before = await fundsFor(context);
  const now = before === null ? null : await balanceOf(context, payerFor(context.target).address);
  return before === null || now === null ? null : before - now;
}
