// What processes that Assay starts by itself get, and which paths are the project's.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "@playwright/test";
import { placeOfSyntaxError } from "../../custom/places.ts";
import { cacheFolders, childEnvironment, projectBy } from "../../harness/core/children.ts";
import { runAll } from "../../proof/workerPool.ts";
import { emptyFolder } from "../support/assay.ts";

/** A home with a repository of two packages, and files of its owner around it. */
function homePlace() {
  const home = emptyFolder();
  const repository = join(home, "work/client");
  const below = join(repository, "packages/app");
  for (const folder of [join(home, ".git"), join(repository, ".git"), below]) mkdirSync(folder, { recursive: true });
  for (const folder of [home, repository, below]) writeFileSync(join(folder, "package.json"), "{}");
  return { home, repository, below };
}

test("the project is its whole repository, a home is none, and what is elsewhere is the machine's", () => {
  const { home, repository, below } = homePlace();
  const isOfProject = projectBy({ HOME: home }, below);
  for (const path of [below, repository, join(repository, "..x"), join(repository, ".cache/not/there")])
    expect(isOfProject(path), path).toBe(true);
  for (const path of [home, join(home, ".cache/assay/k6"), join(home, "work"), `${repository}2`, "/usr/bin"])
    expect(isOfProject(path), path).toBe(false);
  expect(projectBy({ HOME: home }, home)(join(home, "bin"))).toBe(false);
  expect(projectBy({ HOME: home }, "/")("/usr/bin")).toBe(false);
});

test("a user whom the machine doesn't know has no home and no caches; the current folder is the project", () => {
  const [known, folder] = [os.homedir, emptyFolder()];
  os.homedir = () => {
    throw new Error("uv_os_homedir returned ENOENT");
  };
  syncBuiltinESMExports();
  try {
    const isOfProject = projectBy({}, folder);
    expect([isOfProject(join(folder, "k6")), isOfProject("/usr/local/bin/k6")]).toEqual([true, false]);
    expect(cacheFolders({})).toEqual([]);
    expect(cacheFolders({ XDG_CACHE_HOME: folder })).toEqual([join(folder, "assay")]);
  } finally {
    os.homedir = known;
    syncBuiltinESMExports();
  }
});

test("without a repository the project is the folder with a package.json, else the current one", () => {
  const [home, folder] = [emptyFolder(), emptyFolder()];
  mkdirSync(join(folder, "a/b"), { recursive: true });
  const isOfProject = (path: string): boolean => projectBy({ HOME: home }, join(folder, "a/b"))(path);
  expect([isOfProject(join(folder, "a/b/k6")), isOfProject(join(folder, "a/k6"))]).toEqual([true, false]);
  writeFileSync(join(folder, "a/package.json"), "{}");
  expect([isOfProject(join(folder, "a/k6")), isOfProject(join(folder, "k6"))]).toEqual([true, false]);
});

test("relative paths, packages, links into it and what a CI job names are the project's, too", () => {
  const { home, repository } = homePlace();
  const link = join(home, "link");
  symlinkSync(repository, link);
  const isOfProject = projectBy({ HOME: home }, repository);
  for (const path of ["", ".", "bin", join(link, "k6"), "/usr/lib/node_modules/.bin/k6"])
    expect(isOfProject(path), path).toBe(true);
  const { home: other, repository: theirs } = homePlace();
  for (const name of ["CI_PROJECT_DIR", "GITHUB_WORKSPACE"])
    expect(projectBy({ HOME: other, [name]: other }, "/")(theirs), name).toBe(true);
});

test("a child gets what is named for its kind, and no path of the project", () => {
  const { home, repository } = homePlace();
  const cache = emptyFolder();
  const environment = {
    PATH: ["/usr/bin", join(repository, "bin"), "node_modules/.bin"].join(delimiter),
    HOME: home,
    https_proxy: "http://127.0.0.1:9",
    SSL_CERT_FILE: join(repository, "ca.pem"),
    XDG_CACHE_HOME: join(repository, ".cache"),
    GOCACHE: cache,
    GOPROXY: "https://proxy.example",
    NODE_OPTIONS: "--no-warnings",
    K6_OUT: "json",
    GITHUB_TOKEN: "canary",
    ACME_KEY: "canary",
    PATHS: "canary",
  };
  const { PATH: _, HOME, https_proxy, SSL_CERT_FILE, GOPROXY, GOCACHE, NODE_OPTIONS } = environment;
  const everywhere = { PATH: "/usr/bin", https_proxy, SSL_CERT_FILE };
  expect(childEnvironment("k6", environment, repository)).toEqual(everywhere);
  expect(childEnvironment("go", environment, repository)).toEqual({ ...everywhere, HOME, GOPROXY, GOCACHE });
  expect(childEnvironment("node", environment, repository)).toEqual({ ...everywhere, HOME, GOCACHE, NODE_OPTIONS });
});

test("Assay's own processes see no key of this one", async () => {
  const folder = emptyFolder();
  const fileIn = (name: string): string => join(folder, name);
  const [seen, writer] = [fileIn("seen.json"), fileIn("writer.cjs")];
  const [config, worker] = [fileIn("assay.config.mjs"), fileIn("worker.mjs")];
  writeFileSync(writer, `require("fs").writeFileSync(${JSON.stringify(seen)}, JSON.stringify(process.env));`);
  writeFileSync(config, "export default {{");
  writeFileSync(worker, "process.on('message', () => process.send(process.env));");
  const { NODE_OPTIONS, ACME_KEY } = process.env;
  Object.assign(process.env, { NODE_OPTIONS: `--require ${writer}`, ACME_KEY: "canary" });
  try {
    expect(placeOfSyntaxError(config)).toBe("assay.config.mjs:1:17");
    const parsed = JSON.parse(readFileSync(seen, "utf8")) as { readonly [name: string]: string };
    const [found] = await runAll<{ readonly [name: string]: string }>([1], { worker: pathToFileURL(worker) });
    for (const environment of [found ?? {}, parsed]) {
      expect(environment["PATH"]).toBeDefined();
      expect(Object.values(environment)).not.toContain("canary");
    }
  } finally {
    delete process.env["ACME_KEY"];
    delete process.env["NODE_OPTIONS"];
    Object.assign(process.env, { ...(NODE_OPTIONS && { NODE_OPTIONS }), ...(ACME_KEY && { ACME_KEY }) });
  }
});

test("caches are the user's, and a relative XDG_CACHE_HOME names none", () => {
  expect(cacheFolders({ XDG_CACHE_HOME: "/caches", HOME: "/home/ada" })).toEqual([
    "/caches/assay",
    "/home/ada/.cache/assay",
  ]);
  expect(cacheFolders({ XDG_CACHE_HOME: "caches", HOME: "/home/ada" })).toEqual(["/home/ada/.cache/assay"]);
});
