// What finds a mutant on a target, and without which detector nothing would
import { createHash } from "node:crypto";
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { Engine } from "../../harness/engine/engine.ts";
import type { EngineOptions } from "../../harness/engine/options.ts";
import { citedBy } from "../../harness/model/check.ts";
import { recordOf } from "../../harness/record/journal.ts";
import type { Target } from "../../harness/target/target.ts";
import { suspicion } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { jsonOf } from "../../harness/transport/recording.ts";
import { suite } from "../../load/suite.ts";
import { mutants } from "../../reference/generated/mutants.ts";
import { oneSided } from "../../reference/oneSided.mutants.ts";
import type { Variant } from "../../reference/platform/mutant.ts";
import { sequential } from "../../reference/stateful.mutants.ts";
import { subtle } from "../../reference/subtle.mutants.ts";
import { unlistedMutants } from "../../reference/unlisted.mutants.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import { type InProcessOptions, inProcess } from "../inProcess.ts";
import { featuresAbout, isAboutRates, judgedFeatures } from "../judgedFeatures.ts";
import { oneKey, withoutControl } from "../targets.ts";
import { nameInLaw, nameOfCheck, ofLaws, suiteWithout } from "./detectors.ts";
import { restOn, type TracedBreach, traced } from "./traced.ts";

/** `traffic`: laws alone, over what a run without control recorded. */
export type On = "control" | "without control" | "one key" | "traffic";

/** What is tried at once; traffic comes with the run that recorded it. */
export const tries: readonly On[] = ["control", "one key", "without control"];

export interface Row {
  readonly mutant: string;
  readonly on: On;
  /** Requirements. */
  readonly broken: readonly string[];
  /** Detectors by name. */
  readonly found: readonly string[];
  /** Without each of these nothing is broken. */
  readonly alone: readonly string[];
  /** By requirement: without each of these it isn't broken, as far as the trace of one run tells. */
  readonly needed: { readonly [requirement: string]: readonly string[] };
}

export interface Tried {
  readonly variant: Variant;
  readonly features: readonly Feature[];
}

const registered = mutants.map((variant): Tried => ({ variant, features: judgedFeatures(variant.id) }));
const unregistered = [...unlistedMutants, ...oneSided, ...subtle, ...sequential].map(
  (variant): Tried => ({ variant, features: featuresAbout([variant.breaks, ...variant.also]) }),
);

const digest = (name: string): string => createHash("sha256").update(name).digest("hex");

const all = new Map([...registered, ...unregistered].map((one) => [one.variant.id, one]));
/** Every mutant, in an order that mixes subjects, so that what was tried so far speaks for all. */
export const allMutants: readonly string[] = [...all.keys()].toSorted((a, b) => (digest(a) < digest(b) ? -1 : 1));

function targetOn(on: On, target: Target, variant: Variant): Target {
  if (on === "control") return target;
  const full = withoutControl(target, variant.rules?.rpc?.bundles);
  return on === "one key" ? oneKey(full) : full;
}

/** @throws Error where there is none of that name */
export function mutantNamed(name: string): Tried {
  const tried = all.get(name);
  if (!tried) throw new Error(`no mutant ${name}`);
  return tried;
}

export function optionsFor({ variant, features }: Tried, on: On, more: InProcessOptions = {}): EngineOptions {
  const options = inProcess(suite, variant, { hasSchedules: isAboutRates(variant.id), ...more });
  const target = targetOn(on, options.target, variant);
  return { ...options, target: { ...target, offers: features }, observe: [] };
}

/** Whether nothing is broken any more once a detector is deleted. */
async function findsNothingWithout(name: string, tried: Tried, on: On): Promise<boolean> {
  const first = { failFast: true, impliedFails: true };
  const verdicts = await new Engine({ ...optionsFor(tried, on), ...first, suite: suiteWithout(name) }).run();
  return !verdicts.some(({ verdict }) => verdict === "broken");
}

const showsOf = new Map(suite.checks.map((check) => [nameOfCheck.get(check), citedBy(check)]));

/** What judged so itself, and checks that cite what laws found on their exchanges. */
function foundBy(breaches: readonly TracedBreach[]): readonly string[] {
  const byLaws = ({ id, laws, users }: TracedBreach): readonly string[] =>
    laws.length === 0 ? [] : (users ?? []).filter((name) => name.startsWith(ofLaws) || showsOf.get(name)?.includes(id));
  return [...new Set(breaches.flatMap((one) => [...one.checks, ...one.laws, ...byLaws(one)]))];
}

/** Checks that measure charges share what they send, so that without one of them others may find what it found. */
const sharing: ReadonlySet<string | undefined> = new Set(
  suite.checks.filter(({ needs }) => needs.settles).map((check) => nameOfCheck.get(check)),
);

export async function tried(mutant: string, on: On): Promise<readonly Row[]> {
  const tried = mutantNamed(mutant);
  const exchanges: Exchange[] = [];
  const options = optionsFor(tried, on);
  const breaches = await traced({
    ...options,
    onEvent: (event) => {
      if (event.event === "exchange" && on === "without control") exchanges.push(event.exchange);
    },
  });
  const names = [...new Set(breaches.flatMap(({ checks, laws, users }) => [...checks, ...laws, ...(users ?? [])]))];
  const found = new Set(foundBy(breaches));
  const alone: string[] = [];
  // Without a law, or a check that shares nothing, all else is the same.
  for (const name of names.filter((one) => restOn(breaches, one)))
    if (!sharing.has(name) || (await findsNothingWithout(name, tried, on))) alone.push(name);
  const broken = [...new Set(breaches.map(({ id }) => id))];
  const neededFor = (requirement: string): readonly string[] => {
    const own = breaches.filter(({ id }) => id === requirement);
    return names.filter((name) => restOn(own, name));
  };
  const row: Row = {
    mutant,
    on,
    broken,
    found: [...new Set([...found, ...alone])],
    alone,
    needed: Object.fromEntries(broken.map((id) => [id, neededFor(id)])),
  };
  return on === "without control" ? [row, inTraffic(mutant, exchanges)] : [row];
}

/** An exchange with its answer as a journal has it; null where that tells less than the answer did. */
function readAgain(exchange: Exchange): Exchange | null {
  const { answer } = JSON.parse(JSON.stringify(recordOf(exchange, dataPlatform))) as ReturnType<typeof recordOf>;
  if (!answer || !exchange.answer || answer.cutAt_chars !== null) return null;
  const { status, headers, body } = answer;
  return { ...exchange, answer: { ...exchange.answer, status, headers, text: body, json: jsonOf(body) } };
}

function inTraffic(mutant: string, exchanges: readonly Exchange[]): Row {
  const recorded = exchanges.flatMap((one) => readAgain(one) ?? []).filter((one) => suspicion(one) === null);
  const [broken, found] = [new Set<string>(), new Set<string>()];
  for (const exchange of recorded)
    for (const law of suite.laws)
      for (const [id, { outcome }] of law.judge(exchange))
        if (outcome === "broken") {
          broken.add(id);
          found.add(nameInLaw(law, id));
        }
  const names = [...found];
  return {
    mutant,
    on: "traffic",
    broken: [...broken],
    found: names,
    alone: names.length === 1 ? names : [],
    needed: {},
  };
}
