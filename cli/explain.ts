// assay explain: what a requirement, an operation's laws, an observation or an exit code means.
import { readFileSync } from "node:fs";
import { Command } from "commander";
import { formWithout } from "../custom/suite.ts";
import { CommandLineError, suggestion } from "../harness/core/commandLineError.ts";
import { type Operation, operationOf, type Requirement, type UnspecifiedBehaviour } from "../harness/core/interface.ts";
import { describeReason, type UnmetNeed } from "../harness/core/reason.ts";
import { dottedPath } from "../harness/core/template.ts";
import { unmetNeedsOfCheck } from "../harness/engine/unmetNeeds.ts";
import { type Check, citedBy } from "../harness/model/check.ts";
import type { Law } from "../harness/model/law.ts";
import type { Target } from "../harness/targets/target.ts";
import { readKnown, readTarget } from "../harness/targets/targetFile.ts";
import { requestTitle } from "../harness/transport/rendering.ts";
import { areaOf, describedBy, siteText } from "../reports/described.ts";
import { exitCodeMeanings } from "../reports/headline.ts";
import { counted } from "../reports/numbers.ts";
import type { JudgingFlags } from "./flags.ts";
import { jsonOption, printForPrograms } from "./forPrograms.ts";
import type { Invocation, InvokedProject } from "./invocation.ts";
import { runOfJournal } from "./runAt.ts";
import { judgesOf } from "./suite.ts";
import { placeholder } from "./target.ts";

type ExplainFlags = Pick<JudgingFlags, "target" | "json">;

export const explainCommand = (invocation: Invocation): Command =>
  new Command("explain")
    .description("Explain a requirement, an operation's laws, an observation or an exit code.")
    .argument("<name>", "such as CYC-PRES-01, getTokenAccounts, OBS-MET-LAG or 3")
    .argument("[run]", "folder of a run, for a requirement of the config that judged it")
    .option("--target <file>", "also its known deviations in this target file")
    .option(...jsonOption("explain"))
    .addHelpText("after", "\nExample:\n  npx assay explain CYC-PRES-01")
    .action((name: string, run: string | undefined, { target, json = false }: ExplainFlags) => {
      const project = projectOf(invocation, run);
      const known = target === undefined ? null : { file: target, ...readKnown(project.form, target) };
      const explanation = explained(project, name, known);
      if (json) printForPrograms(invocation, explanation);
      else invocation.print(linesOf(explanation).join("\n"));
    });

/** With what a run keeps of its config, whose checks aren't loaded. */
function projectOf({ project }: Invocation, run: string | undefined): InvokedProject {
  if (run === undefined) return project;
  const { tables } = runOfJournal(run, project.described.tables);
  return { ...project, form: formWithout(project.form, tables), described: describedBy(tables, project.described) };
}

type Known = (ReturnType<typeof readKnown> & { readonly file: string }) | null;

