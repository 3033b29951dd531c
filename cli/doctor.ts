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
import type { Invocation } from "./invocation.ts";
import { lookAt, type PlatformLook, planOf, unlockLines } from "./looking.ts";
import { planLines } from "./plan.ts";
import { onTarget, openingLines } from "./target.ts";

export const doctorCommand = (invocation: Invocation): Command =>
  new Command("doctor")
    .description("Look at a platform without judging it: what it offers, what a run would judge and cost.")
    .option("--target <file>", "target file (default: the reference platform)")
    .option(...envOption)
    .option("--paid", "also learn names by calls of 100 credits, at most 11")
    .addHelpText("after", "\nExample:\n  npx assay doctor --target acme.yaml")
    .action(({ paid = false, ...flags }: Pick<JudgingFlags, "target" | "env"> & { readonly paid?: boolean }) =>
      onTarget(invocation, flags, async (target) => {
        for (const line of openingLines(invocation, target)) invocation.print(line);
        const look = await lookAt(invocation, target, [...target.keys.keys()], paid ? "paid" : "all");
        invocation.print((await doctorLines(invocation, look)).join("\n"));
        invocation.exitCode = isUsable(look.survey) ? 0 : 3;
      }),
    );

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

/** What to do about a key that is refused, to follow how it is refused. */
function whatToCorrect({ asker, is }: SeenKey, target: PlatformLook["target"]): string {
  const variable = target.variables.find(({ at: [list, role] }) => list === "keys" && role === asker);
  if (is === "unknown" && variable && asker !== "ipBlocked") return `: check the value of ${variable.name}`;
  const project = projectNameOf(target, asker);
  return is === "other project" && project !== undefined ? `: correct projects.${project}.id` : "";
}

/** Requirements that are named with each lack; the rest is summed up. */
const mostLacks = 12;

/** What loads and rate limits are tested by, and what shows the page. */
function tools({ env: environment }: Invocation): readonly string[] {
  const k6 = foundK6({ environment });
  return [
    `k6: ${k6 ? `${k6.version}, ${k6.path}` : (lackOfK6({ environment }) ?? "none yet; the first load builds one")}`,
    `browser: ${browserHere(environment) ?? "none on the PATH; reports are plain HTML files"}`,
  ];
}

async function doctorLines(
  invocation: Invocation,
  { survey, spent, outages, target }: PlatformLook,
): Promise<readonly string[]> {
  const plan = planOf(invocation, target);
  const lacks = unlockLines(plan, target);
  return [
    `assay doctor · ${target.name} · ${counted(spent.requests, "request")}, ${counted(spent.credits, "credit")}`,
    ...survey.apis.map((api) => `  ${ofApi(api)}`),
    ...outageNotices({ outages }).map((notice) => `  ${oneLine(notice)}`),
    ...survey.keys.map((key) => `  key ${key.asker}: ${ofKey(key)}${whatToCorrect(key, target)}`),
    ...survey.features.map(({ feature, is, outcome }) => `  ${feature}: ${is} (${outcome})`),
    ...survey.names.map(
      ({ at, name, isTaken }) => `  ${dottedPath(at)}: tried ${name}: ${isTaken ? "taken" : "no effect"}`,
    ),
    ...survey.samples.map(
      ({ at, by, value, how }) =>
        `  ${dottedPath(at)}: ${by}${by === "missing" ? "" : `: ${canonical(value)}`} (${how})`,
    ),
    ...(survey.bundles === null ? [] : [`  bundles that are sent: ${survey.bundles}`]),
    `  ${tools(invocation).join("\n  ")}`,
    "",
    (await planLines(target, plan))[0] ?? "",
    ...(lacks.length > 0 ? ["", ...lacks.slice(0, mostLacks)] : []),
    ...(lacks.length > mostLacks ? [`  and ${lacks.length - mostLacks} more; \`assay run --plan\` lists all`] : []),
  ];
}
