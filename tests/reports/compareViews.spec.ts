// Views of a comparison: complete, as the schema has it, and safe with hostile text.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { assay, emptyFolder } from "../support/assay.ts";
import {
  audited,
  breach,
  compared,
  exchanged,
  judged,
  made,
  narrowed,
  observed,
  type Run,
  sayCompared,
} from "../support/madeRuns.ts";
import { schemaProblems } from "../support/standards.ts";

const problemsOf = (comparison: unknown): readonly unknown[] =>
  schemaProblems("reports/compare.schema.json", comparison);

/** Two runs whose comparison has every section. @param headName the target's name in the second one */
function everything(text: string, headName = text): readonly Run[] {
  const exchanges = (ms: number, body: object, limit: string): Run["exchanges"] =>
    Array.from({ length: 20 }, (_, nth) =>
      exchanged({ title: text, latency_ms: ms + nth, body: { ...body, nth }, headers: [["x-ratelimit-limit", limit]] }),
    );
  const slots = (behind: number, first = 900): Run["exchanges"] =>
    Array.from({ length: 20 }, (_, nth) =>
      exchanged({
        operation: "getTokenAccounts",
        stimulus: "slots",
        body: { result: { last_indexed_slot: first + nth - (nth === 0 ? 0 : behind) } },
      }),
    );
  const breachAt = (at: string) => ({ ...breach, at, expected: text, got: { value: text } });
  const base = made(0, {
    name: text,
    requirements: [
      judged("USG-HTTP-01", "holds"),
      judged("USG-FLD-01", "holds"),
      judged("USG-FLD-02", "broken"),
      judged("USG-FLD-03", "withheld", { reason: text }),
      judged("USG-FLD-04", "broken", { breaches: [breachAt("/a")] }),
      judged("USG-FLD-05", "holds"),
      judged("USG-FLD-06", "holds", narrowed(text)),
    ],
    observations: [observed("OBS-HTTP-SLASH", { [text]: text })],
    exchanges: [...exchanges(20, { a: 1 }, "5"), ...slots(0)],
    audit: audited("100", "agrees", text),
  });
  const head = made(100, {
    name: headName,
    requirements: [
      judged("USG-HTTP-01", "broken", { breaches: [breachAt(text)], replay: text }),
      judged("USG-FLD-01", "withheld", { reason: text }),
      judged("USG-FLD-02", "holds"),
      judged("USG-FLD-03", "holds"),
      judged("USG-FLD-04", "broken", { breaches: [breachAt("/b")] }),
      judged("USG-FLD-05", "holds", narrowed(text)),
      judged("USG-FLD-06", "holds"),
    ],
    observations: [observed("OBS-HTTP-SLASH", { [text]: `${text}?` })],
    exchanges: [...exchanges(220, { a: 1, [text]: 1 }, text), ...slots(500, 1_100)],
    audit: audited("300", "differs", text),
  });
  return [base, head];
}

const figures = ["Latency", "Stated rate limits", "Charges", "Freshness"];
const titles = [
  "Newly broken",
  "Broken at more places",
  "No longer judged",
  "Verified on less",
  "Fixed",
  "Newly verified",
  "Verified on more",
  "Changes of unspecified behaviour",
  "Changed response shapes",
  ...figures,
];
const titlesOfVendors = [
  "Broken at B, not at A",
  "Broken at more places at B",
  "Judged at A, not at B",
  "Verified on less at B",
  "Broken at A, not at B",
  "Verified at B, not at A",
  "Verified on more at B",
  "Different unspecified behaviour",
  "Different response shapes",
  ...figures,
];

/** Each view of a comparison, as one call prints and writes them. */
async function viewsOf(runs: readonly Run[]) {
  const out = emptyFolder();
  const { stdout: terminal, stderr } = await sayCompared(runs, "--out", out);
  expect(stderr).toBe("");
  const written = (name: string): string => readFileSync(join(out, name), "utf8");
  return { terminal, markdown: written("compare.md"), page: written("index.html") };
}

test("each view has every kind of change, and JSON fits its schema", async () => {
  const runs = everything("text");
  for (const [name, view] of Object.entries(await viewsOf(runs))) {
    for (const title of titles) expect(view, name).toContain(title);
    expect(view).toContain("1 requirement is newly broken");
    expect(view).toContain("response shape changed: 1 field");
  }
  const target = { name: "acme", file: "acme.yaml", isReference: false, bases: {} };
  for (const some of [runs, [made(0), made(9, { target })]]) expect(problemsOf(await compared(some))).toEqual([]);
});

test("vendors are A and B, never before and after, and the matrix comes first", async () => {
  for (const [name, view] of Object.entries(await viewsOf(everything("text", "other")))) {
    for (const title of titlesOfVendors) expect(view, name).toContain(title);
    expect(view).toContain("1 requirement is broken at B, not at A");
    expect(view.indexOf("text breaks")).toBeLessThan(view.indexOf("Failed: 1 requirement is broken at B"));
    if (name !== "markdown") expect(view).toMatch(/median A 29.5 · B 229.5/);
    const text = view.replace(/<head>[\s\S]*<\/head>/, "");
    expect(text, name).not.toMatch(/\b(?:before|after|now|no longer|newly|fixed|changed|base|first seen)\b/i);
    const matrix = name === "markdown" ? "| Requirement |" : "Requirement by vendor";
    expect(text.indexOf(matrix), name).toBeGreaterThan(0);
    expect(text.indexOf(matrix), name).toBeLessThan(text.indexOf("Broken at more places"));
  }
});

