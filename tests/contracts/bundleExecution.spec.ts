// A test that a bundle isn't said to have a status too early where its status was read late
import { expect, test } from "@playwright/test";
import { type Between, outcomeOf } from "../support/probeSpecs.ts";

/** Statuses are read so late, as on a slow network. */
const statusesAfter =
  (late_ms: number): Between =>
  (wire, clock) =>
  async (request, ...rest) => {
    if (request.body?.includes("getBundleStatuses")) await clock.sleep(late_ms);
    return wire(request, ...rest);
  };

for (const [late_ms, verdict] of [
  [100, "holds"],
  [1_000, "withheld"],
] as const)
  test(`a status that is read ${late_ms} ms after its bundle was sent: BST-NULL-02 ${verdict}`, async () => {
    const between = statusesAfter(late_ms);
    const { verdicts } = await outcomeOf({ only: ["BST-NULL-02"], observe: [], choice: {}, between });
    expect(verdicts).toMatchObject([{ id: "BST-NULL-02", verdict }]);
  });
