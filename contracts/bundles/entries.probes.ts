// Probes of bundle statuses: ids, order of signatures, further members, errors (§2.5)
import { type Json, valueAt } from "../../harness/core/json.ts";
import { notSeen } from "../../harness/core/outcomes.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import { type AnsweredExchange, isAnswered } from "../../harness/model/fingerprint.ts";
import type { Probe, ProbeContext, Seen } from "../../harness/model/probe.ts";
import { isServed } from "../../harness/transport/answers.ts";
import { base58Bytes } from "../shared/base58.ts";
import { fieldsOf } from "../shared/describeCalls.ts";
import { listIn, resultOf } from "../shared/jsonRpcOracles.ts";
import { ruleOfSignatures } from "./bundleIds.ts";
import { canReallySend, ownBundle, seenOf } from "./describeCalls.ts";
import { experiment, landedId, observeAll, statuses } from "./requests.ts";

/** Bundles of one transaction and of several, where the target has such samples. */
const samples: readonly RequestSpec[] = [0, 1].map((nth) => statuses([[landedId(nth)]]));

const areStatuses = (answered: AnsweredExchange): boolean =>
  answered.requestSpec.operation === "getBundleStatuses" && isServed(answered);

const entriesIn = (answered: AnsweredExchange): readonly Json[] =>
  areStatuses(answered)
    ? listIn(answered, "/value").filter((entry) => typeof entry === "object" && entry !== null)
    : [];

/** Every status in answers that came twice. @throws Withheld */
function entriesOf(ownAnswers: readonly AnsweredExchange[]): readonly Json[] {
  const entries = ownAnswers.flatMap(entriesIn);
  if (entries.length === 0) throw notSeen("no status came twice");
  return entries;
}

const setOf = (texts: readonly string[]): string => [...new Set(texts)].sort().join(" | ");

/** Forms of 32 bytes; some texts fit more than one. */
const forms: readonly (readonly [name: string, fits: (id: string) => boolean])[] = [
  ["64 hex digits, small", (id) => /^[0-9a-f]{64}$/.test(id)],
  ["64 hex digits, in capitals", (id) => /^[0-9A-F]{64}$/.test(id)],
  ["64 hex digits, small and in capitals", (id) => /^[0-9a-f]{64}$/i.test(id)],
  ["64 hex digits behind 0x", (id) => /^0x[0-9a-f]{64}$/i.test(id)],
  ["base58 of 32 bytes", (id) => base58Bytes(id)?.length === 32],
  ["base64 of 32 bytes", (id) => /^[A-Za-z0-9+/]{43}=$/.test(id)],
  ["base64url of 32 bytes", (id) => /^[A-Za-z0-9_-]{43}=?$/.test(id)],
];

const formOf = (ids: readonly (Json | undefined)[]): string =>
  forms.find(([, fits]) => ids.every((id) => typeof id === "string" && fits(id)))?.[0] ??
  setOf(ids.map((id) => (typeof id === "string" ? `a text of ${id.length} characters` : "no text")));

/** Ids in statuses, and of bundles that this run has sent. */
function describeForms({ all }: ProbeContext): readonly Seen[] {
  const sent = all
    .filter((exchange) => exchange.requestSpec.operation === "sendBundle" && isServed(exchange))
    .map((exchange) => resultOf(exchange));
  // Of all answers: a bundle of ours may show its status in one half only.
  const inStatuses = all
    .filter(isAnswered)
    .flatMap(entriesIn)
    .map((entry) => valueAt(entry, "/bundle_id"));
  const known = Object.entries({ "in statuses": inStatuses, "of bundles that were sent": sent }).filter(
    ([, ids]) => ids.length > 0,
  );
  if (known.length === 0) throw notSeen("no bundle id came");
  return known.map(([name, ids]) => ({ case: name, summary: formOf(ids) }));
}

interface Identified {
  readonly id: string;
  readonly signatures: readonly string[];
}

function identifiedIn(entry: Json): readonly Identified[] {
  const id = valueAt(entry, "/bundle_id");
  const signatures = valueAt(entry, "/transactions");
  if (typeof id !== "string" || !Array.isArray(signatures)) return [];
  return signatures.length > 0 && signatures.every((one) => typeof one === "string") ? [{ id, signatures }] : [];
}

/** Transactions per bundle (§8); more would have too many orders. */
const most = 5;

