// Lines that repeat a run, or one requirement or case of it, from recorded flags
import { expect, test } from "@playwright/test";
import type { Command } from "commander";
import { judgeCommand } from "../../cli/judge.ts";
import { loadCommand } from "../../cli/load.ts";
import { proxyCommand } from "../../cli/proxy.ts";
import { callOf, commandLine, flagUses, replayLine } from "../../cli/replayLine.ts";
import { runCommand } from "../../cli/run.ts";
import type { RunStart } from "../../harness/record/journal.ts";

/** Commands read what surrounds them only when they run. */
const built = [runCommand, judgeCommand, proxyCommand, loadCommand].map((of) => of({} as Parameters<typeof of>[0]));
const optionsOf = (command: Command): readonly string[] => [
  ...command.options.map((option) => option.attributeName()),
  ...command.commands.flatMap(optionsOf),
];

// `main` gives each command --config.
test("for each flag of a command that writes a run it is known whether replay lines have it", () => {
  const names = [...new Set(built.flatMap(optionsOf))];
  expect(names.filter((name) => !(name in flagUses))).toEqual([]);
  expect(Object.keys(flagUses).filter((name) => ![...names, "base", "config"].includes(name))).toEqual([]);
});

const start = (command: string, flags?: object): RunStart => ({
  record: "start",
  version: "0.1.0",
  interface: { name: "made", version: "1", digest: "" },
  id: "a-run",
  target: "acme",
  isReference: false,
  bases: {},
  command,
  ...(flags ? { call: callOf("npx assay", ["run"], flags) } : {}),
  startedAt: "2026-03-01T12:00:00.000Z",
  planned: [],
  unchecked: [],
  plan: { requests: 0, credits: 0, unpriced: 0 },
});

const flags = {
  target: "our vendor.yaml",
  config: "../assay.config.mjs",
  only: "CYC, IH",
  allFindings: true,
  failFast: true,
  observe: false,
  for: "60s",
  implied: "fail",
  renamed: "warn",
  strict: true,
  seed: "7",
  path: "filters:0",
  out: "runs/a",
  json: true,
};
const counterexample = { property: "filters", path: "0:2", seed: 3, values: [], isMinimal: true } as const;

test("a run is repeated with all that decides what is judged, without what says where reports go", () => {
  expect(commandLine(callOf("npx assay", ["run"], flags))).toBe(
    "npx assay run --target 'our vendor.yaml' --config ../assay.config.mjs --only CYC,IH --all-findings " +
      "--fail-fast --no-observe --for 60s --implied fail --strict --seed 7 --path 'filters:0'",
  );
});

test("a line for one requirement selects it alone, one for a case the case", () => {
  const kept = "npx assay run --target 'our vendor.yaml' --config ../assay.config.mjs --implied fail --strict";
  expect(replayLine(start("", flags), ["CYC-PRES-01"])).toBe(`${kept} --seed 7 --path 'filters:0' --only CYC-PRES-01`);
  expect(replayLine(start("", flags), ["CYC-PRES-01"], counterexample)).toBe(
    `${kept} --only CYC-PRES-01 --seed 3 --path filters:0:2`,
  );
});

test("in runs of older versions the selection follows their command", () => {
  expect(replayLine(start("npx assay run --only CYC --seed 1"), ["CYC-PRES-01", "IH-OK-01"])).toBe(
    "npx assay run --only CYC --seed 1 --only CYC-PRES-01,IH-OK-01",
  );
});
