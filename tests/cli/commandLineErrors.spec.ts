// Bad input: one clear paragraph, exit code 2, and nothing written.
import { existsSync, mkdirSync, readdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { assay, emptyFolder, expectCommandLineError, start } from "../support/assay.ts";
import { always, smallEnvironment, smallTarget, targetFile, vendor } from "../support/vendor.ts";

const target = smallTarget("https://vendor.example");
/** A target that pays for bundles with the secret in a variable. */
const payingWith = (variable: string): string =>
  `${target}
allow: [sendBundle]
bundles: { tipAccount: "8iU3ju5vZRPQDQ4JjQHJz17fnB14rjvYwjAtCXDpi5s8", payer: { env: ${variable} } }`;

for (const [title, args, error] of [
  ["an unknown target file", ["--target", "targets/nowhere.yaml"], "There is no target file targets/nowhere.yaml"],
  ["a target that is a folder", ["--target", "targets"], "targets can't be read (EISDIR)"],
  ["an unknown id in --only", ["--only", "CYC-PRES-1"], 'CYC-PRES-1 (did you mean "CYC-PRES-01"?)'],
] as const)
  test(title, () => expectCommandLineError(["run", ...args], error, smallEnvironment));

const initFlags = ["--rpc", "https://vendor.example", "--key", "SMALL_KEY"];
for (const [title, args, error] of [
  ["init without an address", ["--key", "SMALL_KEY"], "assay init needs a base address and a key"],
  ["init without a key", ["--rpc", "https://vendor.example"], "assay init needs a base address and a key"],
  ["init with a variable that isn't set", [...initFlags.slice(0, 3), "NOWHERE"], "NOWHERE, which is not set"],
  ["init with an unknown chain", [...initFlags, "--chain", "mainnet"], "chain must be one of solana-mainnet"],
  ["init with an address without encryption", ["--rpc", "http://vendor.example", ...initFlags.slice(2)], "unencrypted"],
  ["init into a file that exists", [...initFlags, "--out", "package.json"], "package.json exists already"],
  [
    "init from a run without a target file",
    ["--from", "runs/none", "--out", "no.yaml"],
    "There is no target file no.yaml",
  ],
] as const)
  test(title, () => expectCommandLineError(["init", ...args], error, smallEnvironment));

test("a target without an end", () =>
  expectCommandLineError(["run", "--target", "/dev/zero"], "/dev/zero has more than 1048576 bytes", smallEnvironment));

test("a journal that no run can have made", async () => {
  const folder = emptyFolder();
  writeFileSync(join(folder, "journal.jsonl"), "");
  truncateSync(join(folder, "journal.jsonl"), 500_000_000);
  await expectCommandLineError(["report", folder], "has 500 MB, more than the 150 MB", smallEnvironment);
});

/** Each of six lists has the one before it ten times. */
const bomb = ["a", "b", "c", "d", "e", "f"]
  .map(
    (name, nth, all) =>
      `${name}: &${name} [${Array(10)
        .fill(nth === 0 ? 1 : `*${all[nth - 1]}`)
        .join(", ")}]`,
  )
  .join("\n");

const files: readonly (readonly [title: string, yaml: string, error: string])[] = [
  ["aliases that multiply", bomb, "its aliases can't be resolved"],
  ["a request in centuries", target.replace(/pace: .*/, "pace: { perSecond: 1e-9 }"), "pace.perSecond must be >= 0.01"],
  ["invalid YAML", "name: [", "this is no YAML"],
  ["a contact that is no address", `${target}\ncontact: our team`, "contact is neither a URL nor a mail address"],
  ["a contact with a line break", `${target}\ncontact: "qa@acme.example\\r\\nx-admin: 1"`, "contact is neither a URL"],
  ["an unknown field", `${target}\nqiet: true`, 'unknown field "qiet" (did you mean "quiet"?)'],
  ["an unknown role", target.replace("paid:", "payed:"), 'keys has an unknown field "payed" (did you mean "paid"?)'],
  [
    "an unknown field of a project",
    target.replace("plan:", "plan: paid, plann:"),
    'unknown field "plann" (did you mean "plan"?)',
  ],
  ["an unknown chain", `${target}\nchain: solana-testnet`, "chain must be one of solana-mainnet, solana-devnet, none"],
  ["an owner that is no address", `${target}\nsamples: { owner: nobody }`, 'samples.owner is no address ("nobody")'],
  ["a wallet of 33 bytes", `${target}\nsamples: { wallets: ["${"1".repeat(33)}"] }`, "samples.wallets.0 is no address"],
  [
    "no base at all",
    target.replace(/^(bases|offers):.*$/gm, ""),
    "names no base. Add the platform's addresses: bases.admin",
  ],
  ["a payer, but neither a tip account nor a chain", `${target}\nbundles: { tipLamports: 5 }`, "name a chain"],
  ["a base that is no address", smallTarget("vendor.example"), "bases.admin is no address"],
  ["a base that is no URL", smallTarget("https://vendor:port"), "which is no URL"],
  ["a base with a query", smallTarget("https://vendor.example/?api-key=x"), "bases.admin carries a query"],
  ["a key of an unknown project", target.replace("project: main", "project: mian"), '"mian" (did you mean "main"?)'],
  [
    "a feature without a base",
    target.replace("[usage]", "[usage, wallet]"),
    "offers names wallet, but bases.api is missing",
  ],
  ["a paid role on a free plan", target.replace("plan: paid", "plan: free"), "which is not on a paid plan"],
  [
    "a tip account that is no address",
    `${target}\nbundles: { tipAccount: "2222222222222222222222222222222222222222222" }`,
    "bundles.tipAccount is no address",
  ],
  ["a payer whose secret is not set", payingWith("NOWHERE"), "NOWHERE, which is not set"],
  ["a payer whose secret is invalid", payingWith("SMALL_KEY"), "holds no private key"],
  [
    "a deviation that names nothing",
    `${target}\ndeviations: [{ requirement: USG-FLD-99, expect: { at: /x }, reason: r, owner: o, until: 2027-01-01 }]`,
    "USG-FLD-99 (did you mean",
  ],
];

for (const [title, yaml, error] of files) {
  test(`a target with ${title}`, async () => {
    const out = join(emptyFolder(), "run");
    await expectCommandLineError(["run", "--target", targetFile(yaml), "--out", out], error, smallEnvironment);
    expect(existsSync(out)).toBe(false);
  });
}

test("a key variable that is not set", () =>
  expectCommandLineError(
    ["run", "--target", targetFile(target)],
    "the environment variable SMALL_KEY, which is not set. Set it (export SMALL_KEY=…)",
    { SMALL_KEY: "" },
  ));

test("a key too short to be hidden", async () => {
  const { code, stderr } = await assay(["run", "--target", targetFile(target)], { SMALL_KEY: "abc" });
  expect(code).toBe(2);
  expect(stderr).toContain("SMALL_KEY");
  expect(stderr).not.toContain("abc");
});

test("an unknown flag and an unknown command suggest the nearest", async () => {
  const flag = await assay(["run", "--onyl", "CYC-PRES-01"]);
  expect(flag.code).toBe(2);
  expect(flag.stderr).toContain("--only");
  const command = await assay(["rnu"]);
  expect(command.code).toBe(2);
  expect(command.stderr).toContain("run");
});

test("an output folder below a file", async () => {
  const file = join(emptyFolder(), "file");
  writeFileSync(file, "");
  await expectCommandLineError(["run", "--out", join(file, "run")], "can't be made or written to (ENOTDIR)");
});

const started = {
  record: "start",
  version: "9.9.9",
  id: "x",
  target: "x",
  isReference: false,
  bases: {},
  command: "x",
  startedAt: "2027-01-01T00:00:00.000Z",
  planned: [],
  unchecked: [],
  plan: {},
};
for (const [title, journal, error] of [
  ["of a newer format", JSON.stringify({ ...started, format: 3 }), "journal.jsonl has run format 3, of a newer Assay"],
  ["of format 1", JSON.stringify({ ...started, format: 1 }), "journal.jsonl has run format 1, of an older Assay"],
  ["without a format", JSON.stringify(started), "journal.jsonl has run format 1, of an older Assay"],
  ["whose journal has no beginning", '{"record":"sta', "journal.jsonl is missing or has no beginning"],
] as const) {
  for (const command of ["report", "requirements"])
    test(`assay ${command} refuses a run ${title}`, async () => {
      const folder = emptyFolder();
      writeFileSync(join(folder, "journal.jsonl"), journal);
      await expectCommandLineError([command, folder], error);
      expect(readdirSync(folder)).toEqual(["journal.jsonl"]);
    });
}

for (const [title, name, flags, error] of [
  ["of no known format", "report.txt", [], "report.txt, which names no format. End it with .html or .md"],
  ["beside another output", "report.md", ["--json"], "--for-vendor writes one file alone. Leave --json out"],
  ["in the place of a folder", "runs.md", [], "runs.md, a folder. Name a file"],
  ["of a run that isn't there", "report.md", [], "There is no folder nowhere"],
] as const)
  test(`a report for the vendor ${title}`, async () => {
    const folder = emptyFolder();
    mkdirSync(join(folder, "runs.md"));
    await expectCommandLineError(["report", "nowhere", "--for-vendor", join(folder, name), ...flags], error);
    expect(readdirSync(folder)).toEqual(["runs.md"]);
  });

test("a port in use for serve, and an invalid one", async () => {
  const { base, close } = await vendor(always(200, "text/plain", ""));
  const { port } = new URL(base);
  await expectCommandLineError(["serve", "--port", port], `Port ${port} of 127.0.0.1 is in use`);
  await close();
  await expectCommandLineError(["serve", "--port", "eighty"], '--port is "eighty"');
});

test("a Node that is too old", async () => {
  const pretend =
    "Object.defineProperty(process.versions, 'node', { value: '18.20.4' }); await import('./cli/assay.js')";
  const { code, stderr } = await start(process.execPath, ["--input-type=module", "-e", pretend]).ended;
  expect(code).toBe(2);
  expect(stderr).toContain("Assay needs Node 20.19 or newer; this is Node 18.20.4");
});
