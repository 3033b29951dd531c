// A traced run: which checks and laws find each breach, and which checks use each exchange
import type { RequirementId } from "../../harness/core/interface.ts";
import { Engine } from "../../harness/engine/engine.ts";
import type { EngineOptions } from "../../harness/engine/options.ts";
import type { Check, CheckContext } from "../../harness/model/check.ts";
import type { Law } from "../../harness/model/law.ts";
import type { Suite } from "../../harness/model/suite.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { nameInLaw, nameOfCheck, ofLaws } from "./detectors.ts";

export interface TracedBreach {
  readonly id: RequirementId;
  /** Names of the checks that judge so themselves. */
  readonly checks: readonly string[];
  readonly laws: readonly string[];
  /** Names of the checks that use the exchange; null where the engine has it without any. */
  readonly users: readonly string[] | null;
}

type Found = Map<string, Set<string>>;

const add = (found: Found, place: string, name: string): void =>
  void found.set(place, (found.get(place) ?? new Set()).add(name));

const placeOf = (id: string, exchange: number, at: string): string => `${id} ${exchange} ${at}`;

class Trace {
  readonly byChecks: Found = new Map();
  readonly byLaws: Found = new Map();
  readonly users: Found = new Map();

  use(check: string, ...exchanges: readonly Exchange[]): void {
    for (const { number } of exchanges) add(this.users, String(number), check);
  }

  law(law: Law): Law {
    return {
      ...law,
      judge: (exchange) => {
        const findings = law.judge(exchange);
        for (const [id, finding] of findings)
          if (finding.outcome === "broken")
            add(this.byLaws, placeOf(id, exchange.number, finding.at), nameInLaw(law, id));
        return findings;
      },
    };
  }

  check(check: Check, isRunnable: (context: CheckContext) => CheckContext["isRunnable"]): Check {
    const name = nameOfCheck.get(check) ?? "";
    const noting = (context: CheckContext): CheckContext => ({
      ...context,
      isRunnable: isRunnable(context),
      ask: async (stimulus) => {
        const exchange = await context.ask(stimulus);
        this.use(name, exchange);
        return exchange;
      },
      atOnce: async (stimuli) => {
        const exchanges = await context.atOnce(stimuli);
        this.use(name, ...exchanges);
        return exchanges;
      },
      sendSchedule: async (...schedule) => {
        const results = await context.sendSchedule(...schedule);
        this.use(name, ...results.map(({ exchange }) => exchange));
        return results;
      },
    });
    return {
      ...check,
      run: async (context) => {
        const shown = await check.run(noting(context));
        for (const { finding, exchange, about = check.ids } of shown)
          if (finding.outcome === "broken")
            for (const id of about) add(this.byChecks, placeOf(id, exchange.number, finding.at), name);
        return shown;
      },
    };
  }

  suite(suite: Suite): Suite {
    // Checks of one charge window ask whether the others run, which they know untraced.
    const traced = new Map<object, Check>();
    const isRunnable = (context: CheckContext) => (one: Pick<Check, "needs">) =>
      context.isRunnable(traced.get(one) ?? one);
    for (const check of suite.checks) traced.set(check, this.check(check, isRunnable));
    return { ...suite, checks: [...traced.values()], laws: suite.laws.map((law) => this.law(law)) };
  }
}

/** Every breach of a run, with who found it. */
export async function traced(options: EngineOptions): Promise<readonly TracedBreach[]> {
  const trace = new Trace();
  const verdicts = await new Engine({ ...options, suite: trace.suite(options.suite) }).run();
  return verdicts.flatMap(({ id, verdict, breaches }) =>
    verdict !== "broken"
      ? []
      : breaches.map(({ exchange, at, causedBy }) => {
          const place = placeOf(id, exchange, at);
          const users = [...(trace.users.get(String(exchange)) ?? [])];
          // Only a check that cites nothing leaves none, too.
          const isOfEngine = causedBy.length === 0 && !users.some((name) => name.startsWith(ofLaws));
          return {
            id,
            checks: [...(trace.byChecks.get(place) ?? [])],
            laws: [...(trace.byLaws.get(place) ?? [])],
            users: users.length === 0 || isOfEngine ? null : users,
          };
        }),
  );
}

/** What is left of a breach once a detector is deleted. */
const remains = ({ checks, laws, users }: TracedBreach, name: string): boolean =>
  // The charge audit finds what neither does.
  checks.length + laws.length === 0 ||
  checks.some((one) => one !== name) ||
  (laws.some((one) => one !== name) && (users === null || users.some((one) => one !== name)));

/** Whether all of these breaches rest on one detector, as far as a trace can tell. */
export const restOn = (breaches: readonly TracedBreach[], name: string): boolean =>
  breaches.length > 0 && !breaches.some((one) => remains(one, name));
