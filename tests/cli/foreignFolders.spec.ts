// Folders that others made: what they say is data, links lead nowhere, and nothing is half written.
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { assay, bytesBelow } from "../support/assay.ts";
import { type Changes, foreignPart, foreignRun, laidOut, namedByPart } from "../support/foreignFolders.ts";
import { nasty } from "../support/hostile.ts";
import { commandsIn } from "../support/standards.ts";

const copyOrJudge = /^\S.* Copy it again, or judge the target again\.$/;
const notARun = /isn't a run as defined by reports\/run\.schema\.json: /;

for (const [title, changes, says, more] of [
  ["lacks what was planned", { "start.planned": undefined }, copyOrJudge],
  [
    "has a verdict on nothing",
    { "verdict.verdict.id": "NOPE-1" },
    /judged NOPE-1, which neither this version has nor a config/,
  ],
  ["lacks its breaches", { "verdict.verdict.breaches": undefined }, copyOrJudge],
  ["lacks its addresses", { "start.bases": undefined }, notARun],
  ["has an object for a name", { "start.target": { a: 1 } }, notARun],
  ["has no time", { "start.startedAt": "never" }, notARun],
  ["has a verdict of another name", { "verdict.verdict.verdict": "__proto__" }, notARun],
  ["has a member of every object", { "start.call.flags.__proto__": { a: 1 } }, notARun],
  ["has headers of another form", { "exchange.exchange.answer.headers": "x" }, notARun],
  ["has a variable that ends its quotes", { "start.keyVariables": { paid: 'X"; touch made; "' } }, notARun],
  ["has half a load", {}, notARun, [{ record: "load", load: {} }]],
  ["has half a recording", {}, notARun, [{ record: "recording", recording: { sources: ["x"] } }]],
] as const satisfies readonly (readonly [string, Changes, RegExp, (readonly unknown[])?])[])
  test(`a journal that ${title} is refused in one paragraph, and nothing is written`, async () => {
    const folder = foreignRun(changes, more);
    for (const words of [["report"], ["requirements"], ["compare", folder], ["explain", "USG-FLD-01"]]) {
      const { code, stdout, stderr } = await assay([...words, folder]);
      expect([words[0], code, stdout, stderr.trim()]).toEqual([words[0], 2, "", expect.stringMatching(says)]);
      expect(stderr.trim()).not.toContain("\n");
    }
    expect(readdirSync(folder)).toEqual(["journal.jsonl"]);
  });

test("an exchange that Assay didn't write isn't judged", async () => {
  const folder = foreignRun({ "exchange.exchange.sent": undefined, "verdict.verdict.breaches": undefined });
  const { code, stderr } = await assay(["judge", folder, "--out", join(folder, "out")]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("has an exchange that Assay didn't write")]);
});

const steering = /[^\n\P{Cc}]|[\u2028\u202e\ufeff]/u;
const everywhere: Changes = {
  ...Object.fromEntries(["id", "target", "version", "targetFile"].map((name) => [`start.${name}`, nasty])),
  "start.bases": { admin: nasty },
  "start.unlocks": [{ add: nasty, requirements: 1 }],
  "exchange.exchange.title": nasty,
  "exchange.exchange.answer.body": nasty,
  "verdict.verdict.breaches": [
    { outcome: "broken", at: nasty, expected: nasty, got: { value: nasty }, exchange: 1, causedBy: [] },
  ],
  "verdict.verdict.reason": nasty,
};

