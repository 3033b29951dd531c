// What recorders write: each of their files is judged as a HAR of the same exchanges.
import { expect, test } from "@playwright/test";
import { readMapping, sourceAt } from "../../cli/recordings.ts";
import type { RecordedEntry } from "../../harness/recordings/recorded.ts";
import { exchangedWith } from "../support/recordedClient.ts";
import { recordedForms, writtenForm } from "../support/recordedForms.ts";
import { type Exchanged, entriesIn, harEntry, harOf, judged, type World } from "../support/recordings.ts";

let [world, exchanged]: [World?, (readonly Exchanged[])?] = [];
test.beforeAll(async () => {
  ({ world, exchanged } = await exchangedWith("CYC-BILL-01.object-on-free", undefined, 1));
});

const nothing = (): never => {
  throw new Error("nothing is piped in");
};

/** What is read of a file, and why it ends too early. */
async function readAt(path: string, form?: string) {
  const cuts: string[] = [];
  const entries: RecordedEntry[] = [];
  for await (const entry of (await sourceAt(path, readMapping(form), nothing)).entries((what) => cuts.push(what)))
    entries.push(entry);
  return { entries, cuts };
}

for (const [recorder, form] of Object.entries(recordedForms))
  test(`${recorder}: judged as a HAR`, async () => {
    if (!exchanged) throw new Error("nothing was exchanged");
    const expected = await judged(await entriesIn(harOf(exchanged.map((one) => harEntry(one)))), world?.target);
    const { entries, cuts } = await readAt(writtenForm(form, exchanged), form.form);
    const found = await judged(entries, world?.target);
    expect(cuts).toEqual([]);
    expect([found.unjudged, found.report.operations]).toEqual([expected.unjudged, expected.report.operations]);
    expect(found.report.judged).toBeGreaterThan(15);
    // A log without headers has no keys that they carry.
    expect(found.broken).toEqual(form.lacksHeaders ? [] : ["CYC-BILL-01"]);
  });
