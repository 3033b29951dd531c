// Tests of bundle ids in the forms that vendors write them in
import { createHash } from "node:crypto";
import { expect, test } from "@playwright/test";
import { idsLike } from "../../contracts/bundles/bundleIds.ts";
import { base58Bytes, base58Text } from "../../contracts/shared/base58.ts";

const digests = Array.from({ length: 2_000 }, (_, nth) => createHash("sha256").update(`bundle ${nth}`).digest());
const isAlsoBase58 = (text: string): boolean => base58Bytes(text)?.length === 32;

test("unknown ids have the form of the known one", () => {
  const [digest = Buffer.alloc(32)] = digests;
  for (const [id, form] of [
    [digest.toString("hex"), /^[\da-f]{64}$/],
    [digest.toString("hex").toUpperCase(), /^[\dA-F]{64}$/],
    [`0x${digest.toString("hex")}`, /^0x[\da-f]{64}$/],
    [base58Text(digest), /^[1-9A-HJ-NP-Za-km-z]{43,44}$/],
    [digest.toString("base64"), /^[\w+/]{43}=$/],
    [digest.toString("base64url"), /^[\w-]{43}$/],
  ] as const) {
    const ids = idsLike(id, 3) ?? [];
    expect(new Set([id, ...ids]).size).toBe(4);
    for (const one of ids) expect(one).toMatch(form);
  }
});

test("an id that may be base58 and base64url tells no form, as a vendor may refuse the other", () => {
  const ambiguous = digests.map((digest) => digest.toString("base64url")).filter(isAlsoBase58);
  expect(ambiguous.length).toBeGreaterThan(3);
  for (const id of ambiguous) expect(idsLike(id, 1)).toBeNull();
});
