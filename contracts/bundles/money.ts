// Payment of bundles: who signs and pays, whom every bundle tips, and how much (§4.3).
import { CommandLineError } from "../../harness/core/commandLineError.ts";
import { Secret } from "../../harness/core/secret.ts";
import type { ExtrasSource } from "../../harness/target/form.ts";
import { bytesOf } from "../shared/base58.ts";
import { privateKeyOf } from "../shared/privateKey.ts";

export interface BundleMoney {
  /** Holds an ed25519 private key, see `privateKeyOf`; where nothing is checked, anybody can pay. */
  readonly payer?: Secret;
  /** A designated account, in base58. */
  readonly tipAccount: string;
  readonly tipLamports: number;
}

declare module "../../harness/target/target.ts" {
  interface TargetExtras {
    readonly bundles?: BundleMoney;
  }
}

/** The member `bundles` of a target file. */
interface WrittenMoney {
  readonly payer?: { readonly env: string };
  readonly tipAccount?: string;
  readonly tipLamports?: number;
}

/** The default tip in lamports: the least that other engines accept. */
const defaultTip = 1000;

/**
 * The payment that a target file describes; null where it has none.
 * @param publicTipAccount by the chain's profile, where the file names none
 * @throws CommandLineError where the account is none, or the payer's variable holds no private key
 */
export function bundleMoney(
  { file, document, allow, variable }: ExtrasSource,
  publicTipAccount: string | undefined,
): BundleMoney | null {
  const { bundles } = document;
  if (bundles === undefined && publicTipAccount === undefined) return null;
  // The schema of target files has been applied.
  const { payer, tipAccount = publicTipAccount, tipLamports = defaultTip } = (bundles ?? {}) as WrittenMoney;
  if (tipAccount === undefined)
    throw new CommandLineError(
      `${file}: bundles lacks the field "tipAccount". Add it, or name a chain whose tip accounts are public ` +
        "(chain: solana-mainnet).",
    );
  const tipKey = bytesOf(tipAccount);
  if (tipKey?.length !== 32)
    throw new CommandLineError(`${file}: bundles.tipAccount is no address: write its 32 bytes in base58.`);
  // A secret that isn't used needn't be there.
  if (!payer || !allow.includes("sendBundle")) return { tipAccount, tipLamports };
  const value = variable(payer.env);
  if (!value) {
    throw new CommandLineError(
      `${file}: bundles.payer takes its secret from the environment variable ${payer.env}, which is not set. ` +
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
      `The environment variable ${payer.env} (bundles.payer of ${file}) holds no private key: write 32 bytes in ` +
        "base58, or 64 with the public key behind, or the list of numbers of a keypair file. Set it again.",
    );
  }
  return { payer: new Secret("payer", value), tipAccount, tipLamports };
}
