// The README's commands: each is typed, and does what the README says.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "@playwright/test";
import { shapes } from "../../load/shapes/shapes.ts";
import { type Ended, emptyFolder, type Running, root, start } from "../support/assay.ts";
import { k6 } from "../support/k6.ts";

const readme = readFileSync(join(root, "README.md"), "utf8");

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

/** Lines to copy, without their description, and code spans that are a command or its flags. */
function commandsIn(markdown: string): readonly string[] {
  const prose = markdown.replace(/^```[\s\S]*?^```/gm, "");
  const lines = [...prose.matchAll(/^ {4}(\S.*?)(?: {2,}.*)?$/gm)].map(([, line = ""]) => line);
  const spans = [...prose.matchAll(/`([^`\n]+)`/g)]
    .map(([, span = ""]) => span)
    .filter((span) => /^(?:npx|npm|export) |^--|\s--/.test(span));
  return unique([...lines, ...spans]);
}

interface Trial {
  /** Commands of the README, and flags that it names beside them. */
  readonly commands: readonly string[];
  /** The commands as they stand, narrowed by flags so that they take seconds. */
  readonly typed: string;
  readonly ends?: number;
  readonly prints: RegExp;
  /** Typed in the repository instead of beside `acme.yaml`. */
  readonly isInTree?: true;
  readonly needsK6?: true;
  readonly isSlow?: true;
}

const some = "--only USG-FLD-01,USG-FLD-02";

/** Each may need what those before it wrote. */
const trials: readonly Trial[] = [
  {
    commands: ["export ACME_KEY=…", "npx assay run --target acme.yaml"],
    typed: `export ACME_KEY=…\nnpx assay run --target acme.yaml ${some} --out runs/<a>`,
    prints: /2 hold/,
  },
  {
    commands: ["--implied=fail"],
    typed: `npx assay run --target acme.yaml --implied=fail ${some} --out runs/<b>`,
    prints: /2 hold/,
  },
  {
    commands: ["npx assay compare runs/<a> runs/<b>"],
    typed: "npx assay compare runs/<a> runs/<b>",
    prints: /^No requirement is newly broken\./m,
  },
  {
    commands: ["npx assay requirements runs/<id>"],
    typed: "npx assay requirements runs/<id>",
    prints: /^area +rows +holds +unjudged/m,
  },
  {
    commands: ["npx assay mutants", "mutants --json"],
    typed: "npx assay mutants CYC-PRES-01 --json > FILE && grep result FILE",
    prints: /"result": "killed"/,
    isSlow: true,
  },
  {
    commands: ["npx assay report runs/<id>", "--kills FILE"],
    typed:
      "npx assay report runs/<id> --kills FILE && grep --only-matching 'Mutants of the reference platform: can each " +
      "check fail?</h2>' runs/<id>/index.html",
    prints: /2 hold[\s\S]*^Mutants of the reference platform/m,
  },
  {
    commands: ["npx assay run --mutant CYC-PRES-01.omit-on-free --only CYC-PRES-01,USG-FLD-01"],
    typed: "npx assay run --mutant CYC-PRES-01.omit-on-free --only CYC-PRES-01,USG-FLD-01",
    ends: 1,
    prints: /^BROKEN {2}CYC-PRES-01/m,
  },
  { commands: ["npx assay run --only CYC-PRES-01"], typed: "npx assay run --only CYC-PRES-01", prints: /1 hold/ },
  {
    commands: ["npx assay run --seed 7", "--save"],
    typed: "npx assay run --seed 7 --save --only BND-LIM-01",
    prints: /1 hold/,
  },
  {
    commands: ["npx assay load smoke --target acme.yaml"],
    typed: "npx assay load smoke --target acme.yaml --duration 1s",
    prints: /smoke by k6 .* 0 failed/,
    needsK6: true,
  },
  {
    commands: ["npx assay load smoke"],
    typed: "npx assay load smoke --duration 1s",
    prints: /smoke by k6 .* 0 failed/,
    needsK6: true,
  },
  { commands: ["npx assay run --plan"], typed: "npx assay run --plan", prints: /requirements planned/, isInTree: true },
  {
    commands: ["npm ci && npm start"],
    typed: "npm start -- --only USG-HTTP-01 --out FOLDER",
    prints: /1 hold/,
    isInTree: true,
  },
  {
    commands: ["npx playwright test", "--grep @CYC-PRES-01"],
    typed: "npx playwright test --grep @CYC-PRES-01",
    prints: /1 passed/,
    isInTree: true,
  },
  {
    commands: ["npm run test:slow"],
    typed: "npm run test:slow -- readmeCommands --list --reporter line",
    prints: /npm run picture/,
    isInTree: true,
  },
  { commands: ["npm run bench"], typed: "npm run bench judging", prints: /^kept /m, isInTree: true, isSlow: true },
  {
    commands: ["npm run picture"],
    typed: "npm run picture -- FOLDER/report.png && ls FOLDER",
    prints: /^report\.png$/m,
    isInTree: true,
    isSlow: true,
  },
  {
    commands: ["--properties"],
    typed: "npx assay mutants CYC-PRES-01 --properties",
    prints: / 0 false alarms/,
    isSlow: true,
  },
  {
    commands: ["--load"],
    typed: "npx assay mutants --load RATE-SB-02.limit-6",
    prints: /1 of 1 mutants killed/,
    needsK6: true,
    isSlow: true,
  },
];

/** Commands that aren't typed here, and why. */
const elsewhere: { readonly [command: string]: string } = {
  "npm cit": "it runs this test",
  "--ui": "it opens a window",
  "npx assay serve": "it serves the vendor of these trials",
  "npx assay accept runs/<id> --reason 'their ticket 123' --until 2027-03-31":
    "readme.spec.ts types it for a vendor that breaks a requirement",
};

test("the trials are the README's commands, and no others", () => {
  expect([...trials.flatMap(({ commands }) => commands), ...Object.keys(elsewhere)].sort()).toEqual(
    [...commandsIn(readme)].sort(),
  );
});

test("commands are found in lines and in sentences of the README", () => {
  const markdown =
    "Say `npx assay new` or `--flag`.\n\n    npm run new -- 1        what it does, with `new --other`\n\n```yaml\n" +
    "runs:\n    on: `npm no`\n```\n`allow: [no]` `runs/`";
  expect(commandsIn(markdown)).toEqual(["npm run new -- 1", "npx assay new", "--flag", "new --other"]);
});