test("nothing in a run steers a terminal or GitHub's runner, whichever command prints it", async () => {
  const folder = foreignRun(everywhere, [{ record: "cutShort", reason: nasty }]);
  const history = join(folder, "nights.jsonl");
  for (const words of [
    ["report", folder],
    ["report", folder, "--annotations", "none"],
    ["report", folder, "--json", "--annotations", "none"],
    ["compare", folder, folder],
    ["compare", folder, folder, "--json"],
    ["requirements", folder],
    ["replay", folder],
    ["accept", folder, "--reason", "x", "--until", "2099-01-01"],
    ["history", "import", folder, "--history", history],
    ["history", history],
    ["history", history, "--json"],
    ["metrics", history],
    ["report", foreignRun({ "start.planned": [nasty] })],
  ]) {
    const { stdout, stderr } = await assay(words, { GITHUB_ACTIONS: "true" });
    const printed = stdout + stderr;
    expect(steering.exec(printed), words.join(" ")).toBeNull();
    const foreign = commandsIn(printed).filter(({ name, properties }) => name !== "error" || !properties["title"]);
    expect(foreign, words.join(" ")).toEqual([]);
    if (words.includes("--json")) expect(JSON.stringify(JSON.parse(stdout))).toContain("##[add-mask]b");
  }
  for (const page of ["index.html", "nights.html"])
    expect(readFileSync(join(folder, page), "utf8")).not.toContain("<script>alert");
});

test("lines to copy name no program and end no quotes, whatever a run says", async () => {
  const [program, target] = ["touch made; npx assay", "x'; touch made #"];
  const counterexample = { property: "P", path: "1; touch made", seed: 1, values: {}, isMinimal: true };
  const breach = { outcome: "broken", at: "/x", expected: "x", got: { is: "absent" }, exchange: 1, causedBy: [] };
  const folder = foreignRun({
    "start.call": { program, words: ["run"], flags: { target } },
    "exchange.exchange.curl": "touch made",
    "exchange.exchange.sent.method": "GET; touch made",
    "exchange.exchange.sent.url": "-K made",
    "verdict.verdict.breaches": [{ ...breach, counterexample }],
  });
  const { stdout } = await assay(["report", folder]);
  expect(stdout).toContain(
    "replay: npx assay run --target 'x'\\''; touch made #' --only USG-FLD-01 --seed 1 --path 'P:1; touch made'",
  );
  expect(stdout).toContain("curl -sS -i -X 'GET; touch made' --url '-K made'");
  expect(stdout).not.toMatch(/^ *touch/m);
  const { stdout: older } = await assay(["report", foreignRun({ "start.call": undefined, "start.command": program })]);
  expect(older).toContain("replay: npx assay run --only USG-FLD-01");
});

const leadsOut = "is a link that leads out of its folder, and isn't followed";
const journal = readFileSync(join(foreignRun(), "journal.jsonl"), "utf8");

for (const [title, files, words] of [
  ["a journal", { "run/journal.jsonl": { leadsTo: "../mine" } }, ["report", "run"]],
  ["a journal that is judged", { "run/journal.jsonl": { leadsTo: "../mine" } }, ["judge", "run"]],
  ["a run.json", { "run/run.json": { leadsTo: "../mine" } }, ["compare", "run", "run"]],
  ["a panel", { "run/panel.json": { leadsTo: "../mine" } }, ["compare", "run", "run"]],
  ["a part", { "part/part.json": { leadsTo: "../mine" } }, ["load", "merge", "part"]],
  ["a history that is shown", { "nights/acme.jsonl": { leadsTo: "../mine" } }, ["history", "nights"]],
  [
    "a history that is appended to",
    { "run/journal.jsonl": journal, "nights/acme.jsonl": { leadsTo: "../mine" } },
    ["history", "import", "run", "--history", "nights"],
  ],
  [
    "a history that would be made where it leads",
    { "run/journal.jsonl": journal, "nights/acme.jsonl": { leadsTo: "../made" } },
    ["history", "import", "run", "--history", "nights"],
  ],
] as const)
  test(`a link in place of ${title} isn't followed out of its folder`, async () => {
    const folder = laidOut({ mine: "mine\n", ...files });
    const { code, stdout, stderr } = await assay(words, {}, folder);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(leadsOut)]);
    expect(readFileSync(join(folder, "mine"), "utf8")).toBe("mine\n");
    expect(existsSync(join(folder, "made"))).toBe(false);
  });

test("a link within a folder is read", async () => {
  const folder = laidOut({ "run/..data/journal": journal, "run/journal.jsonl": { leadsTo: "..data/journal" } });
  expect((await assay(["report", "run"], {}, folder)).code).toBe(1);
});

