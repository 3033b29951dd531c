// What a panel lacks, in words: vendors that gave no answer, and what Assay itself failed on; and new connections.
import { expect, test } from "@playwright/test";
import { PanelConnections } from "../../panel/connections.ts";
import type { Absence, PanelDefect, PanelReport } from "../../panel/panelReport.ts";
import { pooled } from "../../panel/pooling.ts";
import { documentMarkdown } from "../../reports/document/markdown.ts";
import { documentPage } from "../../reports/document/page.tsx";
import { documentLines } from "../../reports/document/terminal.ts";
import { panelDocument, panelHeadline } from "../../reports/panel/view.ts";
import { schemaProblems } from "../support/standards.ts";
import { madePanel } from "./made.ts";

const day = "2026-11-27";
const [hanging, dead] = ["timeout: no complete answer within 15 s", "refused: ECONNREFUSED"];
const absence = (given: Partial<Absence> = {}): Absence => ({
  vendor: 1,
  is: "silent",
  from: "2026-11-27T03:00:10.000Z",
  to: "2026-11-27T03:00:40.200Z",
  polls: 120,
  why: hanging,
  ...given,
});
const defect = (given: Partial<PanelDefect> = {}): PanelDefect => ({
  vendor: null,
  message: "x isn't a function at y.ts:3:4",
  polls: 2,
  ...given,
});

const longer = { startedAt: "2026-11-26T23:59:00.000Z" };
const later = { from: "2026-11-27T03:00:50.000Z", to: null, polls: 1_000, why: dead };
const wordsOf = (page: string): string => page.replace(/<[^>]*>/g, "").replaceAll("&#39;", "'");
const given = (panel: Partial<PanelReport>): Partial<PanelReport> => panel;

for (const [title, panel, expected] of [
  [
    "one that is back",
    given({ absences: [absence()] }),
    [`bea was left out of 120 polls from 03:00:10 to 03:00:40, as it gave no answer (${hanging})`],
  ],
  [
    "one poll, on another day",
    given({ ...longer, absences: [absence({ polls: 1 })] }),
    [`bea was left out of 1 poll from ${day} 03:00:10 UTC to ${day} 03:00:40 UTC, as it gave no answer (${hanging})`],
  ],
  [
    "one that is gone twice, in one sentence",
    given({ absences: [absence(), absence(later)] }),
    [`bea was left out of 1,120 polls, 2 times, from 03:00:10 until the end, as it gave no answer (last ${dead})`],
  ],
  [
    "one that is waited for",
    given({ absences: [absence({ polls: 0 })] }),
    [`bea gave no answer from 03:00:10 to 03:00:40 (${hanging})`],
  ],
  [
    "two of three that don't come back",
    given({ complete: false, absences: [absence({ polls: 0, to: null }), absence({ vendor: 2, polls: 0, to: null })] }),
    [
      `bea gave no answer from 03:00:10 until the end (${hanging})`,
      `cyd gave no answer from 03:00:10 until the end (${hanging})`,
      "It ended early, as fewer than two vendors could be asked.",
    ],
  ],
  [
    "one that has spent its budget",
    given({ absences: [absence({ is: "spent", to: null, why: null })] }),
    ["bea was left out of 120 polls from 03:00:10 until the end, as its budget didn't cover them"],
  ],
  [
    "one that is asked less often",
    given({ absences: [absence({ is: "limited", why: null }), absence({ vendor: 2, polls: 1 })] }),
    [
      "bea was left out of 120 polls from 03:00:10 to 03:00:40, as it refused requests for their rate, and is asked " +
        "less often since",
      `cyd was left out of 1 poll from 03:00:10 to 03:00:40, as it gave no answer (${hanging})`,
    ],
  ],
  [
    "failures of ours: of polls, of a vendor's answers, and the last one",
    given({ defects: [defect(), defect({ vendor: 2, polls: 1 }), defect({ polls: 0 })] }),
    [
      "Assay itself failed in 2 polls, which aren't compared: x isn't a function at y.ts:3:4. Please report it.",
      "Assay itself failed on 1 answer of cyd, which isn't compared: x isn't a function at y.ts:3:4. Please report it.",
      "Assay itself failed, which ended the panel: x isn't a function at y.ts:3:4. Please report it.",
    ],
  ],
] as const)
  test(`said in text, in Markdown and on the page: ${title}`, () => {
    const document = panelDocument(madePanel(panel));
    const without = new Set(documentLines(panelDocument(madePanel({ ...panel, absences: [], defects: [] }))));
    // Columns of the scorecard become wider, and its sentences know nothing of it.
    const isOfTable = (line: string): boolean => / {2}\S.* {2}/.test(line.trim());
    const lines = documentLines(document).filter(
      (line) => !(without.has(line) || isOfTable(line) || line === `${document.headline}.`),
    );
    expect(lines.map((line) => line.trim())).toEqual(expected);
    for (const line of expected) {
      expect(documentMarkdown(document)).toContain(line);
      expect(wordsOf(documentPage(document))).toContain(line);
    }
  });