/** @throws CommandLineError for a name that means nothing here */
function explained(project: InvokedProject, name: string, known: Known): Explanation {
  const { requirements, unspecified, operations } = project.form.interface;
  const isNamed = ({ id }: { readonly id: string }): boolean => id.toLowerCase() === name.toLowerCase();
  const requirement = requirements.find(isNamed);
  if (requirement) return explainedRequirement(project, requirement, known);
  const observation = unspecified.find(isNamed);
  if (observation) return explainedObservation(project, observation);
  const operation = operations.find(isNamed);
  if (operation) return explainedOperation(project, operation);
  const meaning = Object.hasOwn(exitCodeMeanings, name) ? exitCodeMeanings[name] : undefined;
  if (meaning !== undefined) return { is: "exitCode" as const, code: Number(name), meaning };
  const names = [...requirements, ...unspecified, ...operations].map(({ id }): string => id);
  const isOwn = name.includes("-") && !Object.hasOwn(project.described.areas, areaOf(name.toUpperCase()));
  const ofConfig = isOwn ? " For one of a config, add --config, or a run." : "";
  throw new CommandLineError(
    `Nothing is named ${name}${suggestion(name, names)}. Name a requirement, an observation, an operation or an exit ` +
      `code; \`npx assay requirements\` lists the requirements.${ofConfig}`,
  );
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ["", title, ...lines.map((line) => (line === "" ? "" : `  ${line}`))];

const basisTexts = {
  explicit: "stated in the interface",
  entailed: "follows from the interface's words",
  implied: "implied by the interface: a breach on a vendor is a warning, unless --implied=fail",
  external: "required by another standard: a breach is a warning",
} as const;

type Explanation =
  | { readonly is: "exitCode"; readonly code: number; readonly meaning: string }
  | ReturnType<typeof explainedRequirement>
  | ReturnType<typeof explainedObservation>
  | ReturnType<typeof explainedOperation>;

function linesOf(explanation: Explanation): readonly string[] {
  switch (explanation.is) {
    case "requirement":
      return linesOfRequirement(explanation);
    case "observation":
      return linesOfObservation(explanation);
    case "operation":
      return linesOfOperation(explanation);
    case "exitCode":
      return [`exit code ${explanation.code}: ${explanation.meaning}`];
  }
}

function explainedRequirement(project: InvokedProject, requirement: Requirement, known: Known) {
  const { id, sentence, clause, level, basis, definedAt, mutants = {}, benign = {} } = requirement;
  const { suite } = judgesOf(project);
  const checks = suite.checks.filter((check) => citedBy(check).includes(id));
  const laws = suite.laws.filter((law) => law.ids.includes(id));
  const listed = (slugs: { readonly [slug: string]: string }) =>
    Object.entries(slugs).map(([slug, what]) => ({ id: `${id}.${slug}`, what }));
  return {
    is: "requirement" as const,
    id,
    sentence,
    clause,
    level,
    basis,
    tried: [
      ...new Set(checks.flatMap((check) => checkLine(project, check))),
      ...laws.map((law) => `each answer of ${scopeText(law)} is judged`),
      ...(definedAt && checks.length + laws.length === 0
        ? [`by its config, ${definedAt.file}:${definedAt.line}, which isn't loaded: name it with --config`]
        : []),
    ],
    sites: sitesOf(project, id),
    needs: [...new Set(needsOf(project, checks).map(needText))],
    deviations: known && {
      target: known.file,
      entries: known.deviations
        .filter((deviation) => deviation.requirement === id)
        .map(({ reason, until, entry: { file, line } }) => ({ reason, until, file, line })),
    },
    mutants: listed(mutants),
    benign: listed(benign),
    text: clauseText(project, clause),
  };
}

function linesOfRequirement(explained: ReturnType<typeof explainedRequirement>): readonly string[] {
  const { id, sentence, clause, level, basis, deviations } = explained;
  const listed = (all: typeof explained.mutants): readonly string[] => all.map((one) => `${one.id}: ${one.what}`);
  return [
    `${id}: ${sentence}`,
    `${clause}; ${level}, ${basisTexts[basis]}`,
    ...section("How it is tried", explained.tried),
    ...section("What an answer must have", explained.sites),
    ...section("What it needs besides one key of a paid plan", explained.needs),
    ...section(
      `Known deviations in ${deviations?.target}`,
      (deviations?.entries ?? []).map(({ reason, until, file, line }) => `${file}:${line}: ${reason}, until ${until}`),
    ),
    ...section("What breaks it: these mutants of the reference do, by run --mutant", listed(explained.mutants)),
    ...section("What doesn't break it", listed(explained.benign)),
    ...section(`The clause, ${clause}`, explained.text),
  ];
}

const mostRequests = 3;

/** What a check sends. */
function checkLine({ form }: InvokedProject, { needs, ids, shows }: Check): readonly string[] {
  const titles = [...new Set(needs.requests.map((one) => requestTitle(one, form.interface)))];
  const rest = titles.length > mostRequests ? ` and ${titles.length - mostRequests} more` : "";
  const asked = `${titles.slice(0, mostRequests).join(", then ")}${rest}`;
  const { generates } = needs;
  if (generates)
    return [`generated cases (${generates.property}), ${counted(generates.cases.few, "case")} on a vendor`];
  if (ids.length + shows.length > 0 && asked !== "") return [asked];
  return needs.unless || needs.control ? [] : ["several steps"];
}

function scopeText({ operation }: Law): string {
  if (typeof operation === "object") return `the ${operation.errorTable} methods`;
  if (operation === "any") return "every operation";
  return operation === "any method" ? "every JSON-RPC method" : operation;
}

const sitesOf = ({ described }: InvokedProject, id: string): readonly string[] =>
  Object.entries(described.lines.sites).flatMap(([operation, sites]) => [
    ...new Set(sites.filter((site) => site.id === id).map((site) => `${operation}: ${siteText(site)}`)),
  ]);

/** What a target file must have, by its place there; else why it can't be tried. */
function needText(need: UnmetNeed): string {
  const remedy = "remedy" in need ? (need.remedy ?? []) : [];
  const places = remedy.map(({ at, item }) => (item === undefined ? dottedPath(at) : `${dottedPath(at)}: [${item}]`));
  return places.length > 0 ? places.join(" and ") : describeReason(need);
}

/** What its checks lack on a platform of which nothing but its addresses and one key is known. */
function needsOf({ form }: InvokedProject, checks: readonly Check[]): readonly UnmetNeed[] {
  const bases = Object.fromEntries(Object.keys(form.interface.apis).map((api) => [api, "https://platform.example"]));
  const projects = { main: { id: "7f9c24e5-1f0b-4c55-9a5c-6f4d1f3b8a10", plan: "paid" } };
  const text = JSON.stringify({ name: "any", bases, projects, keys: { paid: { project: "main", env: "KEY" } } });
  const target: Target = readTarget(form, "a draft", {}, { text, placeholder });
  return checks.flatMap((check) => unmetNeedsOfCheck(check, target));
}

/** Where the text of a clause ends in docs/INTERFACE.md: at what is made of the register, or at the next clause. */
const endsOfClause = ["| Requirement |", "| Observation |", "<details>", "<a id="];

/** The text of each clause that is cited, as docs/INTERFACE.md has it; none where it isn't of this interface. */
function clauseText({ described: { clauses } }: InvokedProject, citation: string): readonly string[] {
  const anchors = Object.hasOwn(clauses.anchors, citation) ? (clauses.anchors[citation] ?? []) : [];
  if (anchors.length === 0) return [];
  const lines = readFileSync(new URL(`../${clauses.file}`, import.meta.url), "utf8").split("\n");
  return anchors.flatMap((anchor) => {
    const start = lines.indexOf(`<a id="${anchor}"></a>`) + 1;
    const end = lines.findIndex((line, nth) => nth >= start && endsOfClause.some((mark) => line.startsWith(mark)));
    return [...trimmed(lines.slice(start, end === -1 ? undefined : end)), `(${clauses.file}#${anchor})`];
  });
}

/** Without empty lines at either end. */
function trimmed(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line !== "");
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== "") + 1);
}

