// Mutants of getMultipleNewAddressProofs (§2.4, §4.3)
import { base58, decodeBase58 } from "../platform/base58.ts";
import { calling, docWithout, having, mutantsOf, resultDoc, rpcError } from "../platform/mutant.ts";
import type { Doc, ResponseMutation, Value } from "../platform/wire.ts";

const doc = (change: (doc: Doc) => Value): ResponseMutation => resultDoc("getMultipleNewAddressProofs", change);
const proofsOf = (served: Doc): readonly Doc[] => served["value"] as Doc[];
const list = (change: (proofs: readonly Doc[]) => readonly Doc[]) =>
  doc((served) => ({ ...served, value: [...change(proofsOf(served))] }));
const each = (change: (proof: Doc) => Doc) => list((proofs) => proofs.map(change));

const bytes = (text: Value): Uint8Array => decodeBase58(String(text)) ?? new Uint8Array();
const hex = (text: Value): Value => Buffer.from(bytes(text)).toString("hex");
const path = (change: (element: Value) => Value) =>
  each((proof) => having(proof, "/proof", (elements) => (elements as Value[]).map(change)));
/** The neighbour of a value: one more than it. */
const oneMore = (text: Value): Value =>
  base58(bytes(text).map((byte, index, all) => (index === all.length - 1 ? byte ^ 1 : byte)));

export const mutants = mutantsOf({
  "NAP-PAR-01.nested-only": { rules: { rpc: { proofs: { params: "nested" } } } },
  "NAP-PAR-01.first-only": [{ rules: { rpc: { proofs: { reads: "the first" } } } }, "NAP-MAP-01", "NAP-BAD-01"],
  "NAP-RES-01.context-missing": doc((served) => docWithout(served, "/context")),
  "NAP-RES-01.slot-string": doc((served) => having(served, "/context/slot", String)),
  "NAP-RES-01.value-single": doc((served) =>
    proofsOf(served).length === 1 ? { ...served, value: proofsOf(served)[0] ?? null } : served,
  ),
  "NAP-ELT-01.hex": [each((proof) => having(proof, "/address", hex)), "NAP-MAP-01"],
  "NAP-ELT-01.absent": each((proof) => docWithout(proof, "/address")),
  "NAP-ELT-02.snake": each((proof) => calling(proof, "/higherRangeAddress", "higher_range_address")),
  "NAP-ELT-02.null": each((proof) => ({ ...proof, higherRangeAddress: null })),
  "NAP-ELT-03.bytes": each((proof) => having(proof, "/lowerRangeAddress", (text) => [...bytes(text)])),
  "NAP-ELT-03.empty": each((proof) => ({ ...proof, lowerRangeAddress: "" })),
  "NAP-ELT-04.string": each((proof) => having(proof, "/lowElementLeafIndex", String)),
  "NAP-ELT-05.object": each((proof) => having(proof, "/merkleTree", (tree) => ({ tree, queue: tree }))),
  "NAP-ELT-05.absent": each((proof) => docWithout(proof, "/merkleTree")),
  "NAP-ELT-06.string": each((proof) => having(proof, "/nextIndex", String)),
  "NAP-ELT-06.absent": each((proof) => docWithout(proof, "/nextIndex")),
  "NAP-ELT-07.joined": each((proof) => having(proof, "/proof", (elements) => (elements as Value[]).join(","))),
  "NAP-ELT-07.base64": path((element) => Buffer.from(bytes(element)).toString("base64")),
  "NAP-ELT-07.hex": path((element) => `0x${String(hex(element))}`),
  "NAP-ELT-08.hex": each((proof) => having(proof, "/root", hex)),
  "NAP-ELT-08.absent": each((proof) => docWithout(proof, "/root")),
  "NAP-ELT-09.string": each((proof) => having(proof, "/rootSeq", String)),
  "NAP-ELT-09.camel-typo": each((proof) => calling(proof, "/rootSeq", "root_seq")),
  "NAP-MAP-01.drops-last": list((proofs) => (proofs.length > 1 ? proofs.slice(0, -1) : proofs)),
  "NAP-MAP-01.foreign": list((proofs) =>
    proofs.map((proof, index) => (index === proofs.length - 1 ? having(proof, "/address", oneMore) : proof)),
  ),
  "NAP-MAP-01.repeats-swallow": list((proofs) =>
    proofs.map(
      (proof, nth) =>
        (nth > 1 && proofs[nth - 1]?.["address"] === proofs[nth - 2]?.["address"] ? proofs[nth - 1] : proof) ?? proof,
    ),
  ),
  "NAP-MAP-01.duplicates-first": list((proofs) => proofs.map(() => proofs[0] ?? {})),
  "NAP-BAD-01.internal": [
    rpcError("getMultipleNewAddressProofs", "params", { code: -32603, message: "Internal error" }),
    "ERR-CMP-32602",
  ],
  "NAP-BAD-01.empty-ok": [{ rules: { rpc: { proofs: { invalid: "left out" } } } }, "NAP-MAP-01", "ERR-CMP-32602"],
  "NAP-BAD-01.ta-text": [
    rpcError("getMultipleNewAddressProofs", "params", { message: "Invalid request parameters." }),
    "ERR-CMP-SET-01",
    "ERR-CMP-32602",
  ],
  "GEN-NNEG-01.unknown-index": each((proof) => having(proof, "/rootSeq", () => -1)),
  "GEN-INT-01.index-of-pairs": each((proof) => having(proof, "/nextIndex", (index) => Number(index) + 0.5)),
  "EXT-SOL-01.len-31": each((proof) => having(proof, "/merkleTree", (text) => base58(bytes(text).slice(1)))),
  "EXT-SOL-03.outside-range": each((proof) => ({
    ...proof,
    higherRangeAddress: proof["lowerRangeAddress"] ?? null,
    lowerRangeAddress: proof["higherRangeAddress"] ?? null,
  })),
});