test("what shows no difference is counted in text, apart from what too little was measured of", async () => {
  const answers = (operation: "getProjectUsage" | "getIndexerHealth", count: number): Run["exchanges"] =>
    Array.from({ length: count }, () => exchanged({ operation, stimulus: operation }));
  const vendor = (name: string, state: "holds" | "broken"): Run => {
    const requirements = [judged("USG-FLD-01", state), judged("USG-FLD-02", "holds", narrowed("a"))];
    const exchanges = [...answers("getProjectUsage", 9), ...answers("getIndexerHealth", 2)];
    return made(0, { name, requirements, exchanges, audit: audited("100", "agrees") });
  };
  const { terminal, markdown, page } = await viewsOf([vendor("acme", "holds"), vendor("beta", "broken")]);
  for (const view of [terminal, markdown, page]) {
    expect(view).toContain("No difference shown: latency of 1 operation, charges on 1 counter.");
    expect(view).toContain("Too few values to tell: latency of 1 operation.");
    expect(view).toContain("1 requirement is left out: passed everywhere, or tested nowhere.");
    expect(view).not.toContain("USG-FLD-02");
  }
  expect(page).toMatch(/<details[^>]*><summary>Charged and expected: no difference shown in 1 counter<\/summary>/);
});

test("the schema refuses another format", async () => {
  expect(problemsOf({ ...(await compared(everything("text"))), format: 3 })).not.toEqual([]);
});

const hostile =
  "</code></style><script>alert(1)</script>|`` ` ```\n# [x](javascript:1) @everyone \u001b[31m\u202e<img src=x " +
  "onerror=alert(1)> --> $(rm)";

test("in HTML hostile text is text, and the policy lets none of it run", async () => {
  const { page } = await viewsOf(everything(hostile));
  expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  expect(page).not.toMatch(/<script|<img|\u001b|\u202e/);
  const [, policy = ""] = page.match(/http-equiv="Content-Security-Policy" content="([^"]+)"/) ?? [];
  const [, style = ""] = page.match(/<style>([\s\S]*?)<\/style>/) ?? [];
  const digest = createHash("sha256").update(style).digest("base64");
  expect(policy.replaceAll("&#39;", "'")).toBe(
    `default-src 'none'; style-src 'sha256-${digest}'; img-src data:; base-uri 'none'; form-action 'none'`,
  );
  expect(page).not.toMatch(/<[a-z]+ (?:[^>]*\s)?(?:style|on[a-z]+)=/);
});

/** Markdown without code spans, which end at a run of as many backticks (CommonMark §6.1). */
const bare = (line: string): string => line.replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, "□");

test("in Markdown hostile text stays within code spans, on its line and in its cell", async () => {
  const two = everything(hostile);
  const broken = made(99, { name: "c", requirements: [judged("USG-HTTP-01", "broken")] });
  const three = [made(0, { name: hostile }), made(9, { name: `${hostile}2` }), broken];
  const texts = [(await viewsOf(two)).markdown, (await viewsOf(three)).markdown];
  for (const markdown of texts) {
    expect(markdown).not.toMatch(/\u001b|\u202e/);
    for (const line of markdown.split("\n")) expect(bare(line), line).not.toMatch(/<|@|\]\(|javascript|\$\(/);
  }
  const [head = ""] = texts[1]?.match(/^\| Requirement.*$/m) ?? [];
  expect(head.split(/(?<!\\)\|/)).toHaveLength(6);
});

test("hostile text can't steer the terminal", async () => {
  const lines = (await viewsOf(everything(hostile))).terminal.split("\n");
  expect(lines.filter((line) => /[\p{Cc}\p{Cf}]/u.test(line))).toEqual([]);
});

test("Markdown has at most 60 lines, whatever changed", async () => {
  const { stdout } = await assay(["requirements", "--json"]);
  const { requirements } = JSON.parse(stdout) as Pick<Run, "requirements">;
  const ids = requirements.map(({ id }) => id);
  const all = (state: "holds" | "broken"): Run["requirements"] => ids.map((id) => judged(id, state));
  const many = Array.from({ length: 12 }, (_, nth) =>
    made(nth * 100, { name: `vendor ${nth}`, requirements: all(nth % 2 ? "broken" : "holds") }),
  );
  const linesOf = (markdown: string): readonly string[] => markdown.trimEnd().split("\n");
  for (const runs of [many.slice(0, 2), many.slice(0, 3), many]) {
    const { stdout: markdown } = await sayCompared(runs, "--markdown");
    expect(linesOf(markdown).length).toBeLessThanOrEqual(60);
    expect(markdown).toContain(String(ids.length));
  }
  expect(linesOf((await viewsOf(everything("text"))).markdown).length).toBeLessThanOrEqual(60);
});
