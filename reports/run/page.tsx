/** @jsxImportSource hono/jsx */
// The page of a run; everything it shows is computed elsewhere.
import type { Child } from "hono/jsx";
import { sum } from "simple-statistics";
import type { LoadReport } from "../../harness/record/load.ts";
import type { Run } from "../../harness/record/run.ts";
import type { Described } from "../described.ts";
import { type Block, code, foreign, note, type Section, type Sentence, sectionOf } from "../document/document.ts";
import { AllExchanges, longestListed_chars } from "../document/exchange.tsx";
import { documentPage } from "../document/page.tsx";
import { experimentsIn } from "../experiments.ts";
import { exitCodeText } from "../headline.ts";
import { groupedBy } from "../lists.ts";
import { loadAlone, loadFlaws, loadNotes, sentAsText } from "../load.ts";
import { counted, numberText } from "../numbers.ts";
import { creditsText, explainedCreditsText, nextSteps, noticesOf, samplesLines, spentText } from "../sentences.ts";
import { shown } from "../text.ts";
import { callsOf, latenciesOf, timelinesOf } from "../traffic.ts";
import { chartsOf } from "./charts.ts";
import { chosenOf } from "./choice.ts";
import { exchangesByNumber } from "./finding.ts";
import { runHead } from "./head.ts";
import { type KillMatrix, killedBy } from "./killedBy.ts";
import { limitList, limitNameOf, limitsOfLoad, limitsOfRun } from "./limitLines.ts";
import { loadBlocks, loadDetails, loadFigures } from "./load.ts";
import { observationBlocks } from "./observations.tsx";
import { Requirements } from "./requirements.tsx";
import { script } from "./script.ts";
import {
  chargeBlocks,
  coverageBlocks,
  experimentsFigure,
  killBlocks,
  latencyBlocks,
  limitBlocks,
  timelineFigure,
} from "./sections.tsx";
import { foundSection, VerdictCounts } from "./summary.tsx";

interface Options {
  /** Shown beside the run. */
  readonly kills?: KillMatrix;
}

/** One HTML document: it sends no request, and is complete without its script. */
export async function htmlOf(found: Run, described: Described, { kills }: Options = {}): Promise<string> {
  const run = shown(found);
  const sections = await pageSections(run, described, kills ? shown(kills) : null);
  return documentPage({
    ...runHead(run),
    first: pageFirst(run),
    sections,
    skip: { to: "#requirements", text: "Skip to the requirements" },
    script,
    foot: [
      "Run ",
      code(run.id),
      ". Keys are redacted: each is shown as its role. The same findings for programs are in ",
      code("run.json"),
      `; clauses (§) are in Assay's ${described.clauses.file}.`,
    ],
  });
}

/** Verdict, coverage, every broken sentence, the facts of the run, and what to add next. */
function pageFirst(run: Run): readonly Block[] {
  const isEnded = run.preflight?.ended === true;
  const alone = loadAlone(run);
  const flaws = [...noticesOf(run), ...(alone ? loadNotes(alone) : run.load ? loadFlaws(run.load) : [])];
  return [
    ...(isEnded ? [] : [elementBlock(<VerdictCounts totals={run.totals} />)]),
    { is: "list", items: flaws.map((flaw) => [foreign(flaw)]) },
    foundSection(run, "broken", "Broken"),
    foundSection(run, "deviates", "Known issues"),
    foundSection(run, "fixed", "Fixed"),
    ...(isEnded ? [] : [foundSection(run, "inconclusive", "Could not be judged")]),
    factsOf(run),
    sectionOf(["What to add next"], { is: "list", items: nextSteps(run).map((step) => [foreign(step)]) }),
  ];
}

const asDate = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "medium", timeZone: "UTC" });

function factsOf(run: Run): Block {
  const { target, plan, exitCode, startedAt, endedAt, remarks = [] } = run;
  const alone = loadAlone(run);
  // APIs of one base together.
  const bases = [...groupedBy(Object.entries(target.bases), ([, base]) => base)];
  const started_ms = Date.parse(startedAt);
  const when = Number.isNaN(started_ms) ? startedAt : `${asDate.format(started_ms)} UTC`;
  const noted = (text: string, aside: string): Sentence => [text, " ", { text: `(${aside})`, as: "aside" }];
  const entries: readonly (readonly [string, Sentence])[] = [
    ["Target", [foreign(`${target.name}${target.isReference ? " (embedded platform)" : ""}`)]],
    ...(alone ? [["Load", [foreign(`${sentAsText(alone)}, seed ${alone.seed}`)]] as const] : []),
    ["When", [foreign(`${when}${endedAt === null ? ", not finished" : ""}`)]],
    ...bases.map(([base, apis]) => [`Base of ${apis.map(([api]) => api).join(", ")}`, [code(base)]] as const),
    [
      "Spent",
      run.recording
        ? [spentText(run)]
        : noted(
            spentText(run, explainedCreditsText(run.spent)),
            `planned: at most ${counted(plan.requests, "request")}, ${creditsText(plan)}`,
          ),
    ],
    ["Exit code", noted(String(exitCode), exitCodeText(run))],
    ["Command", [code(run.command)]],
    ...samplesLines(run.samples).map((line) => ["Samples", [foreign(line)]] as const),
    ...remarks.map((sentence) => ["Remark", [foreign(sentence)]] as const),
  ];
  return { is: "terms", entries };
}

