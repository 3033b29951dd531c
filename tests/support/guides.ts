// What users read, in one text: the README, and the pages of docs/ that show how Assay is used.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cliPage, targetPage } from "../../docs/reference.ts";
import { read, root } from "./assay.ts";

const pages = [
  "install",
  "firstRun",
  "gate",
  "nightly",
  "compare",
  "panel",
  "recordings",
  "proxy",
  "load",
  "manyMachines",
  "evidence",
  "customChecks",
  "agents",
  "concepts",
];

export const guides = [read("README.md"), ...pages.map((page) => read(`docs/${page}.md`))].join("\n");

/** Their commands that readmeCommands.spec.ts doesn't type, and why. */
export const elsewhere: { readonly [command: string]: string } = {
  "npm cit": "it runs this test",
  "npx assay spec diff openapi/": "published.spec.ts types it on documents of six forms",
  "npx assay spec diff vendor/openapi/ --against vendor-before/openapi/ --history history/acme.jsonl":
    "published.spec.ts types it on planted edits",
  "--run runs/<id>": "published.spec.ts types it on a run",
  "--fail-on contradicted": "cases/spec/diff.yaml types it",
  "--out FOLDER": "cases/spec/diff.yaml types it",
  "npx assay panel a.yaml b.yaml c.yaml d.yaml --rounds 100": "panel.spec.ts types it for four vendors",
  "npx assay panel a.yaml b.yaml --workload wallet": "panelWorkload.spec.ts types it on two vendors",
  "npx assay panel a.yaml b.yaml --workload mix.yaml": "panelWorkload.spec.ts types it on two vendors",
  "npx assay panel a.yaml b.yaml --workload traffic.har": "panelWorkload.spec.ts types it on two vendors",
  "npx assay panel a.yaml b.yaml c.yaml d.yaml --vantage fra --history panels/":
    "panel.spec.ts types it for three vendors",
  "npx assay history import runs/<fra>-panel runs/<nyc>-panel --history panels/":
    "histories.spec.ts types it on panels of three machines",
  "--for 10m": "panel.spec.ts types it, and ends it by a signal",
  "npx assay history panels/": "panel.spec.ts types it on two nights",
  "npx assay compare runs/<fra>-panel runs/<tyo>-panel runs/<nyc>-panel":
    "histories.spec.ts types it on panels of several places",
  "--questions FILE": "panel.spec.ts types it with a list of two",
  "--reference": "panel.spec.ts types it for two vendors",
  "npx assay replay runs/<id>": "replay.spec.ts types it on runs with a breach",
  "npx assay replay runs/<id> --target acme.yaml": "replay.spec.ts types it on a vendor that needs a key",
  "--ui": "it opens a window",
  "npx assay serve": "it serves the vendor of these trials",
  "--json": "serve.spec.ts reads what it prints",
  "npx assay metrics history --out assay.prom": "metrics.spec.ts types it on a history",
  "npx assay compare runs/<id> --against last --history history/": "history.spec.ts types it on nights that differ",
  "npx assay history report history/ --from 2026-09-01 --to 2026-11-30":
    "period.spec.ts types it on nights of a summer",
  "--for-vendor report.html": "period.spec.ts writes Markdown for a vendor",
  "--against baseline": "history.spec.ts types it on nights that differ",
  "--mapping": "judge.spec.ts types it on lines of a gateway",
  "mitmdump -n -r FILE --set hardump=traffic.har": "it is mitmproxy's",
  "--mapping kong": "cases/judge/piped.yaml types it",
  "kubectl logs gateway | npx assay judge - --mapping kong --target acme.yaml": "cases/judge/piped.yaml types it",
  "--mapping k6": "judge.spec.ts types it on what k6 logs",
  "--mapping charles": "recordings.spec.ts reads by it",
  "--mapping apisix": "recordings.spec.ts reads by it",
  "--mapping nginx": "recordings.spec.ts reads by it",
  "--mapping envoy": "recordings.spec.ts reads by it",
  "--keys FILE": "judge.spec.ts types it with a key of a free plan",
  "--base https://host/prefix": "judge.spec.ts types it",
  "npm init -y": "package.spec.ts does the same with a file",
  "npm i -D git+https://github.com/OWNER/assay.git": "prepare.spec.ts does so from a repository of this machine",
  "npm i -D git+https://github.com/OWNER/assay.git#v0.1.0": "prepare.spec.ts does so from a repository of this machine",
  "npm i -D https://github.com/OWNER/assay/releases/download/v0.1.0/assay-harness-assay-0.1.0.tgz":
    "package.spec.ts installs what `npm pack` gives",
  "npm pack": "package.spec.ts installs what it gives",
  "npm i -D ../assay/assay-harness-assay-0.1.0.tgz": "package.spec.ts installs what `npm pack` gives",
  "--ignore-scripts": "prepare.spec.ts has an unbuilt copy say so",
  "npx --no -- assay …": "prepare.spec.ts types it",
  "winget install k6 --source winget": "it is for Windows",
  "npm i -D openapi-typescript typescript@5": "package.spec.ts takes both from here",
  "node vendor.mjs INV-SUM-01.forgets-a-line &": "package.spec.ts starts it",
  "npx assay run --target target.yaml": "package.spec.ts types it",
  "npx assay mutants INV": "package.spec.ts types it",
  "npx assay generate": "package.spec.ts types it",
  "tsc --noEmit --checkJs --strict --module nodenext --target es2022": "package.spec.ts types it",
  "--only INV": "package.spec.ts types it",
  "--config FILE": "config.spec.ts types it",
  "npx assay explain INV-SUM-01 runs/<id>": "config.spec.ts types it on a run of another config",
  "npx assay <command> --help": "run.spec.ts types it for each",
  "npx assay accept runs/<id> CYC-PRES-01 --reason 'their ticket 123' --until 2027-03-31 --json":
    "json.spec.ts types it on a run with a breach",
  "npx assay replay runs/<id> --target acme.yaml --json": "json.spec.ts types it on a run with a breach",
  "--env ACME_KEY": "variables.spec.ts types it",
  "--only": "other trials type it",
  "--out": "other trials type it",
  "--for 60s": "another trial types it",
  "compare --json": "comparedRuns.spec.ts reads it",
  "npx assay compare runs/<a> runs/<b> --slower 1.5": "comparedLoads.spec.ts types it on two loads",
  "assay compare --slower 1.5": "comparedLoads.spec.ts types it on two loads",
  "--slower 1.5": "comparedLoads.spec.ts types it on two loads",
  "--slower": "comparedLoads.spec.ts types it on two loads",
  "--upstream URL": "proxy.spec.ts types it",
  "--annotations none": "hostile.spec.ts types it where GitHub reads along",
  "--env": "variables.spec.ts types it on files that name other variables",
  "--intermittent=fail": "intermittent.spec.ts types it on a platform that fails now and then",
  "--parts 3": "loadParts.spec.ts sends a load by two",
  "npx assay load nightly --target acme.yaml --part 1/3 --start 2026-12-01T03:00:00Z":
    "runnerTroubles.spec.ts sends the parts of loads that begin soon",
  "npx assay load merge part-1 part-2 part-3": "runnerTroubles.spec.ts merges them",
  "npx assay accept runs/<id> --reason 'their ticket 123' --until 2027-03-31":
    "readme.spec.ts types it for a vendor that breaks a requirement",
};

/** Links of a page that lead to no file. */
export const deadLinks = (folder: string, page: string): readonly string[] =>
  [...readFileSync(join(folder, page), "utf8").matchAll(/\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)/g)].flatMap(
    ([, path = ""]) => (existsSync(join(folder, dirname(page), path)) ? [] : [path]),
  );

const fileName = /^(?:[\w-]+\/)+[\w.-]+\.(?:ts|tsx|js|yaml|json)$/;

/** Files of the tree that a page names in code, and that aren't there; what a run or generation writes is left out. */
export const missingFiles = (folder: string, page: string): readonly string[] =>
  [...readFileSync(join(folder, page), "utf8").matchAll(/`([^`\n]+)`/g)]
    .map(([, span = ""]) => span)
    .filter((span) => fileName.test(span) && existsSync(join(root, span.split("/")[0] ?? "")))
    .filter((span) => !/^(?:runs|.*\/generated)\//.test(span) && !existsSync(join(root, span)));

/** What \`npm run docs\` makes of the commands and of the schema of target files. */
export const generatedPages = async (): Promise<{ readonly [path: string]: string }> => ({
  "docs/cli.md": await cliPage(),
  "docs/targetFile.md": targetPage(),
});
