// Payment of bundles: who signs and pays, whom every bundle tips, and how much (§4.3).
import { CommandLineError } from "../../harness/core/commandLineError.ts";
import { Secret } from "../../harness/core/secret.ts";
import type { ExtrasSource } from "../../harness/targets/form.ts";
import { base58Bytes } from "../shared/base58.ts";
import { privateKeyOf } from "../shared/privateKey.ts";

export interface BundleMoney {
  /** Holds an ed25519 private key, see `privateKeyOf`; where nothing is checked, anybody can pay. */
  readonly payer?: Secret;
  /** A designated account, in base58. */
  readonly tipAccount: string;
  readonly tipLamports: number;
  /** The RPC address of their chain, secret where it may hold a key; by default the platform is asked. */
  readonly blockhashFrom?: string | Secret;
}

declare module "../../harness/targets/target.ts" {
  interface TargetExtras {
    readonly bundles?: BundleMoney;
  }
}

/** The member `bundles` of a target file. */
interface WrittenMoney {
  readonly payer?: { readonly env: string };
  readonly tipAccount?: string;
  readonly tipLamports?: number;
  readonly blockhashFrom?: string | { readonly env: string };
}

/** The default tip in lamports: the least that other engines accept. */
const defaultTip = 1000;

/**
 * The payment that a target file describes; null where it has none.
 * @param publicTipAccount by the chain's profile, where the file names none
 * @throws CommandLineError for an invalid account, or a payer's variable without a valid private key
 */
export function bundleMoney(
  { file, document, allow, variable }: ExtrasSource,
  publicTipAccount: string | undefined,
): BundleMoney | null {
  const { bundles } = document;
  if (bundles === undefined && publicTipAccount === undefined) return null;
  // The schema of target files has been applied.
  const written = (bundles ?? {}) as WrittenMoney;
  const { payer, tipAccount = publicTipAccount, tipLamports = defaultTip } = written;
  if (tipAccount === undefined)
    throw new CommandLineError(
      `${file}: bundles lacks the field "tipAccount". Add it, or name a chain whose tip accounts are public ` +
        "(chain: solana-mainnet).",
    );
  const tipKey = base58Bytes(tipAccount);
  if (tipKey?.length !== 32)
    throw new CommandLineError(`${file}: bundles.tipAccount isn't a valid address: write its 32 bytes in base58.`);
  // A secret that isn't used needn't be there.
  if (!allow.includes("sendBundle")) return { tipAccount, tipLamports };
  const from = chainAddress(written, file, variable);
  const money = { tipAccount, tipLamports, ...(from && { blockhashFrom: from }) };
  if (!payer) return money;
  const value = variable(payer.env);
  if (!value) {
    throw new CommandLineError(
      `${file}: bundles.payer takes its secret from the environment variable ${payer.env}, which isn't set. ` +
        `Set it (export ${payer.env}=…), or take bundles.payer out of the file.`,
    );
  }
  const seed = privateKeyOf(value);
  if (seed && Buffer.compare(seed, tipKey) === 0) {
    throw new CommandLineError(
      `${file}: bundles.tipAccount is the secret of the payer, which every bundle would publish. ` +
        "Name a designated account.",
    );
  }
  if (!seed) {
    throw new CommandLineError(
      `The environment variable ${payer.env} (bundles.payer of ${file}) isn't a valid private key: write 32 bytes in ` +
        "base58, or 64 with the public key appended, or the list of numbers of a keypair file. Set it again.",
    );
  }
  return { payer: new Secret("payer", value), ...money };
}

/** @throws CommandLineError for an address to which nothing can be sent */
function chainAddress(
  { blockhashFrom: from }: WrittenMoney,
  file: string,
  variable: ExtrasSource["variable"],
): BundleMoney["blockhashFrom"] {
  if (from === undefined) return undefined;
  const field = "bundles.blockhashFrom";
  const value = typeof from === "string" ? from : variable(from.env);
  if (!value)
    throw new CommandLineError(
      `${file}: ${field} takes an address from the environment variable ${(from as { readonly env: string }).env}, ` +
        "which isn't set. Set it, or take it out of the file: the platform is asked for blockhashes then.",
    );
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol))
    return typeof from === "string" ? value : new Secret("chain", value);
  throw new CommandLineError(
    `${file}: ${field} isn't a valid URL. Write https://host/path; where it holds a key, name an ` +
      "environment variable: blockhashFrom: { env: CHAIN_RPC }.",
  );
}
