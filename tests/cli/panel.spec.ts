// assay panel: vendors over real HTTP, in a process of its own; what it says, leaves and refuses.
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "@playwright/test";
import {
  assay,
  bytesBelow,
  type Ended,
  emptyFolder,
  expectCommandLineError,
  type PanelReport,
  panelIn,
  startAssay,
} from "../support/assay.ts";
import { configFile, smallestConfig } from "../support/customChecks.ts";
import { otherCommandOn } from "../support/otherCommand.ts";
import { type Embedded, servedReference, vendorNamed } from "../support/servedReference.ts";
import { schemaProblems } from "../support/standards.ts";
import { deadBase } from "../support/vendor.ts";

test.describe.configure({ mode: "parallel" });

const folder = emptyFolder();
const names = ["ada", "bea", "cyd", "dan"] as const;
const platforms: Embedded[] = [];
const environment: { [name: string]: string } = {};

/** The reference as a vendor of a name, with variables of its own. */
const vendorAt = (base: string, name: string): string =>
  vendorNamed(name, base)
    .replace("pace: { perSecond: 25,", "pace: { perSecond: 45,")
    .replaceAll("ASSAY_REFERENCE", name.toUpperCase());

const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const [ada, bea, cyd, dan] = names.map((name) => join(folder, `${name}.yaml`)) as [string, string, string, string];

test.beforeAll(async () => {
  for (const name of names) {
    const platform = await servedReference(name === "dan" ? "CB-ADDR-01.zero" : undefined);
    platforms.push(platform);
    file(`${name}.yaml`, vendorAt(platform.base, name));
    for (const [variable, key] of Object.entries(platform.environment))
      environment[variable.replace("ASSAY_REFERENCE", name.toUpperCase())] = key;
  }
});
test.afterAll(async () => {
  for (const { close } of platforms) await close();
});

async function panelOf(
  args: readonly string[],
): Promise<Ended & { readonly out: string; readonly panel: PanelReport }> {
  const out = join(emptyFolder(), "panel");
  const ended = await assay(["panel", ...args, "--out", out, "--runs", emptyFolder()], environment);
  return { ...ended, out, panel: panelIn(out) };
}

test("of four, one that answers otherwise is wrong, and a line repeats just that", async () => {
  const { code, stdout, out, panel } = await panelOf([ada, bea, cyd, dan, "--rounds", "12"]);
  expect({ code, says: stdout.includes("dan is wrong") }).toEqual({ code: 1, says: true });
  expect(schemaProblems("reports/panel.schema.json", panel)).toEqual([]);
  const [dissent] = panel.dissents;
  expect(dissent?.standings).toEqual(["agrees", "agrees", "agrees", "wrong"]);
  expect(dissent?.exchanges.map((one) => one?.answer?.body.includes('"value":0'))).toEqual([false, false, false, true]);
  const differs = "balance: 9007199254740993 ×3, dan 0 (-9007199254740993, wrong)";
  expect(stdout).toContain(`  ≠ ${dissent?.question}, ${differs}\n`);
  expect(readFileSync(join(out, "panel.md"), "utf8")).toContain(`, ${differs.replace(" 0 ", " **0** ")}\n`);
  const page = readFileSync(join(out, "index.html"), "utf8");
  for (const text of [...names, "dan is wrong", dissent?.replay ?? "-"]) expect(page).toContain(text);
  for (const key of Object.values(environment)) expect(`${bytesBelow(out)}${stdout}`).not.toContain(key);

  const replay = (dissent?.replay ?? "").split(" ").slice(3);
  expect(replay.slice(-4)).toEqual(["--rounds", "12", "--only", dissent?.question]);
  const again = await panelOf([...replay, "--rounds", "2"]);
  expect(again.panel.questions.map(({ id, polls }) => [id, polls])).toEqual([[dissent?.question, 2]]);
  expect(again.stdout).toContain("dan is different on some questions that stay undecided");
});