test("one that stayed away isn't why a panel of three was cut short", () => {
  const panel = madePanel({ complete: false, absences: [absence({ to: null })] });
  expect(documentLines(panelDocument(panel)).join("\n")).not.toContain("ended early");
});

/** Connections whose latency is the sum of what they took. */
function connected(vendor: number, all: readonly (readonly [number | null, number, number | null, number])[]) {
  const connections = new PanelConnections();
  for (const [dns_ms, connect_ms, tls_ms, server_ms] of all) {
    const latency_ms = (dns_ms ?? 0) + connect_ms + (tls_ms ?? 0) + server_ms;
    const value = { jsonrpc: "2.0", id: 1, result: {} };
    const headers = [["content-type", "application/json"]];
    const answer = { status: 200, headers, text: JSON.stringify(value), json: { value } };
    const exchange = { protocol: { kind: "json-rpc", forms: [] }, sent: { method: "POST" }, answer, latency_ms };
    const connection = { began_ms: 0, dns_ms, connect_ms, tls_ms };
    connections.add({ replies: [{ vendor, exchange, connection }] } as never);
  }
  return connections;
}

test("new connections are told by phase and vendor, without those that there are none of, and add up exactly", () => {
  const nights = [
    connected(0, [[3, 20, 41, 100]]).connections,
    connected(0, [
      [5, 24, 43, 10],
      [4, 22, 42, 50],
    ]).connections,
    connected(1, [[null, 7, null, 9]]).connections,
  ].map((connections) => madePanel({ connections }));
  const all = pooled(nights as [PanelReport, ...PanelReport[]]);
  const whole = connected(0, [
    [3, 20, 41, 100],
    [5, 24, 43, 10],
    [4, 22, 42, 50],
  ]).connections;
  expect(all.connections?.slice(0, 4)).toEqual(whole);
  expect(schemaProblems("reports/panel.schema.json", all)).toEqual([]);
  const markdown = documentMarkdown(panelDocument(all));
  expect(markdown).toContain("| Vendor | DNS | Connect | TLS | Server | New |");
  expect(markdown).toMatch(/\n\| ada \| 4\.0 \| 22 \| 42 \| 50 \| 3 \|\n\| bea \| *\| 7\.0 \| *\| 9\.\d \| 1 \|\n/);
  expect(documentPage(panelDocument(all))).toContain('id="connections"');
  expect(documentPage(panelDocument(madePanel()))).not.toContain('id="connections"');
});

for (const [title, panel, headline] of [
  ["one that stayed away", { absences: [absence({ to: null })] }, "bea is no longer answering"],
  ["one that is back", { absences: [absence()] }, "Nobody is wrong or behind"],
  ["one that is asked less often", { absences: [absence({ is: "limited", to: null })] }, "Nobody is wrong or behind"],
] as const)
  test(`the headline knows of ${title}`, () => {
    expect(panelHeadline(madePanel(panel))).toBe(headline);
  });

test("who was absent at the end of a night isn't absent on the next one", () => {
  const nights = [madePanel({ absences: [absence({ to: null })] }), madePanel({ endedAt: "2026-11-28T03:01:00.000Z" })];
  const { absences } = pooled(nights as [PanelReport, PanelReport]);
  expect(absences).toEqual([absence({ to: nights[0]?.endedAt ?? "" })]);
  expect(pooled([...nights].reverse() as [PanelReport, PanelReport]).absences).toEqual([absence({ to: null })]);
});

test("absences and failures of several nights are told together, those of one kind as one", () => {
  const panels = [
    madePanel({ defects: [defect()] }),
    madePanel({ absences: [absence()], defects: [defect()] }),
  ] as const;
  const { absences, defects } = pooled([...panels, madePanel()]);
  expect([absences, defects]).toEqual([[absence()], [defect({ polls: 4 })]]);
});