const ordersOf = (texts: readonly string[]): readonly (readonly string[])[] =>
  texts.length < 2
    ? [texts]
    : texts.flatMap((text, nth) =>
        ordersOf([...texts.slice(0, nth), ...texts.slice(nth + 1)]).map((rest) => [text, ...rest]),
      );

/** How the id was made of the signatures, and whether they are listed in that order. */
function ruleOf({ id, signatures }: Identified): { readonly joined: string; readonly isInOrder: boolean } | undefined {
  for (const [nth, order] of (signatures.length > most ? [signatures] : ordersOf(signatures)).entries()) {
    const rule = ruleOfSignatures(id, order);
    if (rule) return { joined: rule.joined, isInOrder: nth === 0 };
  }
  return undefined;
}

/** About bundles of several transactions: one signature alone doesn't show how they are joined. */
const ofSeveral = (id: Probe["id"], name: string, describe: (identified: Identified) => string): Probe =>
  observeAll(id, samples, ({ ownAnswers }) => {
    const several = entriesOf(ownAnswers)
      .flatMap(identifiedIn)
      .filter(({ signatures }) => signatures.length > 1);
    if (several.length === 0) throw notSeen("no bundle of several transactions came twice");
    return [{ case: name, summary: setOf(several.map(describe)) }];
  });

const describeRule = (one: Identified): string => ruleOf(one)?.joined ?? "nothing that we know";

function describeOrder(identified: Identified): string {
  const rule = ruleOf(identified);
  if (!rule) return "not shown: the id follows no rule that we know";
  return rule.isInOrder ? "in the order of the bundle" : "in another order";
}

const place = "/result/value/*";
const members = ["bundle_id", "transactions", "transactions/*", "slot", "confirmation_status", "err", "err/Ok"];
const documented = [place, ...members.map((member) => `${place}/${member}`)];

/** Paths that the interface doesn't show, and the classes of what is there. */
function describeFurther(ownAnswers: readonly AnsweredExchange[]): readonly Seen[] {
  entriesOf(ownAnswers);
  const all = ownAnswers.filter(areStatuses).flatMap((answered) => Object.entries(fieldsOf(answered)));
  const paths = [...new Set(all.map(([path]) => path))]
    .filter((path) => path.startsWith(place) && !documented.includes(path))
    .sort();
  const classesAt = (path: string) => setOf(all.flatMap(([one, found]) => (one === path ? [found] : [])));
  return paths.length > 0
    ? paths.map((path) => ({ case: path, summary: classesAt(path) }))
    : [{ case: "further members", summary: "none" }];
}

const isFailed = (entry: Json): boolean => valueAt(entry, "/err") !== undefined && valueAt(entry, "/err/Ok") !== null;

function describeError(answered: AnsweredExchange): Json {
  if (entriesIn(answered).length === 0) return "null in place of a status";
  const classes = Object.entries(fieldsOf(answered));
  return Object.fromEntries(classes.filter(([path]) => path.startsWith(`${place}/err`)));
}

/** With control the status of a bundle is made an error; elsewhere the run's own answers are read. */
async function failures(context: ProbeContext): Promise<readonly Seen[]> {
  const seen = canReallySend(context) ? await spoilt(context) : context.all.filter(isAnswered).filter(haveFailed);
  if (seen.length === 0) throw notSeen("no bundle failed during the run");
  return seen.map((answered) => seenOf("a bundle that failed", answered, describeError(answered)));
}

function haveFailed(answered: AnsweredExchange): boolean {
  const entries = entriesIn(answered);
  return entries.length > 0 && entries.every(isFailed);
}

async function spoilt(context: ProbeContext): Promise<readonly AnsweredExchange[]> {
  const { project, id } = await ownBundle(context);
  await project.moveBundles(60_000);
  await project.spoilBundle(id);
  return [await context.ask(statuses([[id]], { as: project.asker }))];
}

export const probes: readonly Probe[] = [
  observeAll("OBS-BND-IDENC", samples, describeForms),
  ofSeveral("OBS-BND-IDRULE", "SHA-256 of", describeRule),
  ofSeveral("OBS-BST-SIGORDER", "signatures", describeOrder),
  observeAll("OBS-BST-EXTRA", samples, ({ ownAnswers }) => describeFurther(ownAnswers)),
  experiment("OBS-BST-ERR", samples, failures, { suffices: "any" }),
];
