// Tests of `assay load`: exit codes, reports and progress on healthy and faulty platforms
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { assay, assayRun, bytesBelow, expectCommandLineError } from "../support/assay.ts";
import { everywhere, type FaultyOptions, faulty, refusalBody } from "../support/faultyPlatform.ts";
import { keyForms as forms, k6 } from "../support/k6.ts";
import { schemaProblems } from "../support/standards.ts";
import {
  always,
  deadBase,
  loadTargetFile,
  smallEnvironment,
  smallTarget,
  targetFile,
  vendor,
  vendorKey,
} from "../support/vendor.ts";

const smokeOf = (base: string, more = "", args: readonly string[] = []) =>
  assayRun(["load", "smoke", "--target", targetFile(`${smallTarget(base)}${more}`), ...args], smallEnvironment);

/** Smoke for three seconds on a small platform that serves usage, and misbehaves as given. */
async function loaded(options: FaultyOptions = {}, more = "", args: readonly string[] = []) {
  k6();
  const { port, close, heard } = await faulty(options);
  const ended = await smokeOf(`http://127.0.0.1:${port}`, more, ["--duration", "3s", ...args]);
  await close();
  return { ...ended, heard };
}

const headOf = (status: string, body: string, more = ""): string =>
  `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\n${more}content-length: ${body.length}\r\n\r\n`;

/** The first requests of a load come as owner and unauthorized. */
const isLoad = ({ nth }: { readonly nth: number }): boolean => nth > 2;

test("the reference meets its requirements under load, and the run has the usual format", async () => {
  k6();
  const { code, stdout, folder, run } = await assayRun(["load", "smoke", "--duration", "2s", "--rate", "16"]);
  expect(stdout).toContain("assay load smoke · reference");
  expect(stdout).toContain(`\n  sends by k6 ${k6().version}, ${k6().path}\n`);
  expect([run.load?.doubt, code]).toEqual([null, 0]);
  expect(schemaProblems("reports/run.schema.json", run)).toEqual([]);
  expect(run.totals).toMatchObject({ broken: 0, warned: 0, inconclusive: 0 });
  expect(run.totals.holds).toBeGreaterThan(50);
  const { phases = [], latencies = [], judged, broken, dropped } = run.load ?? {};
  expect(phases).toHaveLength(1);
  // Fewer than there are virtual users, so that a pause of a busy machine can't drop one.
  expect(phases[0]?.requests).toBeGreaterThan(30);
  expect({ judged, broken, dropped, served: phases[0]?.served }).toEqual({
    judged: phases[0]?.requests,
    broken: [],
    dropped: 0,
    served: phases[0]?.requests,
  });
  const { of } = await planned("smoke", "targets/reference.yaml");
  const operations = Object.keys(of).filter((name) => typeof of[name] === "number");
  expect(operations).toContain("getTokenAccounts");
  expect(latencies.map(({ operation }) => operation).toSorted()).toEqual(operations.toSorted());
  expect(stdout).toMatch(
    /^Passed: [\d.]+\/s for 2 s · p95 [\d,.]+ ms · 0 of \d+ rate-limited · 0 failed · nothing broken\.$/m,
  );
  expect(stdout).toMatch(/smoke by k6 [\d.]+: steady 16\/s for 2 s · \d+ answers judged by all laws, \d+ kept/);
  const page = readFileSync(join(folder, "index.html"), "utf8");
  expect(page).toContain('<h2 id="load">Load</h2>');
  // Only a sample is kept, of which no rate follows.
  expect(page).toMatch(/<h2 id="exchanges">Sample of \d+ of \d+ exchanges<\/h2>/);
  expect(page).not.toContain("Requests over the run");
});