test("reports replace the links in their place, and follow none", async () => {
  const names = ["index.html", "index.html.new", "run.json", "summary.md", "summary.md.new"];
  const links = Object.fromEntries(names.map((name) => [`run/${name}`, { leadsTo: "../mine" }]));
  const folder = laidOut({ mine: "mine\n", "run/journal.jsonl": journal, ...links });
  expect((await assay(["report", "run"], {}, folder)).code).toBe(1);
  expect(readFileSync(join(folder, "mine"), "utf8")).toBe("mine\n");
  expect(lstatSync(join(folder, "run/index.html")).isFile()).toBe(true);
  expect(readdirSync(join(folder, "run")).filter((name) => name.endsWith(".new"))).toHaveLength(2);
});

test("a run isn't begun where a link would have its journal made elsewhere", async () => {
  const folder = laidOut({ "run/journal.jsonl": { leadsTo: "../made" } });
  const { code, stderr } = await assay(["run", "--only", "USG-HTTP-01", "--out", "run"], {}, folder);
  expect([code, stderr, existsSync(join(folder, "made"))]).toEqual([
    2,
    "The folder run already contains a run. Name another with --out, or remove it.\n",
    false,
  ]);
});

test("a folder in place of a journal is refused", async () => {
  const folder = laidOut({ "run/journal.jsonl/x": "" });
  const { code, stderr } = await assay(["report", "run"], {}, folder);
  expect([code, stderr]).toEqual([2, expect.stringContaining("run/journal.jsonl isn't a file")]);
});

const theirs = `name: acme
bases: { admin: "http://127.0.0.1:9" }
projects: { main: { id: 7f9c24e5-1f0b-4c55-9a5c-6f4d1f3b8a10, plan: paid } }
keys: { paid: { project: main, env: SECRET_OF_THE_READER } }
offers: [usage]
`;

for (const [title, file, path, why] of [
  ["beside the run", "artefact/acme.yaml", "artefact/run", "may have come with the run"],
  ["in the run", "acme.yaml", ".", "may have come with the run"],
  ["above this folder", "../acme.yaml", "artefact/run", "isn't in this folder"],
] as const)
  test(`no key is sent, and nothing accepted, by a target file ${title} that the run names`, async () => {
    const folder = laidOut({ "here/artefact/acme.yaml": theirs, "here/acme.yaml": theirs, "acme.yaml": theirs });
    const here = join(folder, "here");
    foreignRun({ "start.targetFile": file }, [], join(here, path));
    for (const words of [
      ["replay", path],
      ["accept", path, "--reason", "x", "--until", "2099-01-01"],
    ]) {
      const { code, stdout, stderr } = await assay(words, { SECRET_OF_THE_READER: "a-key-of-the-reader" }, here);
      expect([code, stdout, stderr]).toEqual([
        2,
        "",
        expect.stringContaining(`names the target file ${file}, which ${why}`),
      ]);
    }
    expect(bytesBelow(folder)).not.toContain("accept` writes here");
  });

test("a run of this folder names its target file", async () => {
  const folder = laidOut({ "targets/acme.yaml": theirs });
  foreignRun({ "start.targetFile": "targets/acme.yaml" }, [], join(folder, "runs/x"));
  const { code } = await assay(["accept", "runs/x", "--reason", "x", "--until", "2099-01-01"], {}, folder);
  expect([code, existsSync(join(folder, "targets/acme.deviations.yaml"))]).toEqual([0, true]);
});

const merged = async (changes: Changes) => {
  const around = foreignPart(changes);
  const words = ["load", "merge", "part", "--out", "out"];
  return { around, ...(await assay(words, { [namedByPart]: "short" }, join(around, "in"))) };
};