const kindTexts = {
  "not-shown": "the interface doesn't show it",
  silent: "the interface says nothing about it",
  conflict: "the interface contradicts itself",
  normally: "the interface says what normally happens",
} as const;

const safetyTexts = {
  safe: "harmless calls",
  paid: "calls that cost credits: needs allow: [paidProbes]",
  throttle: "exceeds rate limits: needs allow: [throttle]",
  irreversible: "calls that can't be undone: needs their consent in allow",
  white: "not testable from outside",
} as const;

/** In the register, of what nothing but its probe's own record is kept. */
const nothingRecorded = "—";

function explainedObservation(project: InvokedProject, observation: UnspecifiedBehaviour) {
  const { id, question, clause, kind, safety, probe, records } = observation;
  return {
    is: "observation" as const,
    id,
    question,
    clause,
    kind,
    safety,
    probe,
    records: records === nothingRecorded ? null : records,
    text: clauseText(project, clause),
  };
}

function linesOfObservation(explained: ReturnType<typeof explainedObservation>): readonly string[] {
  const { id, question, clause, kind, safety, probe, records } = explained;
  return [
    `${id}: ${question}`,
    `${clause}; observed, and fails nobody: ${kindTexts[kind]}`,
    ...section("How it is observed", [probe, safetyTexts[safety]]),
    ...section("What is recorded", records === null ? [] : [records]),
    ...section(`The clause, ${clause}`, explained.text),
  ];
}

function explainedOperation(project: InvokedProject, { id, method, path, credits }: Operation) {
  const { interface: tables } = project.form;
  const laws = judgesOf(project).suite.laws.filter(({ operation }) => operation === id);
  const ids = new Set<string>(laws.flatMap((law) => law.ids));
  return {
    is: "operation" as const,
    id,
    method,
    path,
    api: operationOf(tables, id)?.api ?? null,
    credits,
    requirements: tables.requirements.filter((one) => ids.has(one.id)).map(({ id, sentence }) => ({ id, sentence })),
  };
}

function linesOfOperation(explained: ReturnType<typeof explainedOperation>): readonly string[] {
  const { id, method, path, api, credits, requirements } = explained;
  return [
    `${id}: ${method} ${path} of ${api}, ${credits === null ? "price not published" : counted(credits, "credit")}`,
    ...section(
      "Its laws, which judge each answer that it gives",
      requirements.map((one) => `${one.id}: ${one.sentence}`),
    ),
  ];
}