test("a panel and other commands on its vendors hear of each other, and its lines keep its config", async () => {
  const cache = { XDG_CACHE_HOME: emptyFolder() };
  const other = otherCommandOn(ada, { ...environment, ...cache });
  const config = configFile(smallestConfig);
  const out = join(emptyFolder(), "panel");
  const words = ["panel", ada, dan, "--reference", "ada", "--rounds", "4", "--config", config, "--out", out];
  const { stdout } = await assay([...words, "--runs", emptyFolder()], { ...environment, ...cache });
  expect(stdout).toMatch(/\n {2}another command uses main, .* too \(process \d+, since /);
  expect(other.heard.sentences()).toEqual([]);
  expect(other.heard.projects()).toContain("main");
  other.end();
  expect(panelIn(out).dissents[0]?.replay).toContain(` --config ${config} `);
});

test("three that are divided are a question, and nobody is blamed", async () => {
  const { code, stdout } = await panelOf([ada, bea, dan, "--rounds", "4"]);
  expect(code).toBe(0);
  expect(stdout).toContain("too few vendors to decide: ada and bea agree against dan");
  expect(stdout).not.toMatch(/is wrong|✗/);
});

test("of two, the difference is a question, and one is wrong where the other is the reference: newly so", async () => {
  const before = await panelOf([ada, dan, "--rounds", "4"]);
  expect(before.code).toBe(0);
  expect(before.stdout).toContain("ada and dan differ, and nothing shows who is right");
  const after = await panelOf([ada, dan, "--reference", "ada", "--rounds", "12"]);
  expect(after.code).toBe(1);
  expect(after.stdout).toContain("dan is wrong");

  const out = emptyFolder();
  const compared = await assay(["compare", before.out, after.out, "--out", out]);
  expect(compared.code).toBe(1);
  expect(compared.stdout).toContain("newly wrong: getCompressedBalance-");
  expect(readFileSync(join(out, "index.html"), "utf8")).toContain("Newly wrong: dan");
  expect(readdirSync(out).sort()).toEqual(["compare.json", "compare.md", "index.html"]);
});

test("of three that agree nobody is wrong, and each ask begins together, in an order that the seed gives", async () => {
  const { code, stdout, panel } = await panelOf([ada, bea, cyd, "--rounds", "4", "--seed", "7"]);
  expect({ code, says: stdout.includes("Nobody is wrong or behind") }).toEqual({ code: 0, says: true });
  expect(panel.dissents).toEqual([]);
  expect(panel.apart).toBeLessThan(panel.rounds * panel.questions.length);
  const again = await panelOf([ada, bea, cyd, "--rounds", "4", "--seed", "7"]);
  const asked = ({ questions }: PanelReport) => questions.map(({ id }) => id);
  expect(asked(again.panel)).toEqual(asked(panel));
  const other = await panelOf([ada, bea, "--rounds", "1", "--seed", "8"]);
  expect(asked(other.panel)).not.toEqual(asked(panel));
});

test("a list of one's own, only some of it, and the same as JSON", async () => {
  const owner = "D1VtmGG1jUKtipm1ZGmkbro3akJ5J6CxzfJSJPnqoe5w";
  const list = file("questions.yaml", `- getTokenAccounts: { owner: ${owner}, limit: 3 }\n- getIndexerHealth: null\n`);
  const { panel } = await panelOf([ada, bea, "--questions", list, "--rounds", "2"]);
  const own = panel.questions.filter(({ about }) => about.includes("limit") || about === "null").slice(0, 2);
  expect(own.map(({ about, polls }) => [about, polls])).toEqual([
    [`{"limit":3,"owner":"${owner}"}`, 2],
    ["null", 2],
  ]);
  const id = own[0]?.id ?? "";
  const { stdout } = await assay(
    [
      "panel",
      ada,
      bea,
      "--questions",
      list,
      "--only",
      id,
      "--rounds",
      "2",
      "--json",
      "--out",
      join(emptyFolder(), "p"),
    ],
    environment,
  );
  expect((JSON.parse(stdout) as PanelReport).questions.map((one) => one.id)).toEqual([id]);
});

test("one that is dead is left out, which text and page say, and the others are compared", async () => {
  const gone = file("gone.yaml", vendorAt(await deadBase(), "gone").replaceAll("GONE", "CYD"));
  const { code, stdout, out, panel } = await panelOf([ada, bea, gone, "--rounds", "2"]);
  expect([code, panel.complete, panel.defects]).toEqual([0, true, []]);
  expect(schemaProblems("reports/panel.schema.json", panel)).toEqual([]);
  const polls = panel.questions.reduce((all, question) => all + question.polls, 0);
  const [absence] = panel.absences ?? [];
  expect(absence).toMatchObject({ vendor: 2, to: null, why: expect.stringMatching(/^refused: ECONNREFUSED/) });
  expect([(absence?.polls ?? 0) > polls / 2, (absence?.polls ?? 0) <= polls]).toEqual([true, true]);
  const line = new RegExp(
    `gone was left out of ${absence?.polls} polls from [\\d:]+ until the end, as it gave no answer`,
  );
  expect(stdout).toMatch(line);
  expect(readFileSync(join(out, "index.html"), "utf8")).toMatch(line);
  // Nothing is known of a connection that wasn't made, and addresses have neither a name nor TLS here.
  const phases = panel.connections?.map(({ vendor, phase }) => `${vendor} ${phase}`);
  expect(phases?.sort()).toEqual(["0 connect", "0 server", "1 connect", "1 server"]);
});

test("nights become one page, in any order of vendors, and two panels are compared", async () => {
  const history = join(emptyFolder(), "nights");
  const honest = await panelOf([cyd, ada, bea, "--rounds", "3", "--history", history]);
  const later = await panelOf([ada, bea, cyd, "--rounds", "3", "--history", history]);
  expect(readdirSync(history)).toEqual(["ada+bea+cyd.panels"]);
  const shown = await assay(["history", history]);
  expect(shown.code).toBe(0);
  const page = readFileSync(shown.stdout.trim().split("\n").at(-1) ?? "", "utf8");
  expect(page).toContain("Night by night");
  expect(page).toContain(`${honest.panel.rounds + later.panel.rounds} rounds`);

  const same = await assay(["compare", honest.out, later.out]);
  expect([same.code, same.stdout.split("\n")[0]]).toEqual([0, "Nobody is newly wrong."]);
});

test("each vantage has a history of its own, and the latest runs stand beside a panel", async () => {
  const [history, runs, only] = [join(emptyFolder(), "nights"), emptyFolder(), "--only=USG-FLD-01"];
  for (const [target, name] of [
    [ada, "ada"],
    [bea, "bea"],
  ] as const)
    await assay(["run", "--target", target, only, "--out", join(runs, `of-${name}`)], environment);
  let out = "";
  for (const vantage of ["lab", "the moon"]) {
    out = join(emptyFolder(), "panel");
    const given = ["--history", history, "--vantage", vantage, "--runs", runs, "--rounds", "1", "--out", out];
    expect((await assay(["panel", ada, bea, ...given], environment)).code).toBe(0);
  }
  expect(readdirSync(history).sort()).toEqual(["ada+bea@lab.panels", "ada+bea@the-moon.panels"]);
  expect(readFileSync(join(out, "index.html"), "utf8")).toContain("Their latest runs");
  const { conformance } = JSON.parse(readFileSync(join(out, "panel.json"), "utf8")) as {
    conformance: { runs: { name: string }[] };
  };
  expect(conformance.runs.map(({ name }) => name)).toEqual(["ada", "bea"]);
});

test("a signal ends it with what was found", async () => {
  const out = join(emptyFolder(), "panel");
  const running = startAssay(["panel", ada, bea, cyd, dan, "--for", "10m", "--out", out], environment);
  await expect.poll(() => existsSync(out)).toBe(true);
  await new Promise((done) => setTimeout(done, 1_500));
  running.kill("SIGINT");
  expect((await running.ended).stdout).toContain("round");
  expect(readdirSync(out).sort()).toEqual(["index.html", "panel.json", "panel.md", "questions.json"]);
  expect(panelIn(out).complete).toBe(false);
});

test("bad input: an unknown question, reported once the lists are known", async () => {
  const out = join(emptyFolder(), "panel");
  const { code, stderr } = await assay(["panel", ada, bea, "--only", "getWallet", "--out", out], environment);
  expect([code, existsSync(out), stderr.trim().split("\n").length]).toEqual([2, false, 1]);
  expect(stderr).toMatch(/--only names getWallet, .* Its questions are getTokenAccounts-/);
});

test("a folder that can't be made is told as one to name anew", async () => {
  const link = join(emptyFolder(), "link");
  symlinkSync(join(emptyFolder(), "nowhere"), link);
  const { code, stderr } = await assay(["panel", ada, bea, "--rounds", "1", "--out", link], environment);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/questions\.json can't be written \(\w+\)\. Name another/)]);
});

test("vendors of different chains: of two nothing is compared, of three the one alone is left out", async () => {
  const elsewhere = await servedReference(undefined, Date.parse("2024-01-15T00:00:00Z"));
  const own = file("far.yaml", vendorAt(elsewhere.base, "far"));
  const keys: { [name: string]: string } = { ...environment };
  for (const [name, key] of Object.entries(elsewhere.environment)) keys[name.replace("ASSAY_REFERENCE", "FAR")] = key;
  const out = join(emptyFolder(), "panel");
  const { code, stderr } = await assay(["panel", ada, own, "--out", out], keys);
  expect([code, existsSync(out)]).toEqual([2, false]);
  expect(stderr).toContain("more than a day apart: they serve different chains");
  const most = await assay(["panel", own, ada, bea, "--rounds", "1", "--out", out, "--runs", emptyFolder()], keys);
  expect([most.code, most.stderr]).toEqual([
    0,
    expect.stringMatching(/far\.yaml is left out: its slot .* another chain/),
  ]);
  expect(panelIn(out).vendors.map(({ name }) => name)).toEqual(["ada", "bea"]);
  await elsewhere.close();
});

test("bad input: a panel beside a run, or one that is damaged", async () => {
  const { out } = await panelOf([ada, bea, "--rounds", "1"]);
  await expectCommandLineError(["compare", out, ada], "Name the folders of two panels");
  writeFileSync(join(out, "panel.json"), "{");
  await expectCommandLineError(["compare", out, out], `${basename(out)}/panel.json isn't a panel`);
});
