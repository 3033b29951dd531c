// assay judge: recorded exchanges judged by a process of its own; what it exits with and what it leaves.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, test } from "@playwright/test";
import {
  assay,
  assayRun,
  bytesBelow,
  type Ended,
  emptyFolder,
  filesOfRun,
  type Run,
  read,
  runIn,
  start,
  startAssay,
  startProcess,
} from "../support/assay.ts";
import { k6 } from "../support/k6.ts";
import { exchangedWith } from "../support/recordedClient.ts";
import { type Exchanged, harEntry, harOf, host } from "../support/recordings.ts";
import { servedReference, vendorNamed } from "../support/servedReference.ts";

test.describe.configure({ mode: "parallel" });

const file = (text: string, name = "traffic.har"): string => {
  const path = join(emptyFolder(), name);
  writeFileSync(path, text);
  return path;
};

/** The reference as a vendor at a base. */
const vendorAt = (base: string): string => file(vendorNamed("acme", base), "acme.yaml");
const target = vendorAt(host);

interface Recording {
  readonly exchanged: readonly Exchanged[];
  readonly har: string;
  readonly environment: { readonly [name: string]: string };
}

/** What a client exchanged with the reference, honest or with a mutant. */
async function recorded(mutant?: string): Promise<Recording> {
  const { exchanged, world } = await exchangedWith(mutant);
  return { exchanged, har: harOf(exchanged.map((one) => harEntry(one))), environment: world.environment };
}

let [honest, broken]: Recording[] = [];
test.beforeAll(async () => {
  [honest, broken] = [await recorded(), await recorded("CYC-BILL-01.object-on-free")];
});
const of = (one: Recording | undefined): Recording => {
  if (!one) throw new Error("nothing is recorded");
  return one;
};

const brokenIn = ({ requirements }: Run) =>
  requirements.filter(({ verdict }) => verdict === "broken").map(({ id }) => id);
const judge = (har: string, more: readonly string[] = [], environment = of(honest).environment) =>
  assayRun(["judge", file(har), "--target", target, ...more], environment);

test("a recording that breaks a requirement leaves all reports and exits with 1", async () => {
  const { code, run, folder, stdout } = await judge(of(broken).har, [], of(broken).environment);
  expect([code, brokenIn(run), run.spent.requests]).toEqual([1, ["CYC-BILL-01"], 0]);
  expect(readdirSync(folder).sort()).toEqual(filesOfRun);
  for (const name of filesOfRun) expect(readFileSync(join(folder, name), "utf8")).toContain("CYC-BILL-01");
  expect(JSON.parse(readFileSync(join(folder, "results.sarif"), "utf8"))).toMatchObject({
    runs: [{ results: [{ ruleId: "CYC-BILL-01", level: "error" }] }],
  });
  expect(stdout).toContain("BROKEN  CYC-BILL-01");
  for (const key of Object.values(of(broken).environment)) expect(bytesBelow(folder)).not.toContain(key);
});

test("an honest recording exits with 0, verifies nothing and shows no key", async () => {
  const { code, run, folder, stdout } = await judge(of(honest).har);
  const { totals, requirements } = run;
  expect([code, brokenIn(run), totals.holds]).toEqual([0, [], 0]);
  expect(requirements.find(({ id }) => id === "USG-FLD-01")?.reason).toMatch(/^not broken in \d+ exchanges$/);
  expect(stdout).toMatch(/judged by all laws: [\s\S]*^Passed: no breach in \d+ exchanges\.$/m);
  expect(readFileSync(join(folder, "index.html"), "utf8")).toContain("nothing broken of what was judged");
  const all = bytesBelow(folder);
  for (const key of Object.values(of(honest).environment)) expect(all).not.toContain(key);
});

test("a recording of other hosts exits with 3 and names them", async () => {
  const { code, stdout } = await judge(of(honest).har.replaceAll("acme.example", "cdn.example"));
  expect(code).toBe(3);
  expect(stdout).toContain("cdn.example");
  expect(stdout).toContain("--base");
});

test("a recording without bodies exits with 3 and says so", async () => {
  const { code, stdout } = await judge(harOf(of(honest).exchanged.map((one) => harEntry(one, { size: 99 }))));
  expect(code).toBe(3);
  expect(stdout).toContain("an answer whose body isn't recorded completely");
});

test("--base names the platform where there is no target file", async () => {
  const args = ["judge", file(of(honest).har), "--base"];
  expect((await assayRun([...args, host])).code).toBe(0);
  expect((await assayRun([...args, "https://other.example"])).code).toBe(3);
  // What begins with no letter or digit is no name of a target.
  const { code, run } = await assayRun([...args, "http://[::1]:8080"]);
  expect([code, run.target.name]).toEqual([3, "1-8080"]);
});

