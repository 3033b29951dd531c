// Reasons that quote a platform: one group for what differs in figures only, and harmless in every view.
import { expect, test } from "@playwright/test";
import { runOf } from "../support/formats.ts";
import { judged, made } from "../support/madeRuns.ts";
import { reported } from "../support/reports.ts";

const refused = (words: string): string => `a plain bundle was refused: -32602 ${JSON.stringify(words)}`;
const because = (id: string, verdict: "withheld" | "inconclusive", reason: string) => ({
  ...judged(id, verdict),
  reason,
});

for (const verdict of ["withheld", "inconclusive"] as const)
  test(`what is ${verdict} for the same words stands together, whatever figures are in them`, async () => {
    const requirements = [
      because("USG-HTTP-01", verdict, refused("Blockhash not found at slot 4711")),
      because("USG-FLD-01", verdict, refused("Blockhash not found at slot 4712, as b7f1c2")),
      because("USG-INT-01", verdict, refused("Blockhash not found at slot 4713")),
      because("USG-INT-02", verdict, "the balance at 2 of 3 moves"),
      because("USG-INT-03", verdict, "the balance at 3 of 3 moves"),
    ];
    const report = await reported(made(0, { requirements, exitCode: 3 }));
    const summary = report.text("summary.md");
    const groups = [...summary.matchAll(/^- (\d+) /gm)].map(([, count]) => Number(count));
    expect(groups).toEqual([2, 1, 1, 1]);
    expect(summary).toContain("Blockhash not found at slot 4711");
  });

test("a platform's words can do no harm in a summary or on a page", async () => {
  const words = "<img src=x onerror=alert(1)> @team [x](https://evil.example)\u001b[2J\u202e";
  const run = runOf(because("USG-FLD-01", "inconclusive", refused(words)));
  const { text } = await reported(run);
  for (const name of ["summary.md", "index.html"] as const) {
    // In Markdown, a span of code is text.
    expect(text(name).replace(/`[^`]*`/g, "")).not.toContain("<img src=x");
    expect(text(name)).not.toMatch(/[\u001b\u202e]/);
  }
});
