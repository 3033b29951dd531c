// Checks and probes of accounts that are listed, of which an owner that the run made up has none

import { noMember, type UnmetNeed } from "../../harness/core/reason.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import { pointerOf } from "../../harness/core/template.ts";
import type { Ids, Oracle } from "../../harness/model/check.ts";
import type { Observe, Probe } from "../../harness/model/probe.ts";
import type { Target } from "../../harness/targets/target.ts";
import { forFeature } from "../shared/forFeature.ts";
import { owner } from "../shared/jsonRpcRequests.ts";

/** Envelopes, limits, slots and totals show on an empty page, too; what is said of accounts doesn't. */
const lackOfAccounts = ({ assumptions = [] }: Target): UnmetNeed | null =>
  assumptions.some(({ at, isMade }) => isMade && at === pointerOf(owner)) ? noMember(pointerOf(owner)) : null;

export const needsAccounts = { unless: lackOfAccounts } as const;

const { check, scenario, experiment, answerProbe } = forFeature("tokenAccounts");

/** As those of the feature. */
export const ofAccounts = {
  check: (ids: Ids, requestSpec: RequestSpec, oracle?: Oracle) => check(ids, requestSpec, oracle, needsAccounts),
  scenario: (ids: Ids, requests: readonly RequestSpec[], run: Parameters<typeof scenario>[2]) =>
    scenario(ids, { ...needsAccounts, requests }, run),
  experiment: (id: Probe["id"], requests: readonly RequestSpec[], observe: Observe) =>
    experiment(id, requests, observe, needsAccounts),
  answerProbe: (...[id, summary, cases]: Parameters<typeof answerProbe>) =>
    answerProbe(id, summary, cases, needsAccounts),
};