for (const [title, which, code] of [
  ["honest", () => of(honest), 3],
  ["broken", () => of(broken), 1],
] as const)
  test(`a HAR that ends too early, so far ${title}, exits with ${code} and is named`, async () => {
    const { har, environment } = which();
    const cut = await judge(har.slice(0, -200), [], environment);
    expect([cut.code, cut.run.complete]).toEqual([code, false]);
    expect(cut.stdout).toContain("traffic.har ends within its entries");
  });

test("JSON lines are judged by a mapping, and keys by their hashes", async () => {
  const { exchanged, environment } = of(broken);
  const lines = exchanged.map((one) => JSON.stringify(one));
  const mapping = `time: /at_ms\nmethod: /method\nurl: /url\nrequestHeaders: /headers\nrequestBody: /body
status: /status\nresponseHeaders: /answerHeaders\nresponseBody: /text\nheaders: all\n`;
  const args = ["judge", file(lines.join("\n"), "log.jsonl"), "--mapping", file(mapping, "mapping.yaml")];
  const unknown = await assayRun([...args, "--base", host]);
  expect([unknown.code, brokenIn(unknown.run)]).toEqual([0, []]);
  const hash = createHash("sha256")
    .update(environment["ASSAY_REFERENCE_FREE"] ?? "")
    .digest("hex");
  const id = "1b2c3d4e-5f60-4718-a293-b4c5d6e7f809";
  const keys = file(`${hash}: { role: free, plan: free, id: ${id} }\n`, "keys.yaml");
  const known = await assayRun([...args, "--base", host, "--keys", keys]);
  expect([known.code, brokenIn(known.run)]).toEqual([1, ["CYC-BILL-01"]]);
  expect(bytesBelow(known.folder)).not.toContain(environment["ASSAY_REFERENCE_FREE"]);
});

for (const id of ["CYC-BILL-01.object-on-free", "ERR-ADM-403-01.bare", "USG-HTTP-03.uses-503"])
  test(`the run of ${id} judged again finds the same`, async () => {
    const { har, environment } = await recorded(id);
    const first = await judge(har, [], environment);
    expect(brokenIn(first.run)).toContain(id.split(".")[0]);
    const again = await assayRun(["judge", first.folder, "--target", target], environment);
    expect([again.code, brokenIn(again.run)]).toEqual([first.code, brokenIn(first.run)]);
  });

test("a run of the reference is judged without a target, and nothing is broken", async () => {
  const { folder } = await assayRun(["run", "--only", "USG-FLD-01,IH-OK-01,TA-ARR-01"]);
  const { code, run } = await assayRun(["judge", folder]);
  expect([code, brokenIn(run)]).toEqual([0, []]);
  expect(run.recording?.judged).toBeGreaterThan(5);
});

for (const signal of ["SIGINT", "SIGTERM", "SIGKILL"] as const)
  test(`${signal} in the middle of a large recording keeps what is broken`, {
    // Runs are ended by each signal in killed.spec.ts.
    tag: signal === "SIGTERM" ? [] : "@slow",
  }, async () => {
    const { exchanged, environment } = of(broken);
    const entries = exchanged.map((one) => JSON.stringify(harEntry(one))).join();
    const out = join(emptyFolder(), "run");
    const large = file(`{"log":{"entries":[${Array.from({ length: 500 }, () => entries).join()}]}}`);
    const running = startProcess(["judge", large, "--target", target, "--out", out], environment);
    const journal = join(out, "journal.jsonl");
    await expect
      .poll(() => existsSync(journal) && readFileSync(journal, "utf8").includes('"broken"'), { timeout: 60_000 })
      .toBe(true);
    running.kill(signal);
    const { code }: Ended = await running.ended;
    // What is ended on purpose exits with 3, as a run does.
    expect(code).toBe(signal === "SIGKILL" ? null : 3);
    expect((await assay(["report", out])).code).toBe(signal === "SIGKILL" ? 1 : 3);
    expect([brokenIn(runIn(out)), runIn(out).complete]).toEqual([["CYC-BILL-01"], false]);
  });

