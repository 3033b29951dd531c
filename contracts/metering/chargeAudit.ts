// The charge audit: compares what a run was charged with what it sent, per project (§2.1, §4.2, §8).

import Big from "big.js";
import { near } from "../../harness/core/finding.ts";
import { describeReason } from "../../harness/core/reason.ts";
import type { Role } from "../../harness/core/requestSpec.ts";
import { unmetNeedOf } from "../../harness/engine/unmetNeeds.ts";
import type { AuditDifference, AuditEntry, Auditor } from "../../harness/model/chargeAudit.ts";
import { isServed } from "../../harness/transport/answers.ts";
import { fateOf } from "../../harness/transport/fates.ts";
import { reasonOf } from "../shared/reasonOf.ts";
import { usageRequest } from "../shared/requestSpecs.ts";
import { type AccountRead, accounts, auditedIn, grownSince, readAccounts } from "./accounts.ts";
import { markerOf } from "./chargedCalls.ts";
import { findRestless } from "./chargeExperiment.ts";
import {
  chargePaceOf,
  isLate,
  isTooSlow,
  notQuiet,
  seconds,
  shownWithin_ms,
  slowest_ms,
  slowestJudged_ms,
  waits_ms,
} from "./chargePace.ts";
import { nameIn, onePerProject, projectOf, readAll } from "./meterRounds.ts";
import { isChargedAgain, usedByOthers } from "./othersUse.ts";

/** Roles whose projects are audited. */
const audited: readonly Role[] = ["paid", "other", "free"];

interface Audited {
  readonly entry: AuditEntry;
  readonly differences: readonly AuditDifference[];
}

/** @param waitsLeft waits that are left to all projects of a run, in ms */
async function compared(read: AccountRead, waitsLeft: number[]): Promise<Audited> {
  const { project, account, proven, most, seen } = read;
  const { at, id } = account;
  const spent = { least: proven.toFixed(), most: most.toFixed() };
  const row = { project: projectOf(project.context.target, project.as), at, spent };
  const open = (reason: string): Audited => ({
    entry: { ...row, charged: null, result: "open", reason },
    differences: [],
  });
  if (typeof seen === "string") return open(seen);
  try {
    const { by: charged, exchange } = seen;
    const isMissing = charged.lt(proven);
    const isExcess = charged.gt(most);
    const reason = isMissing || isExcess ? await whyOpen(read, charged, isExcess, waitsLeft) : null;
    const isDifferent = (isMissing || isExcess) && reason === null;
    const result = isDifferent ? "differs" : reason === null ? "agrees" : "open";
    const finding = near(at, charged, isMissing ? proven : most, { within: 0 });
    return {
      entry: { ...row, charged: charged.toFixed(), result, reason },
      differences: isDifferent ? [{ id, shown: { exchange, finding } }] : [],
    };
  } catch (error) {
    return open(reasonOf(error));
  }
}

/** Why a difference may be late charges, of this run or from before it (amendment 5); null where it can't. */
async function whyOpen(read: AccountRead, before: Big, isExcess: boolean, waitsLeft: number[]): Promise<string | null> {
  const { project, account } = read;
  const { context, as } = project;
  const { at, feature, perCall } = account;
  const pace = chargePaceOf(context);
  if (shownWithin_ms(pace) > slowestJudged_ms) return `charges take ${seconds(shownWithin_ms(pace))} to show`;
  const marker = markerOf(feature, as);
  if (!marker || unmetNeedOf(marker, context.target) !== null)
    return "no call is possible that would show how late charges are";
  const call = await context.ask(context.fresh(marker));
  if (!isServed(call)) return `the call that would show how late charges are ${fateOf(call)}`;
  const isShown = async (): Promise<boolean> =>
    grownSince(project, await readAll(context, [as]), at)
      .minus(before)
      .gte(perCall);
  // Where charges showed late during the run, one that shows at once says nothing of earlier ones.
  if (!(isExcess && isLate(chargePaceOf(context))) && (await isShown())) return isExcess ? whyOthers(read) : null;
  if (isExcess) return "charges show late, so some may belong to calls before the run";
  // Where no call ever showed, the run has waited for it already.
  const isNever = before.eq(0) && chargePaceOf(context).overdue.has(nameIn(context, as, at));
  while (waitsLeft.length > 0 && !isNever) {
    await context.wait(waitsLeft.shift() ?? 0);
    if (await isShown()) return null;
  }
  return "a later call's charge didn't show either; charges may show later still";
}

/** Why what is charged beyond what was sent may be for calls of others; null where it can't. */
async function whyOthers(read: AccountRead): Promise<string | null> {
  const { context } = read.project;
  if (context.target.isReference) return null;
  if (context.target.others?.projects().includes(projectOf(context.target, read.project.as)))
    return "another command of this machine used the project meanwhile";
  // A busy run has seen too little of projects at rest to know.
  await findRestless(context);
  // Those who use one project may use the others, too.
  if (usedByOthers(context).length > 0) return "others used the target's projects meanwhile";
  if (await isChargedAgain(read)) return null;
  return "the same calls were charged differently when repeated, so others may have used the project";
}

export const auditor: Auditor = async (context, features) => {
  const { target } = context;
  const charged = accounts.filter(({ feature }) => features.includes(feature));
  if (charged.length === 0) return null;
  const lack = notQuiet(target);
  const reasons: string[] = lack === null ? [] : [describeReason(lack)];
  const projects = auditedIn(context);
  const readable = audited.filter((as) => unmetNeedOf(usageRequest({ as }), target) === null);
  for (const as of lack === null ? onePerProject(target, readable) : []) {
    try {
      projects.push({ context, as, before: await readAll(context, [as], false) });
    } catch (error) {
      reasons.push(`${projectOf(target, as)}: ${reasonOf(error)}`);
    }
  }
  return {
    close: async () => {
      const found: Audited[] = [];
      // Checks have waited long enough if nothing showed.
      const waitsLeft = isTooSlow(chargePaceOf(context)) ? [] : [...waits_ms];
      for (const read of await readAccounts(context, projects, charged)) found.push(await compared(read, waitsLeft));
      const shownAfter_ms = slowest_ms(chargePaceOf(context));
      const whyNone = found.length ? null : "the target names no project whose charges could show";
      return {
        audit: {
          entries: found.map(({ entry }) => entry),
          reason: reasons.join("; ") || whyNone,
          ...(shownAfter_ms === null ? {} : { shownAfter_s: shownAfter_ms / 1000 }),
        },
        differences: found.flatMap(({ differences }) => differences),
        usedByOthers: usedByOthers(context),
      };
    },
  };
};
