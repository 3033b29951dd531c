// Playwright reporter: breaches found in other tests' exchanges fail the run, where selected.
import type { FullConfig, FullResult, Reporter, Suite } from "@playwright/test/reporter";
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { readJournal } from "../../harness/record/journal.ts";
import { runOf } from "../../harness/record/run.ts";
import { isNothingJudged, strictFlawOf } from "../../reports/headline.ts";
import { brokenLines } from "../../reports/run/finding.ts";
import { replayLine } from "../replayLine.ts";

export default class RequirementReporter implements Reporter {
  #suite: Suite | undefined;

  onBegin(_config: FullConfig, suite: Suite): void {
    this.#suite = suite;
  }

  onEnd(): Promise<{ status?: FullResult["status"] }> {
    const folder = process.env["ASSAY_RUN_FOLDER"];
    const run = folder ? runOf(readJournal(folder), dataPlatform, replayLine) : null;
    if (!run) return Promise.resolve({});
    const tests = new Map(this.#suite?.allTests().map((test) => [test.tags[0]?.slice(1), test]));
    const broken = run.requirements.filter(({ verdict, enforced }) => verdict === "broken" && enforced === "fail");
    const elsewhere = broken.filter(({ id }) => tests.get(id)?.outcome() !== "unexpected");
    for (const requirement of elsewhere)
      console.log(
        [
          "",
          tests.has(requirement.id) ? "Found in another test's exchange:" : "For information, not selected:",
          ...brokenLines(run, requirement),
        ].join("\n"),
      );
    console.log(`\nreport ${folder}/index.html`);
    if (isNothingJudged(run)) console.log("Nothing was verified.");
    const isTooNarrow = strictFlawOf(run) !== null && run.requirements.some((one) => one.narrowed && tests.has(one.id));
    if (isTooNarrow) console.log("Some requirements are only verified in part, and the target is strict.");
    const isFailed = elsewhere.some(({ id }) => tests.has(id)) || isNothingJudged(run) || isTooNarrow;
    return Promise.resolve(isFailed ? { status: "failed" } : {});
  }

  printsToStdio(): boolean {
    return false;
  }
}
