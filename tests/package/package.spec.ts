// The package as others get it: packed, installed in an empty folder, and used there.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import nodeModule from "node:module";
import { join, resolve } from "node:path";
import { expect, test } from "@playwright/test";
import { emptyFolder, type Run, root, read as sourceOf, start } from "../support/assay.ts";
import { deadLinks } from "../support/guides.ts";
import { k6 } from "../support/k6.ts";
import { npm, tarball } from "../support/packed.ts";

const folder = emptyFolder();
const {
  name: packageName,
  dependencies,
  devDependencies,
} = JSON.parse(sourceOf("package.json")) as {
  readonly name: string;
  readonly dependencies: { readonly [name: string]: string };
  readonly devDependencies: { readonly [name: string]: string };
};
const modules = join(folder, "node_modules");
const own = join(modules, packageName);
const key = { ACME_KEY: "invoices-5f1d3b7c9e2a" };

/** The command line that is installed, as `npx` starts it. */
const installed = (args: readonly string[], environment = {}, where = folder) =>
  start(join(modules, ".bin/assay"), args, { NODE_DISABLE_COMPILE_CACHE: "1", ...environment }, where);

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  expect((await npm(["install", "--save-dev", await tarball()], folder)).code).toBe(0);
  cpSync(join(root, "examples/invoices"), folder, { recursive: true });
});

/** In bytes. */
const sizeOf = (path: string): number =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((total, entry) => total + statSync(join(entry.parentPath, entry.name)).size, 0);

