// Mutants of getTotalCompressedBalance (§4.3)
import { Chain } from "../platform/chain.ts";
import { type AlsoBroken, docWithout, envelope, having, mutantsOf, result, resultDoc } from "../platform/mutant.ts";
import type { Doc, RpcCall, Value } from "../platform/wire.ts";

const method = "getTotalCompressedBalance";
const chain = new Chain();

const doc = (change: (doc: Doc, call: RpcCall) => Doc) => resultDoc(method, change);
const addressesIn = ({ params }: RpcCall): readonly Value[] => (Array.isArray(params) ? params : []);
const balanceOf = (wanted: Value | undefined): bigint =>
  chain.compressed.find(({ address }) => address === wanted)?.lamports ?? 0n;
const everything = chain.compressed.reduce((total, { lamports }) => total + lamports, 0n);

export const mutants = mutantsOf({
  "TCB-SUM-01.first-only": doc((served, call) => having(served, "/value", () => balanceOf(addressesIn(call)[0]))),
  "TCB-SUM-01.halved": doc((served) => having(served, "/value", (total) => BigInt(String(total)) / 2n)),
  "TCB-NONE-01.refused": envelope(method, ({ result: _, ...body }, call) =>
    call.cause === null && addressesIn(call).length === 0
      ? { ...body, error: { code: -32602, message: "Invalid params" } }
      : undefined,
  ),
  "TCB-NONE-01.everything": doc((served, call) =>
    having(served, "/value", (total) => (addressesIn(call).length === 0 ? everything : total)),
  ),
  "TCB-RES-01.value-string": doc((served) => having(served, "/value", (total) => String(total))),
  "TCB-RES-01.context-missing": result(method, (served) => docWithout(served as Doc, "/context")["value"] ?? null),
  "TCB-BAD-01.skipped": envelope(method, ({ error: _, ...body }, { cause }) =>
    cause === "params" ? { ...body, result: { context: { slot: 351_000_000 }, value: 0 } } : undefined,
  ),
});

/** The total is compared with single balances. */
export const alsoBroken: readonly AlsoBroken[] = [
  ["CB-ADDR-01.address-ignored", "TCB-SUM-01"],
  ["CB-ADDR-01.zero", "TCB-SUM-01"],
];