/** In the table of contents by its name. */
const namedSection = (id: string, name: string, title: string, ...blocks: readonly Block[]): Section => ({
  ...sectionOf([title], ...blocks),
  id,
  name,
});

/** Of a load, only some answers are kept. */
const sampleTitle = ({ exchanges }: Run, { phases }: LoadReport): string =>
  `Sample of ${numberText(exchanges.length)} of ${counted(sum(phases.map(({ requests }) => requests)), "exchange")}`;

const allProjects = "The bars count all projects together, of which each may have a limit of its own.";

const elementBlock = (element: Child): Block => ({ is: "element", element });

async function pageSections(run: Run, described: Described, kills: KillMatrix | null): Promise<readonly Section[]> {
  const { audit, load, exchanges } = run;
  const { tables, clauses } = described;
  const calls = callsOf(run);
  const latencies = latenciesOf(calls);
  const timelines = timelinesOf(calls, tables);
  const experiments = experimentsIn(run);
  const names = [...new Set(timelines.byLimit.stretches.map(({ name }) => name))].sort();
  const ofRun = limitsOfRun(run, tables, names);
  const tried = run.observations.filter(({ values }) => values[0]?.experiments).map((one) => limitNameOf(one, tables));
  const ofExperiments = ofRun.filter(({ name }) => tried.every((one) => one === name));
  const ofLoad = load ? limitsOfLoad(load, tables) : [];
  const charts = await chartsOf(
    { calls, timelines, experiments, kills, load, limits: { ofRun, ofExperiments, ofLoad } },
    described,
  );
  const chosen = chosenOf(run, longestListed_chars);
  const mutants = kills ? killedBy(kills) : new Map<string, readonly string[]>();
  const material = { clauses, chosen, mutants, exchanges: exchangesByNumber(run) };
  const requirements = <Requirements run={run} described={described} material={material} />;
  const all = <AllExchanges exchanges={exchanges} chosen={chosen} sent={run.spent.requests} />;
  const limits = [
    ...limitBlocks(calls, tables, timelines.byLimit, charts.limits),
    limitList(ofRun),
    ...(ofRun.length > 0 && new Set(exchanges.map(({ asker }) => asker)).size > 1 ? [note(allProjects)] : []),
    ...(experiments.length > 0 ? [experimentsFigure(experiments, charts.experiments)] : []),
  ];
  const timeline = [
    timelineFigure("feature", timelines.byFeature, charts.features),
    timelineFigure("operation", timelines.byOperation, charts.operations),
  ];
  const observed = "Unspecified behaviour";
  const killTitle = "Mutants of the reference platform: can each check fail?";
  const alone = loadAlone(run);
  return [
    ...(alone
      ? [namedSection("load", "Load", "Load", ...loadFigures(alone, charts.load, ofLoad), ...loadDetails(alone))]
      : []),
    namedSection("requirements", "Requirements", "Requirements, worst first", elementBlock(requirements)),
    namedSection("coverage", "Coverage", "Coverage by area", ...coverageBlocks(run, described)),
    namedSection("charges", "Charge audit", "Charge audit", ...(audit ? chargeBlocks(audit) : [])),
    namedSection("timeline", "Timeline", "Requests over the run", ...(charts.features === null ? [] : timeline)),
    namedSection("limits", "Limits", "Accepted and refused at each limit", ...(calls.length > 0 ? limits : [])),
    namedSection(
      "latency",
      "Latency",
      "Latency",
      ...(latencies.length > 0 ? latencyBlocks(latencies, charts.latency) : []),
    ),
    ...(alone
      ? []
      : [namedSection("load", "Under load", "Under load", ...(load ? loadBlocks(load, charts.load, ofLoad) : []))]),
    namedSection("observations", observed, observed, ...observationBlocks(run, described)),
    namedSection("kills", "Mutants", killTitle, ...(kills ? killBlocks(kills, described, charts.kills) : [])),
    alone
      ? namedSection("exchanges", "Sample", sampleTitle(run, alone), ...(chosen.size > 0 ? [elementBlock(all)] : []))
      : namedSection("exchanges", "Exchanges", "Exchanges", ...(chosen.size > 0 ? [elementBlock(all)] : [])),
  ];
}
