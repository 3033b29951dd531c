// Does what a key was served once stay its own, whatever is asked between? Few reads by the target's own keys, in any order. (§4.1, §5.4, §5.5, §8)
import fc from "fast-check";
import { usage } from "../../contracts/shared/stimuli.ts";
import { figure, valueIn } from "../../contracts/usage/usageReader.ts";
import type { Role, Stimulus } from "../../harness/core/stimulus.ts";
import { lackToAsk } from "../../harness/engine/plan.ts";
import { type Check, type CheckContext, Withheld } from "../../harness/model/check.ts";
import { keyOf } from "../../harness/target/target.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { isServed, outcomeOf } from "../../harness/transport/jsonRpc.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { propertyOf } from "../property.ts";
import { ModelViolation } from "./modelViolation.ts";
import { type Runner, statefulTest } from "./statefulTest.ts";

const readers = ["paid", "second", "other", "free"] as const satisfies readonly Role[];
const carriers = ["header", "query"] as const;

type Command =
  | { readonly do: "read"; readonly as: (typeof readers)[number]; readonly keyIn: (typeof carriers)[number] }
  | {
      readonly do: "refused";
      readonly how: "unknownKey" | "anonymous" | "foreign";
      readonly of: (typeof readers)[number];
      readonly keyIn: (typeof carriers)[number];
    };

/** What was served so far. */
interface State {
  /** Keys and carriers, as `paid header`. */
  readonly served: readonly string[];
  /** The allowance that each project was told of, and in which cycle. */
  readonly limits: { readonly [project: string]: { readonly cycle: string; readonly limit: string } };
}

/** One more often than the others: much shows only where it comes together on one key. */
const reader = fc.constantFrom("paid" as const, "paid" as const, "paid" as const, ...readers);
const carrier = fc.constantFrom(...carriers);
const plainly = { noNullPrototype: true } as const;
const commands: readonly fc.Arbitrary<Command>[] = [
  fc.record({ do: fc.constant("read" as const), as: reader, keyIn: carrier }, plainly),
  fc.record({ do: fc.constant("read" as const), as: reader, keyIn: carrier }, plainly),
  fc.record(
    {
      do: fc.constant("refused" as const),
      how: fc.constantFrom("unknownKey" as const, "anonymous" as const, "foreign" as const),
      of: reader,
      keyIn: carrier,
    },
    plainly,
  ),
];

/** Repetitions that nobody else asks for. */
let asked = 50_000;

class ReadRunner implements Runner<Command, State> {
  readonly #context: CheckContext;
  readonly ran: Command[] = [];
  #last: Exchange | null = null;

  constructor(context: CheckContext) {
    this.#context = context;
  }

  async run(command: Command, state: State): Promise<State> {
    this.ran.push(command);
    return command.do === "read" ? this.#read(command, state) : this.#refused(command, state);
  }

  async last(state: State): Promise<Exchange> {
    // Where nothing was served, no refusal says anything.
    const { served } =
      state.served.length > 0 ? state : await this.#read({ do: "read", as: "paid", keyIn: "header" }, state);
    if (served.length === 0 || !this.#last) throw new Withheld("hidden: no usage was served");
    return this.#last;
  }

  /** Null where the target lacks what it takes. */
  async #ask(stimulus: Stimulus): Promise<Exchange | null> {
    if (lackToAsk(stimulus, this.#context.target) !== null) return null;
    asked += 1;
    this.#last = await this.#context.ask({ ...stimulus, again: asked });
    return this.#last;
  }

  /** A key that was never served may be our mistake, and one refusal a passing one. */
  async #read({ as, keyIn }: Extract<Command, { readonly do: "read" }>, state: State): Promise<State> {
    const stimulus = usage({ as, keyIn });
    const exchange = await this.#ask(stimulus);
    if (!exchange) return state;
    const name = `${as} ${keyIn}`;
    if (!isServed(exchange)) {
      if (!state.served.includes(name)) return state;
      const again = await this.#ask(stimulus);
      if (again?.answer && [400, 401].includes(again.answer.status)) {
        throw new ModelViolation(
          keyIn === "header" ? "AUTH-ADM-HDR-01" : "AUTH-ADM-QRY-01",
          again,
          "status",
          "200, as it was served before",
          again.answer.status,
        );
      }
      throw new Withheld(`hidden: the usage of ${as} drew ${outcomeOf(exchange)}`);
    }
    return { ...this.#told(exchange, as, state), served: [...state.served, name] };
  }

  /** It may change with the cycle, and with a plan that somebody changes meanwhile. */
  #told(exchange: Exchange, as: Role, state: State): State {
    const project = keyOf(this.#context.target, as)?.projectName ?? as;
    const [limit, cycle] = [
      figure(exchange, "/subscriptionDetails/creditsLimit")?.toFixed(),
      valueIn(exchange, "/creditCycle/start"),
    ];
    if (limit === undefined || typeof cycle !== "string")
      throw new Withheld("hidden: neither allowance nor cycle are told");
    const known = state.limits[project];
    const isOurs = this.#context.target.quiet;
    if (isOurs && known?.cycle === cycle && known.limit !== limit)
      throw new ModelViolation("CRD-LIM-01", exchange, "/subscriptionDetails/creditsLimit", known.limit, limit);
    return { ...state, limits: { ...state.limits, [project]: { cycle, limit } } };
  }

  async #refused({ how, of, keyIn }: Extract<Command, { readonly do: "refused" }>, state: State): Promise<State> {
    const { target } = this.#context;
    const foreigner = readers.find(
      (as) => keyOf(target, as) && keyOf(target, as)?.projectName !== keyOf(target, of)?.projectName,
    );
    if (how === "foreign" && foreigner === undefined) return state;
    const tries: { readonly [H in typeof how]: readonly [Stimulus, RequirementId] } = {
      unknownKey: [usage({ as: "unknownKey", of, keyIn }), "AUTH-ADM-UNKN-01"],
      anonymous: [usage({ as: "anonymous", of }), "AUTH-ADM-MISS-01"],
      foreign: [usage({ as: foreigner ?? of, of, keyIn }), "AUTH-ADM-OWN-01"],
    };
    const [stimulus, about] = tries[how];
    const exchange = await this.#ask(stimulus);
    if (exchange && isServed(exchange))
      throw new ModelViolation(about, exchange, "status", "a refusal", exchange.answer?.status);
    return state;
  }
}

/** At most so many commands, everywhere: each is a request to a limit of five a second. */
const longest = 8;

const ids = [
  "AUTH-ADM-HDR-01",
  "AUTH-ADM-QRY-01",
  "AUTH-ADM-OWN-01",
  "AUTH-ADM-MISS-01",
  "AUTH-ADM-UNKN-01",
  "CRD-LIM-01",
] as const satisfies readonly RequirementId[];

export const properties: readonly Check[] = [
  propertyOf(
    ids,
    () =>
      statefulTest<Command, State>({
        commands,
        longest,
        begun: { served: [], limits: {} },
        isPossible: () => true,
        runnerOn: (context) => new ReadRunner(context),
      }),
    {
      name: "statefulReads",
      feature: "usage",
      each: Array.from({ length: longest }, () => usage({ as: "owner" })),
      cases: { many: 200, some: 4, few: 4 },
    },
  ),
];
