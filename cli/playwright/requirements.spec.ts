// The Playwright tests: one per requirement, with its sentence as title and its id as tag.
import { expect, test } from "@playwright/test";
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { describeGot } from "../../harness/core/finding.ts";
import { type RequirementId, requirementOf } from "../../harness/core/interface.ts";
import { type ShownVerdict, shownVerdict } from "../../harness/model/shown.ts";
import type { Verdict } from "../../harness/model/verdict.ts";
import { isRenamed } from "../../harness/record/run.ts";
import { areaName, areaOf } from "../../reports/described.ts";
import { described, ownProject } from "../project.ts";
import { judgesOf } from "../suite.ts";

const ids = [...judgesOf(ownProject).checkedIds];
const areas = [...new Set(ids.map(areaOf))];

for (const area of areas) {
  test.describe(areaName(described, area), () => {
    for (const id of ids.filter((one) => one.startsWith(`${area}-`))) {
      const { sentence, clause } = requirementOf(dataPlatform, id);
      test(`${sentence} (${clause})`, { tag: `@${id}` }, async ({}, info) => {
        const verdict = await verdictOf(id);
        test.skip(verdict.verdict === "withheld", `not tested: ${verdict.reason}`);
        if (verdict.verdict === "inconclusive") throw new Error(`could not be judged: ${verdict.reason}`);
        if (verdict.narrowed) info.annotations.push({ type: "verified in part", description: verdict.reason ?? "" });
        if (isRenamed(verdict))
          return void info.annotations.push({ type: "renamed", description: verdict.reason ?? "" });
        if (verdict.verdict === "deviates") {
          info.annotations.push({ type: "known issue", description: verdict.reason ?? "" });
          test.fail();
        }
        if (verdict.verdict === "broken" && verdict.enforced !== "fail")
          info.annotations.push({ type: verdict.enforced, description: breachesOf(verdict) });
        else expect(breachesOf(verdict), sentence).toBe("");
      });
    }
  });
}

async function verdictOf(id: RequirementId): Promise<ShownVerdict> {
  const response = await fetch(`${process.env["ASSAY_VERDICTS"]}/${id}`);
  if (!response.ok) throw new Error(`the engine failed: ${await response.text()}`);
  return shownVerdict((await response.json()) as Verdict);
}

const breachesOf = ({ verdict, reason, breaches }: ShownVerdict): string =>
  verdict === "broken" || verdict === "deviates"
    ? [
        reason,
        ...breaches.map(
          ({ at, expected, got }) =>
            `${at || "the answer"}: ` +
            ("is" in got ? `missing, expected ${expected}` : `expected ${expected}, got ${describeGot(got)}`),
        ),
      ]
        .filter((line) => line !== null)
        .join("\n")
    : "";