// The second interface's load finds a mutant, too, and so do all laws in k6.
test("a mutant is killed under load: counted, and shown by a few answers", { tag: "@slow" }, async () => {
  k6();
  const mutant = "USG-KEYS-04.streams-in-requests";
  const { code, stdout, run } = await assayRun(["load", "smoke", "--duration", "3s", "--mutant", mutant]);
  expect(code).toBe(1);
  expect(run.requirements.filter(({ verdict }) => verdict === "broken").map(({ id }) => id)).toEqual(["USG-KEYS-04"]);
  const times = run.load?.broken.find(({ id }) => id === "USG-KEYS-04")?.times ?? 0;
  expect(times).toBeGreaterThan(3);
  const [first] = run.requirements.filter(({ id }) => id === "USG-KEYS-04");
  const shown = new Set(first?.breaches.map(({ exchange }) => exchange));
  for (const number of shown) expect(run.exchanges.some((exchange) => exchange.number === number)).toBe(true);
  expect(first?.replay).toBe(`npx assay load smoke --mutant ${mutant} --duration 3s --seed 1`);
  expect(stdout).toContain(`broken: USG-KEYS-04 in ${times} answers`);
});

test("refusals for a rate are counted and timed separately", { tag: "@slow" }, async () => {
  const refusal = refusalBody(429, "ThrottlerException: Too Many Requests", "Too Many Requests");
  const head = headOf("429 Too Many Requests", refusal);
  const { run } = await loaded({
    when: ({ nth }) => nth > 2 && nth % 2 === 0,
    how: (socket) => void socket.write(head + refusal),
  });
  const [phase] = run.load?.phases ?? [];
  expect(phase?.limited).toBeGreaterThan(3);
  expect(phase?.served).toBeGreaterThan(3);
  expect(run.load?.latencies.map(({ outcome, count }) => [outcome, count])).toEqual([
    ["served", phase?.served],
    ["limited", phase?.limited],
  ]);
});

test("answers that aren't judged, at 600 requests per second, count by their status", { tag: "@slow" }, async () => {
  const refusal = refusalBody(429, "ThrottlerException: Too Many Requests", "Too Many Requests");
  const head = headOf("429 Too Many Requests", refusal);
  const { run } = await loaded(
    { when: ({ nth }) => nth > 2 && nth % 4 === 0, how: (socket) => void socket.write(head + refusal) },
    "load: { perSecond: 600 }",
    ["--rate", "600"],
  );
  const [phase] = run.load?.phases ?? [];
  expect(run.load?.judged).toBeLessThan(300);
  expect(phase?.failed).toBe(0);
  expect(phase?.limited).toBeGreaterThan(200);
  expect(phase?.served).toBeGreaterThan(600);
});

test("answers that can't be judged make the load inconclusive", { tag: "@slow" }, async () => {
  const { code, run, stdout } = await loaded({ when: ({ nth }) => nth > 2 && nth % 3 === 0 });
  expect(code).toBe(3);
  expect(run.load?.phases[0]?.failed).toBeGreaterThan(1);
  expect(run.load?.doubt).toMatch(/got no answer that can be judged/);
  expect(run.totals).toMatchObject({ holds: 0, broken: 0 });
  expect(stdout).toMatch(/^Inconclusive: \d+ of \d+ requests got no answer that can be judged · /m);
});

test("a generator that can't keep up makes the load inconclusive", { tag: "@slow" }, async () => {
  // At most 200 virtual users, each of which waits for an answer.
  const silent = { when: isLoad, how: () => {} };
  const { code, run } = await loaded(silent, "load: { perSecond: 200 }", ["--rate", "200"]);
  expect(code).toBe(3);
  expect(run.load?.dropped).toBeGreaterThan(100);
  expect(run.load?.doubt).toMatch(/no request was served|the generator was saturated/);
});

