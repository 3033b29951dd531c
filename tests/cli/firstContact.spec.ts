// First contact: init, doctor and run on a platform over its public surface, from an empty folder
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { parse, stringify } from "yaml";
import { assay, emptyFolder, type Running, startAssay } from "../support/assay.ts";
import { deadBase } from "../support/vendor.ts";

test.describe.configure({ mode: "serial" });

/** Of the reference, which a vendor's target can't tell from any other platform. */
const ids = {
  main: "5f0d5c1e-7f5b-4a57-9a0c-1d2e3f405162",
  free: "1b2c3d4e-5f60-4718-a293-b4c5d6e7f809",
  other: "8c1a2b3d-4e5f-4061-8273-94a5b6c7d8e9",
};
let [serving, base, environment]: [Running | null, string, { [name: string]: string }] = [null, "", {}];
const [folder, file] = [emptyFolder(), join(emptyFolder(), "acme.yaml")];

test.beforeAll(async () => {
  serving = startAssay(["serve", "--json"]);
  ({ base, environment } = JSON.parse(await serving.says("\n")) as { base: string; environment: typeof environment });
  environment["UNKNOWN"] = "0193d0c1-7e1f-7c6b-9f0a-2b6c1d3e4f50";
});
test.afterAll(() => serving?.kill("SIGTERM"));

test("init tells keys apart by a few calls, and writes what it saw", async () => {
  const bases = ["admin", "api", "rpc"].flatMap((api) => [`--${api}`, base]);
  const keys = [
    "ASSAY_REFERENCE_PAID",
    "ASSAY_REFERENCE_SECOND",
    `ASSAY_REFERENCE_FREE=${ids.free}`,
    "ASSAY_REFERENCE_OTHER",
    "UNKNOWN",
  ].flatMap((key) => ["--key", key]);
  const { code, stdout, stderr } = await assay(
    ["init", "--out", file, "--name", "acme", ...bases, ...keys, "--project", ids.main, "--chain", "solana-mainnet"],
    environment,
  );
  expect([code, stderr]).toEqual([0, ""]);
  const text = readFileSync(file, "utf8");
  for (const key of Object.values(environment)) expect(stdout + text).not.toContain(key);
  const acme = parse(text) as { readonly [member: string]: unknown };
  expect(acme).toMatchObject({
    name: "acme",
    chain: "solana-mainnet",
    projects: {
      main: { id: ids.main, plan: "paid", planName: "business", creditsLimit: 1_000_000, admin: "enabled" },
      free: { id: ids.free, plan: "free" },
      other: { plan: "paid" },
    },
    keys: {
      paid: { project: "main", env: "ASSAY_REFERENCE_PAID" },
      second: { project: "main", env: "ASSAY_REFERENCE_SECOND" },
      free: { project: "free", env: "ASSAY_REFERENCE_FREE" },
      other: { project: "other", env: "ASSAY_REFERENCE_OTHER" },
    },
    allow: [],
  });
  expect(acme["offers"]).toEqual(["usage", "wallet", "bundles", "compression", "tokenAccounts"]);
  expect(acme["pace"]).toEqual({ perSecond: 2 });
  expect(text).toContain("# rate headers state 5 requests per second");
  expect(text).toContain("UNKNOWN isn't used: unknown to the platform (HTTP 401)");
  expect(text).toMatch(
    /# What to add next, .*\n(?:#.*\n)*# +\d+ more requirements: allow: \[ sendBundle \] \(replaces allow\)/,
  );
});

test("init calls a key that is given with another project's id that of another project, and keeps the id", async () => {
  const keys = [`ASSAY_REFERENCE_PAID=${ids.main}`, `ASSAY_REFERENCE_OTHER=${ids.other}`];
  const out = join(emptyFolder(), "acme.yaml");
  const flags = ["--admin", base, "--out", out, ...keys.flatMap((key) => ["--key", key])];
  expect((await assay(["init", ...flags], environment)).code).toBe(0);
  expect(parse(readFileSync(out, "utf8"))).toMatchObject({
    projects: { main: { id: ids.main }, other: { id: ids.other } },
    keys: { paid: { project: "main" }, other: { project: "other", env: "ASSAY_REFERENCE_OTHER" } },
  });
});

test("doctor says what is there and what would unlock more, and writes nothing", async () => {
  const { code, stdout } = await assay(["doctor", "--target", file], environment);
  expect(code).toBe(0);
  for (const text of ["rpc: reachable (HTTP 200", "key free: known: free plan", "wallet: offered (401)", "k6: "])
    expect(stdout).toContain(text);
  expect(stdout).toMatch(/, 0 credits\n/);
  expect(stdout).toMatch(/\d+ requirements planned/);
  expect(existsSync(join(folder, "runs"))).toBe(false);
});