test("what is typed contains the README's commands and flags", () => {
  for (const { commands, typed } of trials)
    for (const command of commands) {
      const [words] = [
        /^(?:npx|npm|export) /.test(command)
          ? [command.replace("npm ci && ", "")]
          : command.split(" ").filter((word) => word.startsWith("--")),
      ];
      for (const word of words) expect(typed).toContain(word);
    }
});

test("the README names each load shape", () => {
  const [, others = ""] = readme.match(/^ {4}npx assay load smoke {2,}.*; also (.*)$/m) ?? [];
  expect(others.split(", ").sort()).toEqual(
    [...shapes.map(({ name }): string => name).filter((name) => name !== "smoke"), "limits"].sort(),
  );
});

test.describe("typed", () => {
  // One vendor and one folder for all: trials need what earlier ones wrote.
  test.describe.configure({ mode: "serial" });

  let [folder, key]: [string, string] = ["", ""];
  let serving: Running | null = null;

  /** Does what npx does in a clone, but faster and in any folder; npx itself is tested in the repository. */
  function npxIn(bin: string): void {
    mkdirSync(bin);
    writeFileSync(
      join(bin, "npx"),
      `#!/bin/sh\n[ "$1" = assay ] || exit 9\nshift\nexec '${process.execPath}' '${join(root, "cli/assay.js")}' "$@"\n`,
    );
    chmodSync(join(bin, "npx"), 0o755);
  }

  const environment = (): { readonly [name: string]: string } => ({
    PATH: `${join(folder, "bin")}${delimiter}${process.env["PATH"]}`,
    ACME_KEY: key,
  });

  test.beforeAll(async () => {
    folder = emptyFolder();
    npxIn(join(folder, "bin"));
    writeFileSync(
      join(folder, "kills.json"),
      JSON.stringify({
        honest: [],
        results: [{ id: "CYC-PRES-01.omit-on-free", result: "killed", broken: ["CYC-PRES-01"] }],
        pending: [],
      }),
    );
    serving = start(join(folder, "bin/npx"), ["assay", "serve"], environment(), folder);
    const output = await serving.says("export ASSAY_REFERENCE_IP_BLOCKED");
    [, key = ""] = output.match(/export ASSAY_REFERENCE_PAID=(\S+)/) ?? [];
    const [, base = "", project = ""] =
      output.match(/curl .*'(http:\/\/[^/]+)\/v0\/admin\/projects\/([^/]+)\/usage'/) ?? [];
    const [, yaml = ""] = readme.match(/```yaml\n(name: [\s\S]*?)```/) ?? [];
    writeFileSync(
      join(folder, "acme.yaml"),
      yaml.replace("https://admin.acme.example", base).replace("7f9c24e5-1f0b-4c55-9a5c-6f4d1f3b8a10", project),
    );
  });
  test.afterAll(() => serving?.kill("SIGTERM"));

  test("npx assay serve prints demo keys and a curl line that works", async () => {
    const output = (await serving?.says("curl")) ?? "";
    const [, header = "", url = ""] = output.match(/curl -sS -H '([^']+)' '([^']+)'/) ?? [];
    const [name = "", value = ""] = header.split(": ");
    const response = await fetch(url, { headers: { [name]: value } });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ subscriptionDetails: { plan: "business" } });
  });

  const type = (line: string, isInTree = false): Promise<Ended> => {
    const filled = line
      .replaceAll("runs/<id>", "runs/<a>")
      .replace(/<(\w)>/g, "$1")
      .replaceAll("FILE", "kills.json")
      .replaceAll("FOLDER", emptyFolder())
      .replace("…", key);
    // In the repository npx needs no registry.
    return start(
      "bash",
      ["-ec", filled],
      isInTree
        ? { npm_config_offline: "true", npm_config_cache: join(folder, "npm"), FORCE_COLOR: "0" }
        : environment(),
      isInTree ? root : folder,
    ).ended;
  };

  for (const { commands, typed, ends = 0, prints, isInTree, needsK6, isSlow } of trials)
    test(commands.join(" · "), { tag: isSlow ? "@slow" : [] }, async () => {
      test.setTimeout(isSlow ? 1_800_000 : 300_000);
      if (needsK6) k6();
      const { code, stdout, stderr } = await type(typed, isInTree);
      expect(stdout, stderr).toMatch(prints);
      expect(code, stdout + stderr).toBe(ends);
    });
});
