// The README's commands: each is typed, and does what the README says.
import { writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "@playwright/test";
import { assay, cliPath, type Ended, emptyFolder, program, type Running, root, start } from "../support/assay.ts";
import { wordsOf } from "../support/cases.ts";
import { elsewhere, guides } from "../support/guides.ts";
import { k6 } from "../support/k6.ts";

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

/**
 * `commands`: of the README, and flags that it names beside them; `typed`: the commands as they stand, narrowed by
 * flags so that they take seconds.
 */
type Trial = readonly [commands: readonly string[], typed: string, prints: RegExp, how?: How];

interface How {
  readonly ends?: number;
  /** Typed in the repository instead of beside `acme.yaml`. */
  readonly isInTree?: true;
  readonly needsK6?: true;
  readonly isSlow?: true;
}

const some = "--only USG-FLD-01,USG-FLD-02";
const withMutant = "npx assay run --mutant CYC-PRES-01.omit-on-free --only CYC-PRES-01,USG-FLD-01";

const init =
  "npx assay init --name acme --admin https://admin.acme.example --key ACME_KEY " +
  "--project 7f9c24e5-1f0b-4c55-9a5c-6f4d1f3b8a10";

/** What a project's tests may be. */
const client = `const { ASSAY_ADMIN, ACME_KEY } = process.env;
const path = "/v0/admin/projects/7f9c24e5-1f0b-4c55-9a5c-6f4d1f3b8a10/usage";
await (await fetch(ASSAY_ADMIN + path, { headers: { "X-Api-Key": ACME_KEY } })).text();`;

/** Each may need what those before it wrote. */
const trials: readonly Trial[] = [
  [
    ["export ACME_KEY=…", "npx assay run --target acme.yaml"],
    `export ACME_KEY=…\nnpx assay run --target acme.yaml ${some} --out runs/<a>`,
    /2 passed/,
  ],
  [["npx assay run --target acme.yaml --plan"], "npx assay run --target acme.yaml --plan", /\d+ requirements planned/],
  [[init], `${init} && cat target.yaml`, /^ {2}paid: \{ project: main, env: ACME_KEY \} # known: paid plan, business/m],
  [
    ["npx assay doctor --target target.yaml"],
    "npx assay doctor --target target.yaml",
    /key paid: known: paid plan[\s\S]*requirements planned[\s\S]*What to add next/,
  ],
  [["--paid"], "npx assay doctor --target acme.yaml --paid", /usage|admin: reachable/],
  [["--implied=fail"], `npx assay run --target acme.yaml --implied=fail ${some} --out runs/<b>`, /2 passed/],
  [["--fixed=fail"], `npx assay run --target acme.yaml --fixed=fail ${some} --out runs/<f>`, /2 passed/],
  [["--strict"], `npx assay run --target acme.yaml --strict ${some} --out runs/<c>`, /2 passed/],
  [
    ["npx assay compare runs/<a> runs/<b>"],
    "npx assay compare runs/<a> runs/<b>",
    /^Passed: no requirement is newly broken\./m,
  ],
  [
    ["npx assay run --target acme.yaml --history history/ --vantage frankfurt", "--history"],
    `npx assay run --target acme.yaml --history history/ --vantage frankfurt ${some} --out runs/<d>`,
    /2 passed/,
  ],
  [
    ["npx assay history history/", "--baseline", "--ctrf"],
    "npx assay history history/ --ctrf ctrf.json --baseline $(grep -o '[^\"]*-acme' history/acme.jsonl | head -1)",
    /^acme from frankfurt: 1 night until /m,
  ],
  [
    ["npx assay history prune history/ --exchanges 30d --histograms 400d"],
    "npx assay history prune history/ --exchanges 30d --histograms 400d",
    /^Removed 0 folders of runs/m,
  ],
  [
    ["npx assay judge traffic.har --target acme.yaml"],
    `echo '{"log": {"entries": []}}' > traffic.har; npx assay judge traffic.har --target acme.yaml || ` +
      "npx assay judge runs/<a> --target acme.yaml",
    /^Inconclusive: nothing could be judged\.$[\s\S]*^Passed: no breach in \d+ exchanges\.$/m,
  ],
  [
    ["npx assay proxy --target acme.yaml -- npm test"],
    `echo '{ "scripts": { "test": "node client.mjs" } }' > package.json; echo '${client}' > client.mjs; ` +
      "npx assay proxy --target acme.yaml -- npm test 2>&1",
    /^Passed: no breach in 1 exchange\.$/m,
  ],
  [["--port 8080"], "npx assay proxy --target acme.yaml --port 8080 -- true 2>&1", /^true sent nothing/m, { ends: 3 }],
  [
    [
      "npx assay proxy --target acme.yaml --port 8080 --fail-on-broken",
      "--fail-on-broken",
      "--every 1h",
      "--record FILE",
    ],
    "npx assay proxy --target acme.yaml --port 8080 --fail-on-broken --every 1h --record FILE.har > proxy.log & " +
      "until grep -q come: proxy.log; do sleep 0.1; done; kill $!; wait $! || code=$?; cat proxy.log; exit $code",
    /^Inconclusive: nothing could be judged\.$/m,
    { ends: 3 },
  ],
  [
    ["npx assay run --target acme.yaml --json"],
    `npx assay run --target acme.yaml --json ${some} --out runs/<g>`,
    /"exitCode": 0/,
  ],
  ...(
    [
      ["npx assay run --target acme.yaml --plan --json", /"untested": \[/],
      ["npx assay judge traffic.har --target acme.yaml --json", /"judged": 0/, { ends: 3 }],
      ["npx assay compare runs/<a> runs/<b> --json", /"exitCode": 0/],
      ["npx assay doctor --target acme.yaml --json", /"isUsable": true/],
      ["npx assay explain CYC-PRES-01 --json", /"is": "requirement"/],
      ["npx assay verify runs/<id> --json", /"result": "same"/],
      ["npx assay requirements runs/<id> --json", /"state": "holds"/],
      ["npx assay history history/ --json", /"histories": \[/],
    ] as const
  ).map(([typed, prints, how = {}]): Trial => [[typed], typed, prints, how]),
  [["npx assay explain CYC-PRES-01"], "npx assay explain CYC-PRES-01", /^CYC-PRES-01: creditCycle is present/],
  [["npx assay requirements runs/<id>"], "npx assay requirements runs/<id>", /^area +rows +passed +unjudged/m],
  [
    ["npx assay mutants", "mutants --json"],
    "npx assay mutants CYC-PRES-01 --json > FILE && grep result FILE",
    /"result": "killed"/,
    { isSlow: true },
  ],
  [
    ["npx assay report runs/<id>", "--kills FILE"],
    "npx assay report runs/<id> --kills FILE && grep --only-matching 'Mutants of the reference platform: can each " +
      "check fail?</h2>' runs/<id>/index.html",
    /2 passed[\s\S]*^Mutants of the reference platform/m,
  ],
  [["npx assay verify runs/<id>"], "npx assay verify runs/<id>", /^The same: \d+ verdicts, /],
  [[withMutant], withMutant, /^BROKEN {2}CYC-PRES-01/m, { ends: 1 }],
  [
    ["npx assay report runs/<id> --for-vendor FILE"],
    "npx assay report runs/<id> --for-vendor FILE.md && head -1 FILE.md",
    /^## No requirement was found broken$/m,
  ],
  [["npx assay run --only CYC,'USG-*'", "--all-findings"], "npx assay run --only CYC,'USG-*' --all-findings", /passed/],
  [
    ["npx assay run --fail-fast", "--junit", "--sarif", "--markdown", "--gitlab"],
    "npx assay run --fail-fast --only USG-HTTP-01 --junit FILE.xml --sarif FILE.sarif --markdown FILE.md " +
      "--gitlab FILE.json && grep --count testcase FILE.xml && cat FILE.json",
    /1 passed[\s\S]*^1$\n\[\]/m,
  ],
  [["npx assay report runs/<id> --format gitlab"], "npx assay report runs/<id> --format gitlab", /^\[\]$/m],
  [["npx assay run --for 60s", "--no-observe"], "npx assay run --for 60s --no-observe --only USG-HTTP-01", /1 passed/],
  [["npx assay run --seed 7", "--save"], "npx assay run --seed 7 --save --only BND-LIM-01", /1 passed/],
  [
    ["npx assay load smoke --target acme.yaml"],
    "npx assay load smoke --target acme.yaml --duration 1s",
    / rate-limited · 0 failed · nothing broken/,
    { needsK6: true },
  ],
  [
    ["npx assay load smoke"],
    "npx assay load smoke --duration 1s",
    / rate-limited · 0 failed · nothing broken/,
    { needsK6: true, isSlow: true },
  ],
  [
    ["--parts 3 --k8s acme-load"],
    "(sed 's|http://127[^ \"]*|https://acme.example|' acme.yaml; echo 'allow: [load]') > far.yaml && " +
      "npx assay load smoke --target far.yaml --parts 3 --k8s acme-load && head -1 acme-load/README.md",
    /in 3 parts is set up[\s\S]*^# smoke on acme/m,
  ],
  [["npx assay spec openapi"], "npx assay spec openapi", /"\/v1\/wallet\/\{wallet\}\/balances"/],
  [["npx assay run --plan"], "npx assay run --plan", /requirements planned/, { isInTree: true }],
  [["npm ci && npm start"], "npm start -- --only USG-HTTP-01 --out FOLDER", /1 passed/, { isInTree: true }],
  [
    ["npx playwright test", "--grep @CYC-PRES-01"],
    "npx playwright test --grep @CYC-PRES-01",
    /1 passed/,
    { isInTree: true, isSlow: true },
  ],
  [
    ["npm run test:slow"],
    "npm run test:slow -- readmeCommands --list --reporter=line",
    /npm run picture/,
    { isInTree: true },
  ],
  [["npm run bench"], "npm run bench judging", /^within /m, { isInTree: true, isSlow: true }],
  [
    ["npm run picture"],
    "npm run picture -- FOLDER/report.png && ls FOLDER",
    /^report\.png$/m,
    { isInTree: true, isSlow: true },
  ],
  [["--properties"], "npx assay mutants CYC-PRES-01 --properties", / 0 false alarms/, { isSlow: true }],
  [["--load"], "npx assay mutants --load RATE-SB-02.limit-6", /1 of 1 mutants killed/, { needsK6: true, isSlow: true }],
];

test("the trials are the README's commands, and no others", () => {
  expect([...trials.flatMap(([commands]) => commands), ...Object.keys(elsewhere)].sort()).toEqual(
    [...commandsIn(guides)].sort(),
  );
});

test("commands are found in lines and in sentences of the README", () => {
  const markdown =
    "Say `npx assay new` or `--flag`.\n\n    npm run new -- 1        what it does, with `new --other`\n\n```yaml\n" +
    "runs:\n    on: `npm no`\n```\n`allow: [no]` `runs/`";
  expect(commandsIn(markdown)).toEqual(["npm run new -- 1", "npx assay new", "--flag", "new --other"]);
});

test("what is typed contains the README's commands and flags", () => {
  for (const [commands, typed] of trials)
    for (const command of commands) {
      const flags = command.split(" ").filter((word) => word.startsWith("--"));
      const words = /^(?:npx|npm|export) /.test(command) ? [command.replace("npm ci && ", "")] : flags;
      for (const word of words) expect(typed).toContain(word);
    }
});

test("the README names each load shape", async () => {
  const [, others = ""] = guides.match(/^ {4}npx assay load smoke {2,}.*; also (.*)$/m) ?? [];
  const { stderr } = await assay(["load", "nothing"]);
  const shapes = [...stderr.matchAll(/^ {2}(\w+) /gm)].map(([, shape = ""]) => shape);
  expect(["smoke", ...others.split(", ")].sort()).toEqual(shapes.sort());
});

test.describe("typed", () => {
  // One vendor and one folder for all: trials need what earlier ones wrote.
  test.describe.configure({ mode: "serial" });

  let [folder, key, base, project]: [string, string, string, string] = ["", "", "", ""];
  let serving: Running | null = null;

  const environment = (): { readonly [name: string]: string } => ({
    PATH: `${join(folder, "bin")}${delimiter}${process.env["PATH"]}`,
    ACME_KEY: key,
  });

  test.beforeAll(async () => {
    folder = emptyFolder();
    // Does what npx does in a clone, but faster and in any folder; npx itself is tested in the repository.
    const launch = `exec '${process.execPath}' '${cliPath}' "$@"`;
    const npx = program("npx", `[ "$1" = assay ] || exit 9\nshift\n${launch}`, join(folder, "bin"));
    const results = [{ id: "CYC-PRES-01.omit-on-free", result: "killed", broken: ["CYC-PRES-01"] }];
    writeFileSync(join(folder, "kills.json"), JSON.stringify({ honest: [], results, pending: [] }));
    serving = start(npx, ["assay", "serve"], environment(), folder);
    const output = await serving.says("export ASSAY_REFERENCE_IP_BLOCKED");
    [, key = ""] = output.match(/export ASSAY_REFERENCE_PAID=(\S+)/) ?? [];
    [, base = "", project = ""] = output.match(/curl .*'(http:\/\/[^/]+)\/v0\/admin\/projects\/([^/]+)\/usage'/) ?? [];
    const [, yaml = ""] = guides.match(/```yaml\n(name: [\s\S]*?)```/) ?? [];
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
      .replace("…", key)
      .replace("https://admin.acme.example", base)
      .replace("7f9c24e5-1f0b-4c55-9a5c-6f4d1f3b8a10", project);
    // A process costs half a second.
    const [, ...words] = wordsOf(filled);
    if (/^npx assay [^|&;<>$\n]*$/.test(filled)) return assay(words.slice(1), environment(), isInTree ? root : folder);
    // In the repository npx needs no registry.
    const inTree = { npm_config_offline: "true", npm_config_cache: join(folder, "npm"), FORCE_COLOR: "0" };
    const [variables, where] = isInTree ? [inTree, root] : [environment(), folder];
    return start("bash", ["-ec", filled], variables, where).ended;
  };

  for (const [commands, typed, prints, { ends = 0, isInTree, needsK6, isSlow } = {}] of trials)
    test(commands.join(" · "), { tag: isSlow ? "@slow" : [] }, async () => {
      test.setTimeout(isSlow ? 1_800_000 : 300_000);
      if (needsK6) k6();
      const { code, stdout, stderr } = await type(typed, isInTree);
      expect(stdout, stderr).toMatch(prints);
      expect(code, stdout + stderr).toBe(ends);
    });
});
