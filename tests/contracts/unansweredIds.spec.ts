// A vendor that doesn't answer some kinds of ids: the ids aren't echoed, and no envelope is accused
import { expect, test } from "@playwright/test";
import { asVendor, type Between, offering, outcomeOf } from "../support/probeSpecs.ts";

const empty = { status: 200, headers: [["content-type", "application/json"]] as const, body: Buffer.from("") };

/** Calls of which some get an empty answer, by their id as it is written. */
const unanswered =
  (isLost: (id: string, body: string) => boolean): Between =>
  (wire) =>
  (request, signal) => {
    const body = String(request.body);
    const [, id = ""] = /"id":\s*("(?:[^"\\]|\\.)*"|[^,}]*)/.exec(body) ?? [];
    return isLost(id, body) ? Promise.resolve(empty) : wire(request, signal);
  };

/** What generated ids find, too. */
async function openOn(between: Between) {
  const { verdicts } = await outcomeOf({
    suite: "everything",
    only: ["RPC-ENV-01", "RPC-ENV-02", "RPC-ENV-03", "RPC-ENV-04", "GEN-JSON-01", "GEN-JSON-03"],
    observe: ["OBS-RPC-ID"],
    target: (given) => offering("compression", "tokenAccounts")(asVendor({ perSecond: 1_000 })(given)),
    between,
  });
  const open = verdicts.filter(({ verdict }) => verdict !== "holds");
  return Object.fromEntries(open.map(({ id, verdict, breaches }) => [id, [verdict, breaches[0]?.expected]]));
}

const isText = (id: string): boolean => id.startsWith('"');
const isUnsigned64 = (id: string): boolean => /^\d+$/.test(id) && BigInt(id) < 2n ** 64n;

test("where negative ids aren't answered, numbers aren't echoed, and no other requirement is broken", async () => {
  expect(await openOn(unanswered((id) => !isText(id) && !isUnsigned64(id)))).toEqual({
    "RPC-ENV-03": ["broken", "-1 in an envelope: a negative number is an id, too"],
  });
});

test("where empty texts aren't answered, texts aren't echoed, and no other requirement is broken", async () => {
  expect(await openOn(unanswered((id) => id === '""'))).toEqual({
    "RPC-ENV-02": ["broken", '"" in an envelope: an empty text is an id, too'],
  });
});

test("fractions and numbers beyond 2^53 needn't be answered", async () => {
  expect(await openOn(unanswered((id) => !isText(id) && !Number.isSafeInteger(Number(id))))).toEqual({});
});

test("where a method isn't answered whatever the id, its envelope is broken, and no id", async () => {
  expect(await openOn(unanswered((_, body) => body.includes('"getMultipleNewAddressProofs"')))).toMatchObject({
    "RPC-ENV-04": ["broken", "a JSON object"],
  });
});
