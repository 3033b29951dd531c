// Tests of which k6 is used, and of the message where there is none
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { expect, test } from "@playwright/test";
import { CommandLineError } from "../../harness/core/commandLineError.ts";
import { ensureK6, NoK6, pinnedVersion } from "../../load/k6/ensure.ts";
import { waysToK6 } from "../../load/k6/ways.ts";
import { emptyFolder, program, read, root } from "../support/assay.ts";

/** A tree as a package is, with our go.mod and no build, and an empty folder for programs. */
function packagePlace(): { readonly tree: string; readonly bin: string } {
  const [tree, bin] = [emptyFolder(), emptyFolder()];
  cpSync(join(root, "tools"), join(tree, "tools"), { recursive: true });
  return { tree, bin };
}

/** The same as a clone is. */
function place(): { readonly tree: string; readonly bin: string } {
  const { tree, bin } = packagePlace();
  mkdirSync(join(tree, "cli"));
  writeFileSync(join(tree, "cli/process.ts"), "");
  return { tree, bin };
}

const k6Saying = (folder: string, version: string): string =>
  program("k6", `echo "k6 v${version} (go1.26.8, linux/amd64)"`, folder);
/** A Go whose build prints its own name and a version, as the k6 of `go build … -o file package` does. */
const goBuilding = (folder: string, version: string, ...before: readonly string[]): string =>
  program(
    "go",
    [
      ...before,
      'if [ "$1" = env ]; then echo go1.26.8; exit 0; fi',
      'while [ "$1" != -o ]; do shift; done',
      `printf '#!/bin/sh\\necho "\${0##*/}" v${version}\\n' > "$2"`,
      '/bin/chmod +x "$2"',
    ].join("\n"),
    folder,
  );

test("K6_BIN comes first", async () => {
  const { tree, bin } = place();
  k6Saying(bin, "2.9.0");
  const named = k6Saying(emptyFolder(), "3.1.4");
  const found = await ensureK6({ root: tree, environment: { PATH: bin, K6_BIN: named } });
  expect(found).toEqual({ path: named, version: "3.1.4" });
});

