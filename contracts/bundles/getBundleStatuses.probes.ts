// Probes of getBundleStatuses: params, codes, and how statuses change and expire (§3, §4.3, §7.2)
import { type Json, listOf, valueAt } from "../../harness/core/json.ts";
import { notSeen } from "../../harness/core/outcomes.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import { givenAt, type Template } from "../../harness/core/template.ts";
import type { AnsweredExchange } from "../../harness/model/fingerprint.ts";
import type { Probe, ProbeContext, Seen } from "../../harness/model/probe.ts";
import { isServed } from "../../harness/transport/answers.ts";
import type { MadeProject } from "../../harness/transport/control.ts";
import { asUndescribed } from "../shared/describeCalls.ts";
import { listIn, resultOf } from "../shared/jsonRpcOracles.ts";
import { notTested } from "../shared/masked.ts";
import {
  answerToCall,
  bundleAnswerText,
  bundleRequestProbe,
  canReallySend,
  describeBundleResult,
  ownBundle,
  seenOf,
  wordsSeen,
} from "./describeCalls.ts";
import { experiment, landedId, statuses, unknownBundleIds } from "./requests.ts";

const firstId = landedId(0);
const secondId = landedId(1);

const open = (params?: Template, as?: "anonymous" | "unknownKey"): RequestSpec =>
  asUndescribed(statuses(params, { id: 46, ...(as ? { as } : {}) }));

/** Six, each different from the others. */
const [unknownId = ""] = unknownBundleIds;
const six = ["0", "1", "2", "3", "4", "5"].map((digit) => digit + unknownId.slice(1));

const twoIds = six.slice(0, 2);

const kindOf = (entry: Json): string =>
  entry === null ? "null" : typeof entry === "object" ? "a status" : typeof entry;

/** `null, a status`: what stands at each place. */
const describeEntries = (answered: AnsweredExchange): string =>
  Array.isArray(resultOf(answered, "/value"))
    ? listIn(answered, "/value").map(kindOf).join(", ") || "an empty value"
    : "a result without a list";
const summary = describeBundleResult(describeEntries);

/** As `describeEntries`; where there aren't as many entries as ids, how many. */
const repeatedSummary = describeBundleResult((answered) => {
  const ids = listOf(valueAt(answered.sent.json, "/params/0"));
  const entries = listIn(answered, "/value");
  const described = describeEntries(answered);
  return entries.length === ids.length ? described : `${entries.length} for ${ids.length} ids: ${described}`;
});

async function otherCase(context: ProbeContext): Promise<readonly Seen[]> {
  const id = givenAt(context.target, "/samples/landedBundles/0");
  if (typeof id !== "string" || id === id.toUpperCase()) return [];
  const answered = await answerToCall(context, open([[id.toUpperCase()]]));
  return [seenOf("a sample's id in capitals", answered, summary(answered))];
}

const withOthers = (query: RequestSpec["query"], region: string): RequestSpec => {
  const call = open([[unknownId]]);
  return { ...call, ...(query ? { query } : {}), headers: [...(call.headers ?? []), ["engine-region", region]] };
};

const stageOf = (answered: AnsweredExchange): string => {
  if (!isServed(answered)) throw notTested(`a status got ${bundleAnswerText(answered)}`);
  const entry = resultOf(answered, "/value/0") ?? null;
  const stage = valueAt(entry, "/confirmation_status");
  return entry === null ? "null" : typeof stage === "string" ? stage : "a status without a stage";
};

/** In the order in which the interface lists them. */
const stages = ["processed", "confirmed", "finalized"];

/** `null, processed, finalized`. The interface states no order: a step back is observed only. */
function courseOf(seen: readonly string[]): string {
  const steps = seen.filter((stage, nth) => stage !== seen[nth - 1]);
  const fallsBack = steps.some((stage, nth) => stages.indexOf(stage) < stages.indexOf(steps[nth - 1] ?? ""));
  return fallsBack ? `${steps.join(", ")}: it falls back` : steps.join(", ");
}

interface Life {
  readonly project: MadeProject;
  status(): Promise<AnsweredExchange>;
}

/** A bundle that was just sent, with control of its time; undefined without control. */
async function lifeOf(context: ProbeContext): Promise<Life | undefined> {
  if (!canReallySend(context)) return undefined;
  const { project, id } = await ownBundle(context, 3);
  let polls = 0;
  const status = (): Promise<AnsweredExchange> => {
    polls += 1;
    return context.ask(statuses([[id]], { as: project.asker, again: polls }));
  };
  return { project, status };
}

const between_ms = 1_000;
/** At one per second, longer than it takes to be final. */
const ownPolls = 20;
/** For a bundle that landed long ago. */
const samplePolls = 3;

async function transitions(context: ProbeContext): Promise<readonly Seen[]> {
  const seen: AnsweredExchange[] = [];
  for (let nth = 0; nth < samplePolls; nth += 1) {
    seen.push(await context.ask({ ...statuses([[firstId]]), again: nth }));
    // On the reference time changes no final status.
    if (!context.target.isReference) await context.wait(between_ms);
  }
  const life = await lifeOf(context);
  const own: AnsweredExchange[] = [];
  for (let nth = 0; life && nth < ownPolls; nth += 1) {
    own.push(await life.status());
    await life.project.moveBundles(between_ms);
  }
  const courses = { "a bundle that landed before": seen, "a bundle from its sending on": own };
  return Object.entries(courses).flatMap(([name, answers]) =>
    answers.slice(-1).map((last) => seenOf(name, last, courseOf(answers.map(stageOf)))),
  );
}

