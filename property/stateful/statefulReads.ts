// Stateful test of reads by the target's own keys, which a vendor can be given too (§4.1, §5.4, §5.5)

import fc from "fast-check";
import { notTested } from "../../contracts/shared/masked.ts";
import { usageRequest } from "../../contracts/shared/requestSpecs.ts";
import { figureAt, valueIn } from "../../contracts/usage/usageReader.ts";
import type { Asker, RequestSpec, Role } from "../../harness/core/requestSpec.ts";
import { unmetNeedOf } from "../../harness/engine/unmetNeeds.ts";
import type { Check, CheckContext } from "../../harness/model/check.ts";
import { keyOf, type Target } from "../../harness/targets/target.ts";
import { isServed } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { fateOf } from "../../harness/transport/fates.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { type Of, recordArbitrary } from "../arbitraries/lists.ts";
import { propertyOf } from "../property.ts";
import { ModelViolation, type Runner, statefulTest } from "./statefulTest.ts";

const readers = ["paid", "second", "other", "free"] as const satisfies readonly Role[];

interface State {
  /** Keys and carriers, as `paid header`. */
  readonly served: readonly string[];
  /** The credit limit that each project was shown, and its cycle. */
  readonly limits: { readonly [project: string]: { readonly cycle: string; readonly limit: string } };
}

/** `paid` more often than others: many faults show only where commands meet on one key. */
const reader = fc.constantFrom("paid", "paid", "paid", ...readers);
const keyIn = fc.constantFrom("header", "query");
const read = recordArbitrary({ do: fc.constant("read"), as: reader, keyIn });
const refused = recordArbitrary({
  do: fc.constant("refused"),
  how: fc.constantFrom("unknownKey", "anonymous", "foreign"),
  of: reader,
  keyIn,
});

type Read = Of<typeof read>;
type Refused = Of<typeof refused>;
type Command = Read | Refused;

class ReadRunner implements Runner<Command, State> {
  readonly #context: CheckContext;
  #last: Exchange | null = null;

  constructor(context: CheckContext) {
    this.#context = context;
  }

  run(command: Command, state: State): Promise<State> {
    return command.do === "read" ? this.#read(command, state) : this.#refused(command, state);
  }

  async last(state: State): Promise<Exchange> {
    // Refusals show nothing where no read was served.
    const { served } =
      state.served.length > 0 ? state : await this.#read({ do: "read", as: "paid", keyIn: "header" }, state);
    if (served.length === 0 || !this.#last) throw notTested("no usage was served");
    return this.#last;
  }

  /** Null where the target lacks what the request needs. */
  async #ask(requestSpec: RequestSpec): Promise<Exchange | null> {
    if (unmetNeedOf(requestSpec, this.#context.target) !== null) return null;
    this.#last = await this.#context.ask(this.#context.fresh(requestSpec));
    return this.#last;
  }

  /** A key that was never served may be wrong in the target file, and one refusal may be transient. */
  async #read({ as, keyIn }: Read, state: State): Promise<State> {
    const requestSpec = usageRequest({ as, keyIn });
    const exchange = await this.#ask(requestSpec);
    if (!exchange) return state;
    const name = `${as} ${keyIn}`;
    if (!isServed(exchange)) {
      if (!state.served.includes(name)) return state;
      const second = await this.#ask(requestSpec);
      const about = keyIn === "header" ? "AUTH-ADM-HDR-01" : "AUTH-ADM-QRY-01";
      const status = second?.answer?.status;
      if (second && (status === 400 || status === 401))
        throw new ModelViolation(about, second, "status", "200, as before", status);
      throw notTested(`the usage of ${as} ${fateOf(exchange)}`);
    }
    return { ...this.#compared(exchange, as, state), served: [...state.served, name] };
  }

  /** The credit limit may change with the cycle, or where others change the plan. */
  #compared(exchange: Exchange, as: Role, state: State): State {
    const project = keyOf(this.#context.target, as)?.projectName ?? as;
    const limit = figureAt(exchange, "/subscriptionDetails/creditsLimit")?.toFixed();
    const cycle = valueIn(exchange, "/creditCycle/start");
    if (limit === undefined || typeof cycle !== "string") throw notTested("credit limit or cycle is missing");
    const known = state.limits[project];
    const isOurs = this.#context.target.quiet;
    if (isOurs && known?.cycle === cycle && known.limit !== limit)
      throw new ModelViolation("CRD-LIM-01", exchange, "/subscriptionDetails/creditsLimit", known.limit, limit);
    return { ...state, limits: { ...state.limits, [project]: { cycle, limit } } };
  }

  async #refused({ how, of, keyIn }: Refused, state: State): Promise<State> {
    const { target } = this.#context;
    const foreigner = foreignerTo(of, target);
    if (how === "foreign" && foreigner === undefined) return state;
    const tries: { readonly [H in typeof how]: readonly [RequestSpec, RequirementId] } = {
      unknownKey: [usageRequest({ as: "unknownKey", of, keyIn }), "AUTH-ADM-UNKN-01"],
      anonymous: [usageRequest({ as: "anonymous", of }), "AUTH-ADM-MISS-01"],
      foreign: [usageRequest({ as: foreigner ?? of, of, keyIn }), "AUTH-ADM-OWN-01"],
    };
    const [requestSpec, about] = tries[how];
    const exchange = await this.#ask(requestSpec);
    if (exchange && isServed(exchange))
      throw new ModelViolation(about, exchange, "status", "a refusal", exchange.answer?.status);
    return state;
  }
}

/** A reader with a key of another project. */
function foreignerTo(of: Asker, target: Target): Asker | undefined {
  const own = keyOf(target, of)?.projectName;
  return readers.find((as) => keyOf(target, as) && keyOf(target, as)?.projectName !== own);
}

/** Commands of a sequence, at most: each is a usage request, limited to five a second. */
const longest = 8;

const served: readonly RequirementId[] = ["AUTH-ADM-HDR-01", "AUTH-ADM-QRY-01"];
const refusals: readonly RequirementId[] = ["AUTH-ADM-OWN-01", "AUTH-ADM-MISS-01", "AUTH-ADM-UNKN-01"];

const cited: readonly RequirementId[] = [...served, ...refusals, "CRD-LIM-01"];

export const properties: readonly Check[] = [
  propertyOf(
    cited,
    () =>
      statefulTest<Command, State>({
        commands: [read, read, refused],
        longest,
        begun: { served: [], limits: {} },
        isPossible: () => true,
        runnerOn: (context) => new ReadRunner(context),
        about: (target) => cited.filter((id) => id !== "AUTH-ADM-OWN-01" || foreignerTo("owner", target)),
      }),
    {
      name: "statefulReads",
      feature: "usage",
      each: Array.from({ length: longest }, () => usageRequest({ as: "owner" })),
      cases: { many: 200, some: 4, few: 3 },
    },
  ),
];