for (const [title, changes, says] of [
  [
    "a shape that is a path",
    { "identity.plan.shape.name": "x/../../../out" },
    "isn't a part of a load as Assay writes",
  ],
  ["a number that is a path", { "part.nth": "/../../../out", "part.of": 2 }, "isn't a part of a load as Assay writes"],
  ["a load without end", { "identity.plan.phases": [{ name: "x", seconds: 1e300, perSecond: 1e300 }] }, "isn't a part"],
  ["no money where money is counted", { before: null }, "isn't a part"],
  ["a time that no clock shows", { "part.beganAt_ms": 1e300 }, "isn't a part"],
  ["counts of another form", { "part.counts": { x: 1 } }, "a part has what Assay writes in none"],
] as const)
  test(`a part with ${title} is refused, and nothing is written`, async () => {
    const { around, code, stdout, stderr } = await merged({ "part.page": "<p>theirs", ...changes });
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(says)]);
    expect(readdirSync(around)).toEqual(["in"]);
    expect(readdirSync(join(around, "in"))).toEqual(["part"]);
  });

test("of a part neither its page is copied nor the variables are read that its target file names", async () => {
  const { around, stdout, stderr } = await merged({ "part.page": "<script>alert(1)</script>" });
  expect([stdout, stderr]).toEqual([expect.stringContaining("240 answers judged by all laws"), ""]);
  expect(bytesBelow(join(around, "in/out"))).not.toContain("<script>alert(1)</script>");
});

const owner = "7fVLvPeLoSrtshkX7Eh4x7uM8VTqY3KPGXjtkV2ya5rA";
const samplesTaken: readonly (readonly [at: string, value: unknown])[] = [
  ["/samples/owner", owner],
  ["/samples/domains/0", "acme.sol"],
  ["/samples/compressed/0", { address: owner, hash: owner, lamports: "5" }],
  ["/samples/causes/compression/notFound", owner],
];
const samplesLeft: readonly (readonly [at: string, value: unknown])[] = [
  ["/bases/rpc", "https://evil.example"],
  ["/keys/second", { project: "main", env: "GITHUB_TOKEN" }],
  ["/allow", ["sendBundle", "throttle", "load", "paidProbes"]],
  ["/insecure", true],
  ["/bundles/tipAccount", owner],
  ["/__proto__/x", 1],
  ["/samples/__proto__", { a: 1 }],
  ["/samples/constructor/prototype/x", 1],
  ["/samples/unknown", owner],
  ["/samples/mint", "abc"],
  ["/samples/mint", 5],
  ["/samples/domains/1", "a.sol\nallow: [load]"],
  ["/samples/domains/1", "a.sol\r#\u0085x"],
  ["/samples/landedBundles/0", "x".repeat(201)],
  ["/samples/newAddresses/3", owner],
  ["/samples/compressed/1", { address: owner, hash: owner, env: "GITHUB_TOKEN" }],
  ["/samples", { owner }],
  ["", { name: "x" }],
];

test("init --from takes samples from a run, and says what it doesn't take", async () => {
  const notes = [...samplesTaken, ...samplesLeft].map(([at, value]) => ({
    record: "sample",
    sample: { at, by: "found", value, how: "x\nallow: [load]\r# y\u001b[2J" },
  }));
  const folder = laidOut({ "acme.yaml": `# mine\n${theirs}` });
  foreignRun({}, notes, join(folder, "run"));
  const { code, stdout } = await assay(["init", "--from", "run", "--out", "acme.yaml"], {}, folder);
  const left = samplesLeft.map(([at]) => at || "no place").slice(0, 19);
  expect([code, stdout.replace(/ and \d+ more/, "")]).toEqual([
    0,
    `added to acme.yaml: ${samplesTaken.map(([at]) => at).join(", ")}\n` +
      `not taken from run: ${left.join(", ")}; target files have no such sample, or its value isn't one\n`,
  ]);
  expect(readFileSync(join(folder, "acme.yaml"), "utf8")).toBe(`# mine
name: acme
bases: { admin: "http://127.0.0.1:9" }
projects: { main: { id: 7f9c24e5-1f0b-4c55-9a5c-6f4d1f3b8a10, plan: paid } }
keys: { paid: { project: main, env: SECRET_OF_THE_READER } }
offers: [ usage ]
samples:
  owner: ${owner} # found by a run
  domains:
    - acme.sol # found by a run
  compressed:
    - { address: ${owner}, hash: ${owner}, lamports: "5" } # found by a run
  causes:
    compression:
      notFound: ${owner} # found by a run
`);
});