const minute_ms = 60_000;
const day_ms = 24 * 60 * minute_ms;
const ages: readonly (readonly [name: string, age_ms: number])[] = [
  ["a minute", minute_ms],
  ["10 minutes", 10 * minute_ms],
  ["an hour", 60 * minute_ms],
  ["a day", day_ms],
  ["a week", 7 * day_ms],
];

const slot_ms = 400;

function sampleAge(answered: AnsweredExchange): string {
  const now = resultOf(answered, "/context/slot");
  const then = resultOf(answered, "/value/0/slot");
  if (describeEntries(answered) !== "a status" || typeof now !== "number" || typeof then !== "number")
    return describeEntries(answered);
  const oldest = ages.filter(([, age_ms]) => (now - then) * slot_ms >= age_ms).at(-1);
  return `a status ${oldest ? oldest[0] : "less than a minute"} after it landed, or later`;
}

/** Lets a bundle age, step by step, until its status is null. */
async function describeExpiry({ project, status }: Life): Promise<Seen> {
  let known = "never";
  let passed_ms = 0;
  let last: AnsweredExchange | undefined;
  for (const [name, age_ms] of ages) {
    for (; passed_ms < age_ms; passed_ms += Math.min(day_ms, age_ms - passed_ms))
      await project.moveBundles(Math.min(day_ms, age_ms - passed_ms));
    last = await status();
    if (stageOf(last) === "null") return seenOf("a bundle of ours", last, `last status: ${known}; null after ${name}`);
    known = `after ${name}`;
  }
  if (!last) throw notSeen("no age was tried");
  return seenOf("a bundle of ours", last, `a status ${known}`);
}

async function retention(context: ProbeContext): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  for (const requestSpec of [statuses([[firstId]]), statuses([[secondId]])].filter((call) => context.canAsk(call))) {
    seen.push(wordsSeen(`sample ${seen.length + 1}`, await context.ask(requestSpec), sampleAge));
  }
  const life = await lifeOf(context);
  return life ? [...seen, await describeExpiry(life)] : seen;
}

export const probes: readonly Probe[] = [
  bundleRequestProbe("OBS-BST-CODES", {
    cases: {
      "params absent": open(),
      "params []": open([]),
      "params {}": open({}),
      "null for the list": open([null]),
      "a number for the list": open([5]),
      "an object for the list": open([{}]),
      "a number for an id": open([[5]]),
      "6 ids": open([six]),
      "no key": open([[unknownId]], "anonymous"),
      "an unknown key": open([[unknownId]], "unknownKey"),
    },
  }),
  bundleRequestProbe("OBS-BST-EMPTY", { cases: { "[[]]": open([[]]) }, summary }),
  bundleRequestProbe("OBS-BST-DUP", {
    cases: {
      "[[a, a]], a has landed": open([[firstId, firstId]]),
      "[[a, a]], a is unknown": open([[unknownId, unknownId]]),
      "[[a, a, b]], a has landed, b is unknown": open([[firstId, firstId, unknownId]]),
      "[[a, b, a]], a has landed, b is unknown": open([[firstId, unknownId, firstId]]),
      "[[b, a, a]], a has landed, b is unknown": open([[unknownId, firstId, firstId]]),
    },
    summary: repeatedSummary,
  }),
  bundleRequestProbe("OBS-BST-BADID", {
    cases: {
      '"x"': open([["x"]]),
      "an empty text": open([[""]]),
      "63 hex digits": open([[unknownId.slice(1)]]),
      "a number": open([[5]]),
      null: open([[null]]),
      '"x" before two unknown ids': open([["x", ...twoIds]]),
      '"x" between two unknown ids': open([[twoIds[0] ?? "", "x", twoIds[1] ?? ""]]),
      '"x" behind two unknown ids': open([[...twoIds, "x"]]),
      "for comparison: 64 hex digits, unknown": open([[unknownId]]),
    },
    summary: repeatedSummary,
    besides: otherCase,
  }),
  bundleRequestProbe("OBS-BST-FLAT", {
    cases: { '["a"], a has landed': open([firstId]), '["a"], a is unknown': open([unknownId]) },
    summary,
  }),
  bundleRequestProbe("OBS-BND-REGOTHER", {
    cases: {
      "mev-protect=true, engine-region: nyc": withOthers([["mev-protect", "true"]], "nyc"),
      "mev-protect=maybe": { ...open([[unknownId]]), query: [["mev-protect", "maybe"]] },
      "engine-region: mars": withOthers(undefined, "mars"),
      "for comparison: neither": open([[unknownId]]),
    },
    summary,
  }),
  experiment("OBS-BST-TRANS", [statuses([[firstId]])], transitions, { when: "beside" }),
  experiment("OBS-BST-AGE", [statuses([[firstId]]), statuses([[secondId]])], retention, { suffices: "any" }),
];
