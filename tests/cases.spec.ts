// What commands say, leave and end with: each case is a file in cases/. ASSAY_UPDATE=1 writes what comes into it.
import { expect, test } from "@playwright/test";
import { caseFiles, performed, updated } from "./support/cases.ts";

for (const file of caseFiles())
  test(file.case.title, async () => {
    const came = await performed(file.case);
    if (process.env["ASSAY_UPDATE"]) updated(file, came);
    else expect(came).toEqual(file.case);
  });

test("what is typed, or comes, otherwise than a case says fails it", async () => {
  const [first] = caseFiles();
  if (!first) throw new Error("there is no case");
  const { steps } = await performed({ ...first.case, steps: [{ run: "assay --version", code: 0 }] });
  expect(steps).toEqual([{ run: "assay --version", code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) }]);
  expect(steps).not.toEqual(first.case.steps);
});
