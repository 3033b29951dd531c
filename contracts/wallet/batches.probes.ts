// Probes of batch-identity: bodies, empty batches, repeated and unknown entries (§4.2)
import { canonical, isObject, type Json } from "../../harness/core/json.ts";
import { notSeen } from "../../harness/core/outcomes.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import { givenText, type Template } from "../../harness/core/template.ts";
import type { AnsweredExchange } from "../../harness/model/fingerprint.ts";
import type { Probe, ProbeContext, Seen } from "../../harness/model/probe.ts";
import type { Target } from "../../harness/targets/target.ts";
import { isServed } from "../../harness/transport/answers.ts";
import { asUndescribed, seenAs } from "../shared/describeCalls.ts";
import { forFeature } from "../shared/forFeature.ts";
import { describeWalletResult, walletAnswerText } from "./describeCalls.ts";
import { batch, domain, identity, sampleWallet, unknownAddresses, walletBaseline } from "./requests.ts";

const { answerProbe, experiment } = forFeature("wallet");

const pair = walletBaseline("batchWalletIdentity").ask();
const posted = (json: Template): RequestSpec => asUndescribed({ ...pair, json });
const besideUnknown = posted({ "$name:batchIdentity": [sampleWallet(0), ...unknownAddresses(1)], assayUnknown: 1 });

/** Lists, and objects keyed by entries. */
function collections(value: Json, entries: readonly string[]): readonly (readonly Json[])[] {
  if (Array.isArray(value)) return [value as readonly Json[]];
  if (!isObject(value)) return [];
  const byName = Object.entries(value).map(([name, inner]) => ({ [name]: inner }));
  return entries.some((entry) => Object.hasOwn(value, entry))
    ? [byName]
    : Object.values(value).flatMap((inner) => collections(inner, entries));
}

const names = (record: Json, entry: string): boolean => canonical(record).includes(JSON.stringify(entry));

/** One record per entry, in any form. @throws Withheld where no record names an entry */
function recordsIn({ answer }: AnsweredExchange, entries: readonly string[]): readonly Json[] {
  const found = collections(answer.json?.value ?? null, entries).find((records) =>
    records.some((record) => entries.some((entry) => names(record, entry))),
  );
  if (!found) throw notSeen("no record names an entry");
  return found;
}

const counted = (count: number): string => (count === 1 ? "1 record" : `${count} records`);

const [ahead = "", behind = ""] = unknownAddresses(2);
const repeats = {
  "[a, a]": asUndescribed(batch([sampleWallet(0), sampleWallet(0)])),
  "[a, b, a], b is unknown": asUndescribed(batch([sampleWallet(0), ahead, sampleWallet(0)])),
};
const domainAndOwner = batch([domain(0), sampleWallet(0)]);
const byDomain = identity(domain(0));
const textOf = (target: Target, nth: number): string => givenText(sampleWallet(nth), target);

/** The domain's identity shows whether the first domain belongs to the first wallet. */
async function describeDuplicates({ ask, target }: ProbeContext): Promise<readonly Seen[]> {
  const entries = [textOf(target, 0)];
  const summary = describeWalletResult((answered) => counted(recordsIn(answered, entries).length));
  const seen: Seen[] = [];
  for (const [name, requestSpec] of Object.entries(repeats)) {
    const answered = await ask(requestSpec);
    seen.push(seenAs(name, answered, summary(answered)));
  }
  const identified = await ask(byDomain);
  if (!isServed(identified) || !entries.some((entry) => names(identified.answer.json?.value ?? null, entry)))
    return seen;
  const both = await ask(domainAndOwner);
  return [...seen, seenAs("[a domain, its address]", both, summary(both))];
}

const mixed = batch([ahead, sampleWallet(0), behind]);

function describeOrder(places: readonly number[], isWhole: boolean): string {
  const found = places.filter((place) => place >= 0);
  if (isWhole) return places.every((place, nth) => place < 0 || place === nth) ? "as sent" : "another";
  if (found.length < 2) return "not shown";
  return found.every((place, nth) => nth === 0 || place > (found[nth - 1] ?? 0)) ? "as sent" : "another";
}

/** A known wallet between two unknown ones. */
async function describeAlignment({ ask, target }: ProbeContext): Promise<readonly Seen[]> {
  const entries = [ahead, textOf(target, 0), behind];
  const answered = await ask(mixed);
  const summary = describeWalletResult((): Json => {
    const records = recordsIn(answered, entries);
    const places = entries.map((entry) => records.findIndex((record) => names(record, entry)));
    const isWhole = records.length === entries.length;
    const areNamed = places[0] !== -1 && places[2] !== -1;
    const unknown = areNamed
      ? "a record each"
      : records.includes(null)
        ? "null"
        : isWhole
          ? "a record that doesn't name them"
          : "left out";
    return { records: records.length, "unknown entries": unknown, order: describeOrder(places, isWhole) };
  })(answered);
  return [seenAs("unknown, known, unknown", answered, summary)];
}

export const probes: readonly Probe[] = [
  answerProbe("OBS-WAL-BODY", walletAnswerText, {
    "as the target names it": pair,
    "an unknown member beside it": besideUnknown,
    "{}": posted({}),
    "[]": posted([]),
  }),
  answerProbe("OBS-WAL-BATCH-EMPTY", walletAnswerText, { "no entries": asUndescribed(batch([])) }),
  experiment("OBS-WAL-BATCH-DUP", [...Object.values(repeats), byDomain, domainAndOwner], describeDuplicates),
  experiment("OBS-WAL-BATCH-ALIGN", [mixed], describeAlignment),
];
