// assay doctor: looks at a platform without judging it, and says what a run would judge and what would unlock more.
import { Command } from "commander";
import type { SeenApi, SeenKey } from "../contracts/survey.ts";
import { canonical } from "../harness/core/json.ts";
import { dottedPath } from "../harness/core/template.ts";
import { projectNameOf } from "../harness/targets/target.ts";
import { foundK6, lackOfK6 } from "../load/k6/ensure.ts";
import { counted } from "../reports/numbers.ts";
import { outageNotices } from "../reports/sentences.ts";
import { oneLine } from "../reports/text.ts";
import { browserHere } from "./browser.ts";
import { envOption, type JudgingFlags } from "./flags.ts";
import { jsonOption, printForPrograms } from "./forPrograms.ts";
import type { Invocation } from "./invocation.ts";
import { lookAt, type PlatformLook, planOf, unlockLines, unlocksOf } from "./looking.ts";
import { planLines, plannedRun } from "./plan.ts";
import { onTarget, openingLines } from "./target.ts";

export const doctorCommand = (invocation: Invocation): Command =>
  new Command("doctor")
    .description("Look at a platform without judging it: what it offers, what a run would judge and cost.")
    .option("--target <file>", "target file (default: the reference platform)")
    .option(...envOption)
    .option("--paid", "also learn names by calls of 100 credits, at most 11")
    .option(...jsonOption("doctor"))
    .addHelpText("after", "\nExample:\n  npx assay doctor --target acme.yaml")
    .action(({ paid = false, json = false, ...flags }: DoctorFlags) =>
      onTarget(invocation, flags, async (target) => {
        const say = json ? invocation.warn : invocation.print;
        for (const line of openingLines(invocation, target)) say(line);
        const looked = await lookAt(invocation, target, [...target.keys.keys()], paid ? "paid" : "all");
        const diagnosis = await diagnosed(invocation, looked);
        if (json) printForPrograms(invocation, diagnosis);
        else invocation.print(linesOf(diagnosis).join("\n"));
        invocation.exitCode = diagnosis.isUsable ? 0 : 3;
      }),
    );

type DoctorFlags = Pick<JudgingFlags, "target" | "env" | "json"> & { readonly paid?: boolean };

/** Whether a run could judge all that the target file names: it is there, and no key is refused. */
const isUsable = ({ apis, keys }: PlatformLook["survey"]): boolean =>
  apis.some(({ isReachable }) => isReachable) &&
  apis.every(({ isReachable, isInterface }) => isInterface || !isReachable) &&
  // A key for other addresses only is refused here, as it should be.
  keys.every(({ asker, is }) => asker === "ipBlocked" || (is !== "unknown" && is !== "other project"));

export const ofApi = (seenApi: SeenApi): string => {
  const { api, outcome, latency_ms, ahead_s, isReachable } = seenApi;
  if (!isReachable) return `${api}: unreachable: ${outcome}`;
  if (!seenApi.isInterface) return `${api}: reachable, but not this API (${outcome}): correct the path of bases.${api}`;
  const off = ahead_s === null ? "" : `${Math.abs(ahead_s)} s ${ahead_s > 0 ? "ahead" : "behind"}`;
  const clock = ahead_s === null ? "no clock shown" : ahead_s === 0 ? "clock correct" : `clock ${off}`;
  return `${api}: reachable (${outcome} in ${latency_ms} ms, ${clock})`;
};

const refusedKeys = {
  unknown: "unknown to the platform",
  "other project": "belongs to another project",
  "admin interface off": "the admin interface is off for its project",
} as const;

export function ofKey({ is, outcome, project: { plan, planName, creditsLimit } }: SeenKey): string {
  if (is === "unclear") return `unclear (${outcome})`;
  if (is !== "known") return `${refusedKeys[is]} (${outcome})`;
  const shown = [plan && `${plan} plan`, planName, creditsLimit === undefined ? undefined : `${creditsLimit} credits`];
  return `known: ${shown.filter((one) => one !== undefined).join(", ")}`;
}

/** What to correct about a key that is refused: a variable, or a place in the target file; null where nothing is. */
function toCorrect({ asker, is }: SeenKey, target: PlatformLook["target"]): ToCorrect | null {
  const variable = target.variables.find(({ at: [list, role] }) => list === "keys" && role === asker);
  if (is === "unknown" && variable && asker !== "ipBlocked") return { variable: variable.name };
  const project = projectNameOf(target, asker);
  return is === "other project" && project !== undefined ? { at: `projects.${project}.id` } : null;
}

type ToCorrect = { readonly variable: string } | { readonly at: string };

const correctionText = (correct: ToCorrect | null): string => {
  if (correct === null) return "";
  return "at" in correct ? `: correct ${correct.at}` : `: check the value of ${correct.variable}`;
};

/** What a platform offers, and what a run would judge of it. */
type Diagnosis = Awaited<ReturnType<typeof diagnosed>>;

async function diagnosed(invocation: Invocation, { survey, spent, outages, target }: PlatformLook) {
  const plan = planOf(invocation, target);
  const { apis, features, names, samples, bundles } = survey;
  const { env: environment } = invocation;
  const k6 = foundK6({ environment });
  return {
    target: target.name,
    isUsable: isUsable(survey),
    spent,
    apis,
    outages,
    keys: survey.keys.map((key) => ({ ...key, correct: toCorrect(key, target) })),
    features,
    names,
    samples,
    bundles,
    /** What loads and rate limits are tested by, and what shows the page; `lack` says why there is no k6. */
    tools: { k6, lack: k6 ? null : lackOfK6({ environment }), browser: browserHere(environment) ?? null },
    plan: await plannedRun(target, plan),
    unlocks: unlocksOf(plan, target),
  };
}

/** Requirements that are named with each lack; the rest is summed up. */
const mostLacks = 12;

function linesOf(diagnosis: Diagnosis): readonly string[] {
  const { target, spent, bundles } = diagnosis;
  const { k6, lack, browser } = diagnosis.tools;
  const lacks = unlockLines(diagnosis.unlocks);
  return [
    `assay doctor · ${target} · ${counted(spent.requests, "request")}, ${counted(spent.credits, "credit")}`,
    ...diagnosis.apis.map((api) => `  ${ofApi(api)}`),
    ...outageNotices(diagnosis).map((notice) => `  ${oneLine(notice)}`),
    ...diagnosis.keys.map((key) => `  key ${key.asker}: ${ofKey(key)}${correctionText(key.correct)}`),
    ...diagnosis.features.map(({ feature, is, outcome }) => `  ${feature}: ${is} (${outcome})`),
    ...diagnosis.names.map(
      ({ at, name, isTaken }) => `  ${dottedPath(at)}: tried ${name}: ${isTaken ? "taken" : "no effect"}`,
    ),
    ...diagnosis.samples.map(
      ({ at, by, value, how }) =>
        `  ${dottedPath(at)}: ${by}${by === "missing" ? "" : `: ${canonical(value)}`} (${how})`,
    ),
    ...(bundles === null ? [] : [`  bundles that are sent: ${bundles}`]),
    `  k6: ${k6 ? `${k6.version}, ${k6.path}` : (lack ?? "none yet; the first load builds one")}`,
    `  browser: ${browser ?? "none found; reports are plain HTML files"}`,
    "",
    planLines(diagnosis.plan)[0] ?? "",
    ...(lacks.length > 0 ? ["", ...lacks.slice(0, mostLacks)] : []),
    ...(lacks.length > mostLacks ? [`  and ${lacks.length - mostLacks} more; \`assay run --plan\` lists all`] : []),
  ];
}