test("a passed latency bound of the target fails the load", { tag: "@slow" }, async () => {
  const { code, run, stdout } = await loaded({}, "load: { latencyP95_ms: { getProjectUsage: 0.001 } }");
  expect(code).toBe(1);
  expect(run.load?.bounds).toMatchObject([{ operation: "getProjectUsage", bound_ms: 0.001, isKept: false }]);
  expect(stdout).toMatch(/getProjectUsage answered with p95 [\d.]+ ms, above the target file's bound of 0\.001 ms/);
});

test("no load is sent to a platform that doesn't know the key, or that serves anybody", async () => {
  const unknownKey = await loaded({
    when: everywhere,
    how: (socket) => void socket.write("HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n"),
  });
  k6();
  let requests = 0;
  const { base, close } = await vendor((request, response) => {
    requests += 1;
    always(200, "application/json", "{}")(request, response);
  });
  const anybody = await smokeOf(base);
  await close();
  for (const { code, run } of [unknownKey, anybody]) {
    expect(code).toBe(3);
    expect(run.load?.doubt).toMatch(/^no load was sent: the preflight failed/);
  }
  expect(Math.max(requests, unknownKey.heard.length)).toBeLessThanOrEqual(4);
});

test("a platform that can't be reached is inconclusive", async () => {
  k6();
  const { code, stdout } = await smokeOf(await deadBase());
  expect(code).toBe(3);
  expect(stdout).toMatch(/^Inconclusive: no load was sent: .*refused/m);
});

/** Its operator agrees to load. */
const acme = (more = "", base?: string, project?: string): string =>
  loadTargetFile(`allow: [load]\n${more}`, { base, project });
const far = "https://acme.example";

/** What the plan of a load says first, and of each operation: its share in %, or why it is left out. */
async function planned(shape: string, target: string, ...args: readonly string[]) {
  const { code, stderr, stdout } = await assay(["load", shape, "--plan", "--target", target, ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const [first = "", ...lines] = stdout.trim().split("\n");
  const operations = lines.flatMap((line) => {
    const [, name, share, reason] = /^ {2}(\w+) +(?:([\d.]+) % of requests|not loaded: (.*))$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, share === undefined ? reason : Number(share)] as const];
  });
  return { first, of: Object.fromEntries(operations) };
}

test("a plan says the phases of a shape, which only with stress exceed the allowed rate", async () => {
  const { first } = await planned("spike", acme());
  expect(first).toContain("before 5.6/s for 20 s, rush 28/s for 20 s, after 5.6/s for 20 s · about ");
  const stress = await planned("stress", acme(), "--rate", "10");
  expect(stress.first).toContain("step 1 10/s for 10 s, step 2 20/s for 10 s, step 3 40/s for 10 s, step 4 80/s");
});

test("a plan's requests are those of the shape, with owner and unauthorized caller before them", async () => {
  const { first } = await planned("smoke", acme("offers: [usage, wallet]"));
  expect(first).toContain("steady 16/s for 20 s · about 324 requests");
});

test("with consent a load takes the target's rate and duration", async () => {
  const { first } = await planned(
    "smoke",
    acme("offers: [usage]\nload: { perSecond: 3, seconds: { smoke: 30 } }", far),
  );
  expect(first).toContain("steady 3/s for 30 s · about 92 requests");
});

test("a mix has every operation that the target allows, and its lacks are named", async () => {
  const { of } = await planned("smoke", acme());
  for (const name of ["getProjectUsage", "getWalletBalances", "getIndexerHealth", "getTokenAccounts"])
    expect(of[name], name).toBeGreaterThan(1);
  expect(of["getWalletBalanceAt"]).toBe("the target gives no `names.balanceAt.mint`");
  expect(of).not.toHaveProperty("sendBundle");
  // 4 of 28 requests a second.
  expect(of["getProjectUsage"]).toBe(14.3);
  const wallet = Object.entries(of).filter(([name, share]) => /Wallet/.test(name) && typeof share === "number");
  expect(wallet.reduce((total, [, share]) => total + Number(share), 0)).toBeCloseTo(100 * (12 / 28), 0);
});

test("weights and the project's general limit divide the pace of an API", async () => {
  const general = "plan: paid, generalPerSecond: 5";
  const { first, of } = await planned(
    "smoke",
    acme("offers: [usage, tokenAccounts, compression]\nload: { weights: { getTokenAccounts: 3 } }", undefined, general),
  );
  // 4 of usage, and four fifths of the general limit.
  expect(first).toContain("steady 8/s for 20 s");
  expect(Number(of["getTokenAccounts"]) / Number(of["getIndexerHealth"])).toBeCloseTo(3, 0);
});

test("calls of 100 credits are part of a mix on loopback, elsewhere only where the target names them", async () => {
  const walletIn = async (target: string): Promise<readonly unknown[]> => {
    const { of } = await planned("smoke", target);
    return [of["getWalletBalances"], of["getWalletHistory"]];
  };
  const left = "a call costs 100 credits, and the target's load.operations doesn't name it";
  expect(await walletIn(acme())).toEqual([expect.any(Number), expect.any(Number)]);
  expect(await walletIn(acme("", far))).toEqual([left, left]);
  expect(await walletIn(acme("load: { operations: [getWalletBalances] }", far))).toEqual([expect.any(Number), left]);
});

test("bundles are never part of a load", () =>
  expectCommandLineError(
    ["load", "smoke", "--target", targetFile(`${smallTarget("http://127.0.0.1:9")}load: { operations: [sendBundle] }`)],
    "load.operations.0 must be one of getProjectUsage, ",
    smallEnvironment,
  ));

test("spike and stress run to their ends", { tag: "@slow" }, async () => {
  k6();
  test.setTimeout(240_000);
  const rush = await assayRun(["load", "spike", "--duration", "15s", "--rate", "20"]);
  const { load } = rush.run;
  expect([load?.doubt, rush.code]).toEqual([null, 0]);
  expect(load?.phases).toHaveLength(3);
  for (const [nth, expected] of [20, 100, 20].entries())
    expect(Math.abs((load?.phases[nth]?.requests ?? 0) - expected)).toBeLessThanOrEqual(2);
  // The plan's general limit is 50 a second after a burst of 100: it refuses before latency or errors rise.
  const stressed = await assayRun(["load", "stress", "--duration", "60s", "--rate", "20"]);
  const knee = stressed.run.load?.knee;
  expect(stressed.code).toBe(0);
  expect(knee?.perSecond).toBeGreaterThanOrEqual(20);
  expect(knee?.brokenBy).toMatch(/were rate-limited|the generator started only|p95 was/);
});

for (const [printed, args, options] of [
  ["", [], {}],
  [", with --json", ["--json"], { tag: "@slow" }],
] as const) {
  test(`no byte of a load holds a key, in any form${printed}`, options, async () => {
    const members = ["creditsRemaining", "creditsUsed", "prepaidCreditsUsed", "creditCycle", "credits"];
    const echo = JSON.stringify(Object.fromEntries(members.map((member) => [member, { [vendorKey]: forms }])));
    const head = headOf("200 OK", echo, `x-echo: ${forms.join(" ")}\r\n`);
    // Half of the answers echo keys and break nearly everything; the other requests fail, which k6 prints.
    let answers = 0;
    const how = (socket: Socket): void =>
      void ((answers += 1) % 2 === 0 ? socket.write(head + echo) : socket.destroy());
    const { folder, stdout, stderr, run } = await loaded({ when: isLoad, how }, "", args);
    expect(run.load?.broken.length).toBeGreaterThan(3);
    expect(run.load?.phases[0]?.failed).toBeGreaterThan(4);
    const everything = [bytesBelow(folder), stdout, stderr].join("\n");
    expect(everything).toContain("<key:paid>");
    for (const form of forms) expect(everything.toLowerCase()).not.toContain(form.slice(12, -12).toLowerCase());
  });
}