for (const [name, line, says] of [
  [
    "is too old",
    'echo "k6 v1.8.1 (go1.24.4)"',
    /which is k6 1\.8\.1: too old\. Name a k6 of version 2 or later, or unset K6_BIN\.$/,
  ],
  ["prints no version", "echo hello", /which isn't k6: it prints no version/],
  ["prints a malformed version", 'echo "k6 vNext"', /which isn't k6/],
  ["fails", "echo k6 v2.2.0; exit 3", /which isn't k6/],
  ["doesn't exist", null, /which isn't k6/],
] as const) {
  test(`a K6_BIN that ${name} is a command line error`, async () => {
    const failure = ensureK6({ environment: { K6_BIN: line === null ? "/nowhere/k6" : program("k6", line) } });
    await expect(failure).rejects.toThrow(CommandLineError);
    await expect(failure).rejects.toThrow(says);
  });
}

test("a k6 on the PATH is used if its version is 2 or later", async () => {
  const { tree, bin } = place();
  const settings = { root: tree, environment: { PATH: `/nowhere:${bin}:` } };
  await expect(ensureK6(settings)).rejects.toThrow(NoK6);
  const path = k6Saying(bin, "2.0.0");
  expect(await ensureK6(settings)).toEqual({ path, version: "2.0.0" });
});

test("an old k6 on the PATH is passed over for one that was built before", async () => {
  const { tree, bin } = place();
  k6Saying(bin, "0.57.0");
  const built = k6Saying(join(tree, ".tools"), pinnedVersion());
  expect(await ensureK6({ root: tree, environment: { PATH: bin } })).toEqual({ path: built, version: pinnedVersion() });
});

test("without a k6 one is built with Go, once, with lines on its progress", async () => {
  const { tree, bin } = place();
  goBuilding(bin, pinnedVersion());
  const lines: string[] = [];
  const built = await ensureK6({ root: tree, environment: { PATH: bin }, onProgress: (line) => lines.push(line) });
  expect(built).toEqual({ path: join(tree, ".tools/k6"), version: pinnedVersion() });
  expect(lines[0]).toBe(`building k6 ${pinnedVersion()} with Go, once; this takes about 100 s`);
  expect(lines.at(-1)).toMatch(/^k6 [\d.]+ is built, after \d+ s$/);
  expect(await ensureK6({ root: tree, environment: { PATH: "" } })).toEqual(built);
});

test("without k6 and Go the error says what to do, and what was passed over", async () => {
  const { tree, bin } = place();
  const old = k6Saying(bin, "1.1.0");
  const failure = ensureK6({ root: tree, environment: { PATH: bin } });
  await expect(failure).rejects.toThrow(NoK6);
  const lack = `There is no k6 of version 2 here (${old} is 1.1.0), and no Go to build it with.`;
  await expect(failure).rejects.toThrow(`${lack} docs/install.md names three ways to one.`);
  await expect(failure).rejects.toMatchObject({ lack });
});

const release = `https://github.com/grafana/k6/releases/download/v${pinnedVersion()}/k6-v${pinnedVersion()}`;
for (const [platform, arch, installing] of [
  ["linux", "x64", `curl -fsSL ${release}-linux-amd64.tar.gz | sudo tar xz`],
  ["linux", "arm64", `curl -fsSL ${release}-linux-arm64.tar.gz | sudo tar xz`],
  ["linux", "riscv64", "https://github.com/grafana/k6/releases, "],
  ["darwin", "arm64", "brew install k6"],
  ["win32", "x64", "winget install k6 --source winget"],
] as const)
  test(`three ways to a k6 are named for ${platform} on ${arch}`, () => {
    expect(waysToK6("registry.example/assay:1.0.0", platform, arch)).toEqual([
      expect.stringContaining(`install it     ${installing}`),
      expect.stringMatching(/have it built {2}install Go 1\.25 or later/),
      expect.stringMatching(/use the image {2}docker run .* registry\.example\/assay:1\.0\.0 load smoke/),
    ]);
  });

test("an old Go and a failed build leave nothing behind", async () => {
  const { tree, bin } = place();
  const settings = { root: tree, environment: { PATH: bin } };
  program("go", "echo go1.21.3", bin);
  await expect(ensureK6(settings)).rejects.toThrow(/too old to build it \(go1\.21\.3\)/);
  program("go", 'if [ "$1" = env ]; then echo go1.26.8; exit 0; fi\necho "no route to the proxy" >&2\nexit 1', bin);
  await expect(ensureK6(settings)).rejects.toThrow(/couldn't be built with \S+ \(no route to the proxy\)/);
  expect(existsSync(join(tree, ".tools/k6"))).toBe(false);
});

/** A project, which is the current folder, with a home and a folder of programs elsewhere. */
function projectPlace() {
  const [project, home] = [emptyFolder(), emptyFolder()];
  mkdirSync(join(project, ".git"));
  const { tree, bin } = packagePlace();
  const settings = (more: { readonly [name: string]: string }) => ({
    root: tree,
    cwd: project,
    environment: { HOME: home, PATH: bin, ...more },
  });
  return { project, home, bin, settings };
}

for (const [title, path, more] of [
  ["its cache", ".cache/assay/k6", (project: string) => ({ XDG_CACHE_HOME: join(project, ".cache") })],
  ["its packages", "node_modules/.bin/k6", (project: string) => ({ PATH: join(project, "node_modules/.bin") })],
  ["a folder on the PATH", "bin/k6", (project: string) => ({ PATH: `/nowhere${delimiter}${join(project, "bin")}` })],
] as const)
  test(`a k6 that the project has in ${title} isn't started, and said to be there`, async () => {
    const { project, settings } = projectPlace();
    const marker = join(emptyFolder(), "started");
    const planted = program("k6", `echo x > ${marker}; echo "k6 v2.2.0"`, dirname(join(project, path)));
    expect(planted).toBe(join(project, path));
    const failure = ensureK6(settings(more(project)));
    await expect(failure).rejects.toThrow(
      `here (${planted} is in the project, where a proposed change could put one), `,
    );
    await expect(failure).rejects.toThrow(NoK6);
    expect(existsSync(marker)).toBe(false);
  });

test("a k6 or Go of the project is passed over for one of the machine, also where a link leads to it", async () => {
  const { project, home, bin, settings } = projectPlace();
  const planted = k6Saying(project, "2.9.0");
  const links = emptyFolder();
  symlinkSync(planted, join(links, "k6"));
  program("go", "exit 1", project);
  goBuilding(bin, pinnedVersion());
  const path = [project, "", ".", links, bin].join(delimiter);
  const built = await ensureK6(settings({ PATH: path, XDG_CACHE_HOME: join(project, ".cache") }));
  expect(built).toEqual({ path: join(home, ".cache/assay/k6"), version: pinnedVersion() });
  expect(await ensureK6(settings({ PATH: path }))).toEqual(built);
  const machines = k6Saying(bin, "2.1.0");
  expect(await ensureK6(settings({ PATH: path }))).toEqual({ path: machines, version: "2.1.0" });
  expect(await ensureK6(settings({ K6_BIN: planted }))).toEqual({ path: planted, version: "2.9.0" });
});

test("nothing is built where only the project could keep it", async () => {
  const { project, bin, settings } = projectPlace();
  goBuilding(bin, pinnedVersion());
  const failure = ensureK6(settings({ HOME: project, CI_PROJECT_DIR: project }));
  await expect(failure).rejects.toThrow(
    "one that is built would be kept in the project, where a proposed change could",
  );
  await expect(failure).rejects.toThrow(NoK6);
});

test("a user without a home is told that a built one could be kept nowhere", async () => {
  const { tree, bin } = packagePlace();
  goBuilding(bin, pinnedVersion());
  const failure = ensureK6({ root: tree, environment: { HOME: "nowhere", PATH: bin } });
  await expect(failure).rejects.toThrow("there is no home to keep a built one in. Name a folder with XDG_CACHE_HOME");
});

test("Go gets what it needs: no key, no cache of the project, and no setting that changes what it builds", async () => {
  const { project, home, bin, settings } = projectPlace();
  const [seen, cache] = [join(emptyFolder(), "seen"), emptyFolder()];
  goBuilding(bin, pinnedVersion(), `[ "$1" = env ] || { pwd; /usr/bin/env; } > ${seen}`);
  const given = { GOPROXY: "https://proxy.example", GOCACHE: cache, HTTPS_PROXY: "http://127.0.0.1:9" };
  await ensureK6(
    settings({
      ...given,
      PATH: `${join(project, "bin")}${delimiter}${bin}`,
      GOMODCACHE: join(project, ".go"),
      GOFLAGS: "-toolexec=./x",
      GOWORK: join(project, "go.work"),
      CC: "./cc",
      GIT_SSH_COMMAND: "./ssh",
      ACME_KEY: "canary",
    }),
  );
  const [folder, ...lines] = readFileSync(seen, "utf8").trim().split("\n");
  const shell = ["_", "PWD", "OLDPWD", "SHLVL"];
  const variables = lines.flatMap((line) => {
    const [name = ""] = line.split("=");
    return shell.includes(name) ? [] : [[name, line.slice(name.length + 1)] as const];
  });
  expect(folder).toBe("/");
  expect(Object.fromEntries(variables)).toEqual({
    ...given,
    HOME: home,
    PATH: bin,
    GOFLAGS: "-mod=readonly -buildvcs=false",
    GOWORK: "off",
    CGO_ENABLED: "0",
  });
});

test("the pinned version is that of go.sum", () => {
  expect(read("tools/k6/go.sum")).toContain(`go.k6.io/k6/v2 v${pinnedVersion()} h1:`);
  expect(pinnedVersion()).toMatch(/^2\./);
});
