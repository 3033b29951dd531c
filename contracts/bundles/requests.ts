// How is a bundle put together and sent? Real transactions, signed by the target's payer, or by one of nobody's where nothing is checked.
import { createHash, randomBytes } from "node:crypto";
import { Withheld } from "../../harness/core/outcomes.ts";
import type { Secret } from "../../harness/core/secret.ts";
import type { Asker, Stimulus } from "../../harness/core/stimulus.ts";
import { given, type Template } from "../../harness/core/template.ts";
import type { CheckContext, Needs, Sends } from "../../harness/model/check.ts";
import type { Target } from "../../harness/target/target.ts";
import { isServed, outcomeOf } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { bytesOf, textOf } from "../shared/base58.ts";
import { resultOf } from "../shared/jsonRpcOracles.ts";
import { rpc } from "../shared/stimuli.ts";
import { privateKeyOf } from "./privateKey.ts";
import { type Payer, payerNamed, payerOf, type Signed, type Transfer, transaction } from "./transactions.ts";

export const feature = "bundles";
export const send = rpc("sendBundle");
export const statuses = rpc("getBundleStatuses");
export const simulate = rpc("simulateBundle");

export const landedId = (nth: number) => given(`/samples/landedBundles/${nth}`);

const nobodys = createHash("sha256").update("a bundle that nobody sent").digest();

/** Of no bundle, in the forms that most platforms use. */
export const unknownBundleIds: readonly string[] = [nobodys.toString("hex"), textOf(nobodys)];

/** A look at one bundle that is served: the target's sample, else one that nobody knows. @throws Withheld where none is */
export async function servedLook({ ask, target }: CheckContext): Promise<Exchange> {
  const known = target.samples["landedBundles"] === undefined ? [] : [landedId(0)];
  const generated: string[] = [];
  for (const id of [...known, ...unknownBundleIds]) {
    const exchange = await ask(statuses([[id]]));
    if (isServed(exchange)) return exchange;
    generated.push(outcomeOf(exchange));
  }
  throw new Withheld(`hidden: the status of a bundle drew ${generated.join(", ")}`);
}

export type Shared = NonNullable<Sends["shared"]>[number];

/** Whether bundles may be sent, and with what; gives the reason where they may not. */
export const mayNotSend = ({ allow, isReference, bundles }: Target): string | null => {
  if (!allow.includes("sendBundle")) return "the target doesn't allow `sendBundle`";
  if (!bundles) return "the target names no `bundles.tipAccount`";
  return bundles.payer || isReference ? null : "the target names no `bundles.payer`";
};

/** A plain bundle, as the plan counts it. */
export const plainly = (count = 1, encoding: Encoding = "base58"): Shared => ({
  name: `plain ${encoding} ${count}`,
  calls: 1,
  payments: count,
});

/** What a check needs that sends bundles of its own, besides what it shares with others. */
export const sending = (
  all: readonly Wanted[],
  shared: readonly Shared[] = [plainly()],
  more: Partial<Needs> = {},
): Needs & { readonly feature: typeof feature } => ({
  feature,
  requests: [],
  unless: mayNotSend,
  sends: { calls: all.length, payments: all.reduce((total, wanted) => total + tipsOf(wanted), 0), shared },
  ...more,
});

/** How many times the target's tip a bundle pays. */
const tipsOf = ({ count = 1, tip = count - 1, generosity = 1 }: Wanted): number =>
  tip === "none" ? 0 : count * generosity;

/** On a platform where nothing is checked, anybody pays. */
const anybody = payerNamed("anybody");
const stranger = payerNamed("who doesn't sign");

/** Making a key takes longer than signing with it. */
const known = new WeakMap<Secret, Payer>();

function payerFor({ bundles }: Target): Payer {
  if (!bundles?.payer) return anybody;
  const payer = known.get(bundles.payer) ?? payerOf(privateKeyOf(bundles.payer.open()) ?? new Uint8Array(32));
  known.set(bundles.payer, payer);
  return payer;
}

/** Which transactions tip, all with the target's tip, or one with as much as all would; `to nobody`: a transfer to an account that isn't designated. */
type Tip = "all" | "none" | "to nobody" | number;

/** What isn't signed: the first transaction or the last, the first by one of two, or the first by what signs something else. */
type Unsigned = "first" | "last" | "one of two" | "forged";

