// What probes see is judged by laws as a recording of it is, and what can't be judged is counted.
import { expect, test } from "@playwright/test";
import { answers } from "../support/choices.ts";
import { asVendor, type Choice, outcomeOf } from "../support/probeSpecs.ts";

type Answer = ReturnType<NonNullable<Choice["answer"]>>;

/** Errors of one method, by how often it was called so. */
const failing = (method: string, error: (nth: number) => typeof ofOthers | null): Choice => {
  let nth = 0;
  return answers((answer, { rpc }) => {
    if (rpc?.method !== method || rpc.cause !== "params") return answer;
    const changed = error(nth);
    nth += 1;
    return changed ? withMember(answer, { error: changed }) : answer;
  });
};
/** Where there is no body that has members, it stays. */
const withMember: (answer: Answer, member: object) => Answer = (answer, member) => ({
  ...answer,
  body: { ...(answer.body as object), ...member },
});
const ofOthers = { code: -32000, message: "An unexpected error occurred on the server." };

/** With one probe and a check that finds nothing. */
const seenBy = (observe: "OBS-CB-NEITHER" | "OBS-HTTP-QUERY", choice: Choice) =>
  outcomeOf({
    ...{ choice, observe: [observe], isAudited: false, target: asVendor() },
    checks: ({ ids }) => ids.includes("IH-OK-01"),
  });

test("an error of another table is a breach where only a probe draws it, again and again", async () => {
  const { broken, unjudged, verdicts } = await seenBy(
    "OBS-CB-NEITHER",
    failing("getCompressedBalance", () => ofOthers),
  );
  expect(broken).toEqual(["ERR-CMP-SET-01"]);
  expect(verdicts.find(({ id }) => id === "ERR-CMP-SET-01")?.breaches[0]?.at).toBe("/error/code");
  expect(unjudged).toEqual([]);
});

test("a server error that comes once breaks nothing", async () => {
  const once = failing("getCompressedBalance", (nth) => (nth === 0 ? ofOthers : null));
  expect((await seenBy("OBS-CB-NEITHER", once)).broken).toEqual([]);
});

test("an error without the id of its request is a breach at once", async () => {
  const nameless = answers((answer, { rpc }) => (rpc?.cause === "params" ? withMember(answer, { id: null }) : answer));
  expect((await seenBy("OBS-CB-NEITHER", nameless)).broken).toEqual(["RPC-ENV-07"]);
});

test("what is in no form of the interface is counted", async () => {
  const { broken, unjudged } = await seenBy("OBS-HTTP-QUERY", {});
  expect({ broken, unjudged }).toEqual({
    broken: [],
    unjudged: [expect.stringMatching(/^\d+ a request with query parameters that the interface doesn't describe$/)],
  });
});
