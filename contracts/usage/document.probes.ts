// Probes of the usage document and of its project ids (§2.1, §4.1).
import { type Json, literalAt } from "../../harness/core/json.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import type { AnsweredExchange } from "../../harness/model/fingerprint.ts";
import type { Probe } from "../../harness/model/probe.ts";
import { fieldsAt } from "../shared/describeCalls.ts";
import { documentedPlaces } from "../shared/figures.ts";
import { forFeature } from "../shared/forFeature.ts";
import { describeDocument, everyDocument, inBuckets, open, unknownProjectId } from "../shared/probeRequests.ts";
import { ownersUsage, usagePath, usageRequest } from "../shared/requestSpecs.ts";
import { figureAt, valueIn } from "./usageReader.ts";

const { answerProbe, observeEach, requestProbe } = forFeature("usage");

const tooLong = `${unknownProjectId}-${unknownProjectId}`;
/** Spellings that a lenient parser may take for the owner's id. */
const ownId = (spelled: "noHyphens" | "braces"): RequestSpec =>
  open({ path: usagePath({ projectOf: "owner", spelled }) });

const extraMembers = (answered: AnsweredExchange): Json =>
  fieldsAt(answered, (path) => path !== "" && !documentedPlaces.includes(path));

/** The names of an object in the order in which they were sent. */
const namesAt = (answered: AnsweredExchange, at: string): Json => {
  const value = valueIn(answered, at);
  return typeof value === "object" && value !== null ? Object.keys(value).join(", ") : "not an object";
};
const objects = ["", "/creditCycle", "/subscriptionDetails", "/credits", "/requests", "/dataTransfer"];

const totals = ["/creditsRemaining", "/creditsUsed", "/prepaidCreditsRemaining", "/prepaidCreditsUsed"];
function figureForm(answered: AnsweredExchange, at: string): string {
  const { json } = answered.answer;
  const exact = figureAt(answered, at);
  const literal = json ? literalAt(json, at) : undefined;
  if (!exact || literal === undefined) return "not a number";
  const form = /e/i.test(literal) ? "with an exponent" : literal.includes(".") ? "with decimals" : "plainly";
  return `${exact.eq(exact.round(0, 0)) ? "whole" : "fractional"}, written ${form}`;
}

/** The power of ten, so that a slightly raised allowance counts as the same. */
function magnitude(answered: AnsweredExchange): string {
  const limit = figureAt(answered, "/subscriptionDetails/creditsLimit");
  if (!limit) return "not a number";
  if (limit.lte(0)) return limit.eq(0) ? "zero" : "negative";
  return `${limit.eq(limit.round(0, 0)) ? "whole" : "fractional"}, ${"e" in limit ? `10^${limit.e}` : ""} or more`;
}

/** One case for all documents. */
const ofEveryOne = (id: Probe["id"], summary: (answered: AnsweredExchange) => Json): Probe =>
  observeEach(id, everyDocument, (answered) =>
    describeDocument(answered) === undefined ? undefined : { case: "every document", summary: summary(answered) },
  );

export const probes: readonly Probe[] = [
  answerProbe(
    "OBS-USG-NONUUID",
    ({ answer }, { error }) => (error ? `${answer.status} ${error.message}` : answer.status),
    {
      "a short word": usageRequest({ as: "owner", of: { id: "abc" } }),
      "too long": usageRequest({ as: "owner", of: { id: tooLong } }),
      "the owner's id without hyphens": ownId("noHyphens"),
      "the owner's id in braces": ownId("braces"),
    },
  ),
  requestProbe("OBS-USG-UUIDCASE", {
    "the owner's id in upper case": { ...ownersUsage, path: usagePath({ projectOf: "owner", upperCase: true }) },
  }),
  ofEveryOne("OBS-USG-EXTRA", extraMembers),
  ofEveryOne("OBS-USG-ORDER", (answered) =>
    Object.fromEntries(objects.map((at) => [at || "the document", namesAt(answered, at)])),
  ),
  observeEach("OBS-USG-PLANS", everyDocument, (answered) => {
    const project = describeDocument(answered);
    const summary = valueIn(answered, "/subscriptionDetails/plan") ?? "none";
    return project === undefined ? undefined : { case: project, summary };
  }),
  observeEach(
    "OBS-USG-FREELIMIT",
    [usageRequest({ as: "free" })],
    inBuckets((answered) => (answered.asker?.project.plan === "free" ? magnitude(answered) : undefined)),
  ),
  ofEveryOne("OBS-USG-NUMTYPE", (answered) =>
    Object.fromEntries(totals.map((at) => [at.slice(1), figureForm(answered, at)])),
  ),
];