export interface Wanted {
  readonly count?: number;
  readonly tip?: Tip;
  readonly version?: "legacy" | 0;
  readonly unsigned?: Unsigned;
  /** So many times the usual tip. */
  readonly generosity?: number;
  /** Tells bundles apart whose content is alike. */
  readonly nonce?: number;
  readonly transfers?: readonly (readonly Transfer[])[];
}

/** Transactions per bundle (§8). */
const most = 5;
/** Numbers that one bundle takes for its transactions. */
const numbersApart = 16;
/** Drawn once a process, so that no two runs send the same transaction. */
const first = randomBytes(4).readUInt32BE(0) * 65_536;
/** The lowest are those of the plain bundles. */
let made = numbersApart;

const unknownAddress = new Uint8Array(createHash("sha256").update("an account that nobody tips").digest());

/** Its first signature has one bit that isn't its own. */
function forged(signed: Signed): Signed {
  const bytes = Uint8Array.from(signed.bytes);
  bytes[20] = (bytes[20] ?? 0) ^ 1;
  return { ...signed, bytes };
}

/** Signed transactions; the last tips unless something else is said. */
export function transactions(
  target: Target,
  { count = 1, tip = count - 1, version = "legacy", unsigned, generosity = 1, nonce, transfers = [] }: Wanted,
): readonly Signed[] {
  const payer = payerFor(target);
  const tipAccount = bytesOf(target.bundles?.tipAccount ?? "") ?? unknownAddress;
  const lamports = BigInt((target.bundles?.tipLamports ?? 0) * generosity * (typeof tip === "number" ? count : 1));
  made += 1;
  const start = first + (nonce ?? made) * numbersApart;
  return Array.from({ length: count }, (_, nth) => {
    const to = tip === "to nobody" ? unknownAddress : tip === "all" || tip === nth ? tipAccount : null;
    const own = transfers[nth] ?? [{ from: payer, to: payer.publicKey, lamports: 1n }];
    const missing =
      unsigned === "first" && nth === 0
        ? [payer]
        : unsigned === "last" && nth === count - 1
          ? [payer]
          : unsigned === "one of two" && nth === 0
            ? [stranger]
            : [];
    const signed = transaction({
      payer,
      transfers: [...own, ...(to ? [{ from: payer, to, lamports }] : [])],
      nonce: start + nth,
      version,
      unsigned: missing,
    });
    return unsigned === "forged" && nth === 0 ? forged(signed) : signed;
  });
}

export type Encoding = "base58" | "base64";

export const written = ({ bytes }: Signed, encoding: Encoding): string =>
  encoding === "base64" ? Buffer.from(bytes).toString("base64") : textOf(bytes);

export interface Sending {
  readonly as?: Asker | "anonymous" | "unknownKey";
  readonly id?: number;
  readonly encoding?: Encoding;
  /** What params[1] says; the encoding that is used, unless it says otherwise. */
  readonly options?: Template;
  /** Nothing but the transactions. */
  readonly isBare?: true;
  readonly query?: Stimulus["query"];
  readonly headers?: Stimulus["headers"];
}

/** The stimulus that sends them. */
export function bundle(
  signed: readonly Signed[],
  { as = "owner", id = 1, encoding = "base58", options = { encoding }, isBare, query, headers = [] }: Sending = {},
): Stimulus {
  const params: Template = [signed.map((one) => written(one, encoding)), ...(isBare ? [] : [options])];
  const stimulus = send(params, { as, id });
  return { ...stimulus, ...(query ? { query } : {}), headers: [...(stimulus.headers ?? []), ...headers] };
}

/** Sends a bundle of its own. */
export const sent = (context: CheckContext, wanted: Wanted, how: Sending = {}): Promise<Exchange> =>
  context.ask(bundle(transactions(context.target, wanted), how));

/**
 * One bundle of that size with nothing special about it, each of whose transactions tips: sent once a run, whoever asks,
 * it is the accepted twin of what is refused, and what else is taken.
 */
export const plain = (context: CheckContext, count = 1, encoding: Encoding = "base58"): Promise<Exchange> =>
  sent(context, { count, tip: "all", nonce: encoding === "base58" ? count : most + count }, { encoding });

/** Its id. @throws Withheld where a bundle that should be taken isn't: what is proved beside it can't be */
export function accepted(exchange: Exchange): string {
  const id = resultOf(exchange);
  if (!isServed(exchange) || typeof id !== "string")
    throw new Withheld(`hidden: a plain bundle drew ${outcomeOf(exchange)}`);
  return id;
}