test("Ctrl-C while a pipe gives nothing more ends with what was broken", async () => {
  const { har, environment } = of(broken);
  const out = join(emptyFolder(), "run");
  const waiting = new PassThrough();
  waiting.write(har.slice(0, -2));
  const args = ["judge", "-", "--mapping", "har", "--target", target, "--out", out];
  const running = startAssay(args, environment, undefined, undefined, waiting);
  const journal = join(out, "journal.jsonl");
  await expect.poll(() => existsSync(journal) && readFileSync(journal, "utf8").includes('"broken"')).toBe(true);
  running.kill("SIGINT");
  expect([(await running.ended).code, brokenIn(runIn(out)), runIn(out).complete]).toEqual([3, ["CYC-BILL-01"], false]);
});

test("histories and comparisons take such runs", async () => {
  const [first, second] = [await judge(of(honest).har), await judge(of(broken).har, [], of(broken).environment)];
  const history = join(emptyFolder(), "history");
  const taken = await assay(["history", "import", first.folder, second.folder, "--history", history]);
  expect([taken.code, taken.stderr]).toEqual([0, ""]);
  const compared = await assay(["compare", first.folder, second.folder]);
  expect([compared.code, compared.stderr]).toEqual([1, ""]);
  expect(compared.stdout).toContain("CYC-BILL-01");
  const lines = readFileSync(join(history, readdirSync(history)[0] ?? ""), "utf8")
    .trim()
    .split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { readonly kind: string }).kind)).toEqual(["recording", "recording"]);
  const alike = await assay(["compare", first.folder, first.folder]);
  expect([alike.code, alike.stderr]).toEqual([0, ""]);
});

test("what a k6 script logs as the README of recordings shows is read by the form of that name", async () => {
  const readme = read("harness/recordings/README.md");
  const [, log = ""] = /^ {4}(console\.log\(JSON.*)$/m.exec(readme) ?? [];
  const [, flags = "", form = ""] = /`k6 run (--log-format.*) k6\.log` writes[^]*?`--mapping (\w+)`/.exec(readme) ?? [];
  const { base, keys, close } = await servedReference(undefined, Date.now());
  const script = file(
    `import http from "k6/http";
    export default () => {
      const [time, method, url] = [Date.now(), "POST", ${JSON.stringify(`${base}/?api-key=${keys.paid}`)}];
      const sent = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "getIndexerHealth" });
      const res = http.post(url, sent, { headers: { "content-type": "application/json" } });
      ${log}
    };`,
    "script.js",
  );
  const lines = join(script, "..", "k6.log");
  const { code: sent } = await start(k6().path, ["run", ...flags.split(" "), lines, script]).ended;
  await close();
  expect(sent).toBe(0);
  const { code, run } = await assayRun(["judge", lines, "--base", base, "--mapping", form]);
  expect([code, run.recording?.judged, run.recording?.exchanges]).toEqual([0, 1, 1]);
});

for (const [name, content, tag] of [
  ["browser.zip", "attach", []],
  ["browser.har", "attach", ["@slow"]],
  ["browser.har", "embed", ["@slow"]],
] as const)
  test(`what Chromium recorded of an honest platform through Playwright breaks nothing: ${content} in ${name}`, {
    tag: [...tag],
  }, async ({ browser }) => {
    const { base, keys, ids, environment, close } = await servedReference(undefined, Date.now());
    const har = join(emptyFolder(), name);
    try {
      const context = await browser.newContext({ recordHar: { path: har, mode: "full", content } });
      const page = await context.newPage();
      await page.goto(`${base}/v0/admin/projects/${ids.paid}/usage?api-key=${keys.paid}`);
      const send = ([url, body, header]: readonly [string, string | null, string]): Promise<string> =>
        fetch(url, {
          headers: { "x-api-key": header, ...(body ? { "content-type": "application/json" } : {}) },
          ...(body ? { method: "POST", body } : {}),
        }).then((answer) => answer.text());
      const call = JSON.stringify({ jsonrpc: "2.0", id: "a", method: "getIndexerHealth" });
      for (const [url, body] of [
        [`${base}/v0/admin/projects/${ids.free}/usage`, null],
        [`${base}/?api-key=${keys.paid}`, call],
        [`${base}/?api-key=${keys.paid}`, `[${call}]`],
        [`${base}/?api-key=wrong`, call],
      ] as const)
        await page.evaluate(send, [url, body, keys.free] as const);
      await context.close();
    } finally {
      await close();
    }
    const { code, run, folder } = await assayRun(["judge", har, "--target", vendorAt(base)], environment);
    expect([code, brokenIn(run), run.recording?.judged]).toEqual([0, [], 5]);
    const all = bytesBelow(folder);
    for (const key of Object.values(keys)) expect(all).not.toContain(key);
  });