test("it is small, and installs no compiler", () => {
  const packages = Object.keys(
    (JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")) as { packages: object }).packages,
  );
  // The folder itself, Assay, its dependencies, and the five that these need.
  expect(packages.length).toBeLessThanOrEqual(13);
  expect(sizeOf(modules)).toBeLessThan(17_000_000);
  for (const one of ["typescript", "tsx", "esbuild", "@playwright/test"])
    expect(existsSync(join(modules, one))).toBe(false);
  expect(readdirSync(own)).not.toContain("node_modules");
});

interface Component {
  /** The scope, if it has one. */
  readonly group?: string;
  readonly name: string;
  readonly licenses?: readonly { readonly license?: { readonly id: string }; readonly expression?: string }[];
}

test("it says what it bundles, under which licences, and has its own sources for a debugger", () => {
  const dist = join(own, "dist");
  const read = (file: string): unknown => JSON.parse(readFileSync(join(dist, file), "utf8"));
  const { components } = read("bundled.cdx.json") as { components: readonly Component[] };
  const names = components.map(({ group, name }) => (group ? `${group}/${name}` : name));
  expect(names).toEqual(expect.arrayContaining(["@solana/codecs-core", "d3-array", "fast-check", "hono"]));
  const argued = [...sourceOf("docs/DEPENDENCIES.md").matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = ""]) => name);
  const direct = Object.keys(devDependencies).filter((name) => names.includes(name) || name === "@solana/kit");
  expect(argued.filter((name) => !Object.hasOwn(dependencies, name)).sort()).toEqual(direct.sort());
  const licences = components.map(({ licenses }) =>
    licenses?.map(({ license, expression }) => license?.id ?? expression),
  );
  const allowed = ["MIT", "ISC", "BSD-3-Clause", "BSD-2-Clause", "Apache-2.0", "(MIT AND Zlib)"];
  expect(new Set(licences.map((some) => some?.join()))).toEqual(new Set(allowed));
  expect(readFileSync(join(dist, "bundled.cdx.json"), "utf8").match(/"file: LICEN[CS]E/g)?.length).toBeGreaterThan(50);
  const maps = readdirSync(dist).filter((name) => name.endsWith(".js.map"));
  expect(maps.length).toBeGreaterThan(20);
  const start = read("process.js.map") as { sources: string[]; sourcesContent: unknown[] };
  expect(start.sourcesContent[start.sources.indexOf("../cli/process.ts")]).toEqual(sourceOf("cli/process.ts"));
  const sources = maps.flatMap((name) => (read(name) as { sources: string[] }).sources);
  expect(sources.filter((name) => name.includes("node_modules"))).toEqual([]);
});

test("its types import only what is installed with it", () => {
  const types = readFileSync(join(own, "dist/index.d.ts"), "utf8");
  const imported = [...types.matchAll(/(?:from |import\()['"]([^'"]+)['"]/g)].map(([, name = ""]) => name);
  expect([...new Set(imported)].filter((name) => !Object.hasOwn(dependencies, name))).toEqual([]);
  expect(imported).toContain("big.js");
});

test("a load where there is no k6 and no Go is refused with three ways to one", async () => {
  const nothing = { PATH: "", HOME: emptyFolder(), XDG_CACHE_HOME: "", K6_BIN: "" };
  const load = [join(own, "cli/assay.js"), "load", "smoke", "--out", "load"];
  const where = emptyFolder();
  const { code, stderr } = await start(process.execPath, load, nothing, where).ended;
  const [first, ...ways] = stderr.trim().split("\n");
  expect(code).toBe(2);
  expect(first).toBe("There is no k6 of version 2 here, and no Go to build it with. Three ways to one:");
  expect(ways.map((way) => way.trim().split("  ")[0])).toEqual(["install it", "have it built", "use the image"]);
  expect([ways.at(-1), readdirSync(where)]).toEqual([expect.stringContaining(" ghcr.io/OWNER/assay:"), []]);
});

test("what its README and documents link to is in it", () => {
  const documents = readdirSync(join(own, "docs")).filter((name) => name.endsWith(".md"));
  const pages = ["README.md", ...documents.map((name) => `docs/${name}`)];
  const dead = pages.flatMap((page) => deadLinks(own, page).map((path) => `${page}: ${path}`));
  expect([pages.length > 15, dead]).toEqual([true, []]);
});

/** The vendor of the example, honest or not, while it is used. */
async function withVendor<Result>(mutant: string | null, use: (target: string) => Promise<Result>): Promise<Result> {
  const vendor = start(process.execPath, ["vendor.mjs", ...(mutant ? [mutant] : [])], { PORT: "0" }, folder);
  const [, port = ""] = /port (\d+)/.exec(await vendor.says("port")) ?? [];
  writeFileSync(join(folder, "target.yaml"), sourceOf("examples/invoices/target.yaml").replace("8787", port));
  try {
    return await use("target.yaml");
  } finally {
    vendor.kill("SIGKILL");
    await vendor.ended;
  }
}

const runIn = (path: string): Run => JSON.parse(readFileSync(resolve(folder, path, "run.json"), "utf8")) as Run;

test("each of one's own mutants is killed, and the honest platform breaks nothing", async () => {
  const { code, stdout } = await installed(["mutants", "INV", "--json"]).ended;
  const { honest, results } = JSON.parse(stdout) as { honest: string[]; results: { id: string; broken: string[] }[] };
  expect([code, honest]).toEqual([0, []]);
  expect(results.map(({ id, broken }) => [id, broken])).toEqual([
    ["INV-FORM-01.without-lines", ["INV-FORM-01"]],
    ["INV-SUM-01.forgets-a-line", ["INV-SUM-01"]],
    ["INV-MISS-01.finds-all", ["INV-MISS-01"]],
  ]);
});

test("the reference is judged from an empty folder, and Node keeps compiled code at home if it can", async () => {
  const HOME = emptyFolder();
  const environment = { HOME, NODE_DISABLE_COMPILE_CACHE: "" };
  const words = ["run", "--only", "USG-FLD-01", "--no-observe"];
  const { code, stdout } = await installed(words, environment, emptyFolder()).ended;
  expect([code, /1 passed/.test(stdout)]).toEqual([0, true]);
  expect(existsSync(join(HOME, ".cache/assay/code"))).toBe("enableCompileCache" in nodeModule);
});

// What else the installed package does: the same sources do it in the other tests.
test.describe("in use", { tag: "@slow" }, () => {
  test("checks of one's own are planned, budgeted, judged, reported, repeated and compared", async () => {
    const plan = await withVendor(null, (target) => installed(["run", "--target", target, "--plan"], key).ended);
    expect(plan.stdout).toContain("3 requirements planned · at most 3 requests, 22 credits");
    // A config is code: where variables are guarded, it has to be named.
    const guarded = ["run", "--target", "target.yaml", "--plan", "--env", "ACME_KEY"];
    expect((await installed(guarded, key).ended).stderr).toContain("To load it, add --config assay.config.mjs");
    const named = await installed([...guarded, "--config", "assay.config.mjs"], key).ended;
    expect(named.stdout).toContain("3 requirements planned");
    const honest = await withVendor(
      null,
      (target) => installed(["run", "--target", target, "--out", "honest"], key).ended,
    );
    expect([honest.code, honest.stdout.includes("3 passed")]).toEqual([0, true]);
    const mutant = "INV-SUM-01.forgets-a-line";
    const wrong = await withVendor(
      mutant,
      (target) => installed(["run", "--target", target, "--out", "wrong"], key).ended,
    );
    expect(wrong.code).toBe(1);
    const broken = runIn("wrong").requirements.filter(({ verdict }) => verdict === "broken");
    expect(broken.map(({ id }) => id)).toEqual(["INV-SUM-01"]);
    expect(readFileSync(join(folder, "wrong/index.html"), "utf8")).toContain("total is the sum of its lines");
    expect(wrong.stdout).toContain("replay: npx assay run --target target.yaml --seed 1 --only INV-SUM-01");
    const compared = await installed(["compare", "honest", "wrong"]).ended;
    expect([compared.code, compared.stdout.includes("✗ INV-SUM-01")]).toEqual([1, true]);
    const rows = await installed(["requirements", "wrong", "--area", "INV", "--json"]).ended;
    const { requirements } = JSON.parse(rows.stdout) as { readonly requirements: readonly object[] };
    expect(requirements).toContainEqual(expect.objectContaining({ id: "INV-SUM-01", state: "broken" }));
  });

  test("what npx or an npm script starts in the background ends with its reports where npm is ended", async () => {
    const own = emptyFolder();
    const names = ["node_modules", "package.json"];
    symlinkSync(modules, join(own, "node_modules"));
    const scripts = { gate: "assay run", test: "node client.mjs" };
    writeFileSync(join(own, "package.json"), JSON.stringify({ type: "module", scripts }));
    writeFileSync(join(own, "client.mjs"), "console.log(String((await fetch(process.env.ASSAY_ADMIN)).status))");
    const nowhere = "--upstream http://127.0.0.1:9 --port 0";
    const typed = [`npx assay proxy ${nowhere}`, "npx assay run", "npm run gate --", "npx assay load smoke"];
    for (const [nth, command] of typed.entries()) {
      const out = `run${nth}`;
      names.push(out);
      // It ends where nothing holds its output any more.
      const begun = `until [ -e ${out}/journal.jsonl ]; do sleep 0.1; done; sleep 1`;
      const script = `${command} --out ${out} & ${begun}; kill $!; wait $!`;
      const { code, stderr } = await start("bash", ["-c", script], { K6_BIN: k6().path }, own).ended;
      expect([command, code, stderr]).toEqual([command, 143, expect.stringContaining("so it ends as by SIGTERM.")]);
      expect(runIn(join(own, out)).complete).toBe(command.includes("proxy"));
      expect(readdirSync(join(own, out))).toContain("index.html");
    }
    const around = `npx assay proxy ${nowhere} --out around -- npm test`;
    const { code, stdout, stderr } = await start("bash", ["-c", around], {}, own).ended;
    expect([code, stdout.trim().split("\n").at(-1), stderr]).toEqual([3, "502", expect.stringContaining("1 exchange")]);
    expect(readdirSync(own).sort()).toEqual(["around", "client.mjs", ...names].sort());
  });

  test("types come from the spec, and a pointer that isn't there is an error", async () => {
    for (const name of ["typescript", "openapi-typescript"])
      symlinkSync(join(root, "node_modules", name), join(modules, name));
    symlinkSync(join(root, "node_modules/@types/node"), join(modules, "@types/node"));
    expect((await installed(["generate"]).ended).code).toBe(0);
    const config = sourceOf("examples/invoices/assay.config.mjs");
    writeFileSync(join(folder, "total.mjs"), config.replace('number("/total")', 'number("/totl")'));
    writeFileSync(join(folder, "amount.mjs"), config.replace("`${line}/amount`", "`${line}/amont`"));
    const options =
      "--noEmit --checkJs --strict --module nodenext --target es2022 --allowImportingTsExtensions --types node";
    const files = ["assay.config.mjs", "total.mjs", "amount.mjs"];
    const args = [join(modules, "typescript/bin/tsc"), ...options.split(" "), ...files];
    const { stdout } = await start(process.execPath, args, {}, folder).ended;
    const wrong = [...stdout.matchAll(/^(\S+)\(.* error TS/gm)].map(([, file]) => file);
    expect(new Set(wrong)).toEqual(new Set(["amount.mjs", "total.mjs"]));
  });

  test("run, judge and compare are functions, too", async () => {
    writeFileSync(
      join(folder, "uses.mjs"),
      `import { CommandRefused, compare, judge, run } from "@assay-harness/assay";
     const honest = await run({ target: "target.yaml", out: "byCode", flags: { strict: true } });
     const again = await judge(["byCode"], { out: "judged" });
     const { exitCode } = await compare(["byCode", "wrong"]);
     const why = (error) => [error instanceof CommandRefused, error.exitCode];
     const refused = await run({ target: "none.yaml", out: "none" }).catch(why);
     const signal = AbortSignal.abort();
     const ended = await run({ target: "target.yaml", out: "ended", signal }).then((one) => one.exitCode, why);
     console.log(JSON.stringify([honest.exitCode, again.requirements.length, exitCode, refused, ended]));`,
    );
    const { stdout, stderr } = await withVendor(null, () => start(process.execPath, ["uses.mjs"], key, folder).ended);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual([0, expect.any(Number), 1, [true, 2], [true, 3]]);
  });

  test("lines to copy have the name under which it is installed", async () => {
    const manifest = join(own, "package.json");
    const text = readFileSync(manifest, "utf8");
    const called = text.replace('"assay": "cli/assay.js"', '"touchstone": "cli/assay.js"');
    expect(called).not.toBe(text);
    writeFileSync(manifest, called);
    symlinkSync(join(own, "cli/assay.js"), join(modules, ".bin/touchstone"));
    try {
      const args = ["run", "--mutant", "CYC-PRES-01.omit-on-free", "--only", "CYC-PRES-01", "--out", "called"];
      const { stdout } = await installed(args).ended;
      expect(stdout).toContain("replay: npx touchstone run --mutant");
      expect((await installed(["run", "--help"]).ended).stdout).not.toContain("npx assay");
    } finally {
      writeFileSync(manifest, text);
      rmSync(join(modules, ".bin/touchstone"));
    }
  });

  test("the embedded reference isn't asked for what is a user's own", async () => {
    const { code, stdout } = await installed(["run", "--only", "INV", "--no-observe"], {}, folder).ended;
    expect([code, stdout]).toEqual([3, expect.stringContaining("0 requirements planned")]);
  });

  test("a platform is served, looked at, judged, loaded, compared and kept in a history of one's own", async () => {
    const own = emptyFolder();
    const serving = installed(["serve", "--json"], {}, own);
    const { base, environment, roles } = JSON.parse(await serving.says("\n")) as {
      readonly base: string;
      readonly environment: { readonly [name: string]: string };
      readonly roles: { readonly paid: { readonly project: string } };
    };
    const key = { KEY: environment["ASSAY_REFERENCE_PAID"] ?? "", K6_BIN: k6().path };
    const use = async (...args: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await installed(args, key, own).ended;
      expect([args, code, code === 0 ? "" : stderr]).toEqual([args, 0, ""]);
      return stdout;
    };
    try {
      await use("init", "--name", "acme", "--admin", base, "--key", "KEY", "--project", roles.paid.project);
      for (const nth of [1, 2])
        await use(
          "run",
          "--target",
          "target.yaml",
          "--only",
          "USG-FLD-01",
          "--out",
          `run${nth}`,
          "--history",
          "nights",
        );
      expect(await use("compare", "run1", "run2")).toContain("Passed: no requirement is newly broken");
      expect(await use("history", "nights", "--markdown")).toContain("acme");
      const loaded = await use("load", "smoke", "--target", "target.yaml", "--duration", "3s", "--out", "load");
      expect(loaded).toMatch(/\d+ passed/);
    } finally {
      serving.kill("SIGTERM");
      await serving.ended;
    }
    expect(readdirSync(own).sort()).toEqual(["load", "nights", "run1", "run2", "target.yaml"]);
  });
});