test("a run takes the file as it is, and what it finds can be added to the file", async () => {
  const out = join(folder, "run");
  const mint = "7fVLvPeLoSrtshkX7Eh4x7uM8VTqY3KPGXjtkV2ya5rA";
  const written = parse(readFileSync(file, "utf8")) as object;
  writeFileSync(file, stringify({ ...written, samples: { mint }, pace: { perSecond: 20 } }));
  const { code } = await assay(
    ["run", "--target", file, "--only", "USG-HTTP-01,TA-PAR-01,NAP-RES-01", "--out", out],
    environment,
  );
  expect(code).toBe(0);
  const { stdout } = await assay(["init", "--from", out, "--out", file], environment);
  expect(stdout).toContain("/samples/owner");
  const { samples } = parse(readFileSync(file, "utf8")) as { readonly samples: { readonly [name: string]: unknown } };
  expect(samples).toMatchObject({ mint, owner: expect.stringMatching(/^\w{32,44}$/) });
});

test("a file that can't be written is one paragraph", async () => {
  const flags = ["--rpc", base, "--key", "ASSAY_REFERENCE_PAID", "--out", join(file, "below-a-file.yaml")];
  const { code, stderr } = await assay(["init", ...flags], environment);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/below-a-file\.yaml can't be written \(E\w+\)/)]);
});

test("a platform that doesn't answer gets no target file", async () => {
  const nowhere = join(emptyFolder(), "nowhere.yaml");
  const flags = ["--rpc", await deadBase(), "--key", "UNKNOWN", "--out", nowhere];
  const { code, stderr } = await assay(["init", ...flags], environment);
  expect(code).toBe(2);
  expect(stderr).toContain("Nothing was written: rpc: unreachable");
  expect(existsSync(nowhere)).toBe(false);
});

const refusals: readonly (readonly [title: string, flags: () => readonly string[], says: string])[] = [
  [
    "a key that the usage endpoint doesn't know",
    () => ["--admin", base, "--key", `UNKNOWN=${ids.main}`],
    "the platform refuses the key (UNKNOWN: unknown to the platform (HTTP 401)). Check the variable's value",
  ],
  [
    "a key that JSON-RPC methods don't know",
    () => ["--rpc", base, "--key", "UNKNOWN"],
    "the platform refuses the key (UNKNOWN: unknown to the platform (error -32001)).",
  ],
  [
    "a key of another project",
    () => ["--admin", base, "--key", `ASSAY_REFERENCE_PAID=${ids.free}`],
    "(ASSAY_REFERENCE_PAID: belongs to another project (HTTP 400)). Check the variable's value, --project",
  ],
  [
    "a usage endpoint without the id of a project",
    () => ["--admin", base, "--key", "ASSAY_REFERENCE_PAID"],
    "has the project's id in its path, and none is given. Pass it with --project",
  ],
  ...["admin", "api", "rpc"].map(
    (api) =>
      [
        `a wrong path of --${api}`,
        () => [`--${api}`, `${base}/wrong`, "--key", `ASSAY_REFERENCE_PAID=${ids.main}`],
        `/wrong answered HTTP 404 to requests of this interface. Correct the path of --${api}, or leave --${api} out`,
      ] as const,
  ),
];

for (const [title, flags, says] of refusals)
  test(`init says what was answered to ${title}, and what to change, and writes nothing`, async () => {
    const out = join(emptyFolder(), "refused.yaml");
    const { code, stderr } = await assay(["init", ...flags(), "--out", out], environment);
    expect([code, stderr, existsSync(out)]).toEqual([2, expect.stringContaining(says), false]);
    expect(stderr).toMatch(/^Nothing was written: .+\.\n$/);
  });

test("doctor ends with 3 where a key is unknown or a path is wrong, and says what to correct", async () => {
  const known = { name: "acme", projects: { main: { id: ids.main, plan: "paid" } } };
  const doctored = async (env: string, rpc: string) => {
    const target = { ...known, bases: { admin: base, rpc }, keys: { paid: { project: "main", env } } };
    const acme = join(emptyFolder(), "acme.yaml");
    writeFileSync(acme, stringify(target));
    return assay(["doctor", "--target", acme], environment);
  };
  expect(await doctored("UNKNOWN", base)).toMatchObject({
    code: 3,
    stdout: expect.stringContaining("key paid: unknown to the platform (HTTP 401): check the value of UNKNOWN"),
  });
  expect(await doctored("ASSAY_REFERENCE_PAID", `${base}/wrong`)).toMatchObject({
    code: 3,
    stdout: expect.stringContaining("rpc: reachable, but not this API (HTTP 404): correct the path of bases.rpc"),
  });
});
