// Does a platform keep its word whatever happens in whatever order? Sequences of commands, each compared with a small model of what is promised. (§1, §2.1, §2.5, §4, §5)
import fc from "fast-check";
import { notQuiet } from "../contracts/rest/metered.ts";
import { mayNotSend } from "../contracts/rpc/bundles.ts";
import type { Check, Shown } from "../harness/check.ts";
import { held } from "../harness/finding.ts";
import type { Scale } from "../harness/generation.ts";
import type { Json } from "../harness/json.ts";
import type { Target } from "../harness/target.ts";
import { type Part, parts } from "../specs/generated/operations.ts";
import type { RequirementId } from "../specs/generated/requirements.ts";
import { Breach } from "./model/breach.ts";
import { type Command, isPossible, someCommands } from "./model/command.ts";
import { Journey } from "./model/journey.ts";
import { Patience } from "./model/patience.ts";
import { begun, type State } from "./model/state.ts";
import { propertyOf } from "./property.ts";
import type { Source } from "./trial.ts";

/** Rows that a sequence can break though each of its requests alone is answered well. */
const ids: readonly RequirementId[] = [
  "MET-REQ-01",
  "MET-WAL-01",
  "MET-WAL-02",
  "MET-CMP-01",
  "MET-SCOPE-01",
  "MET-SCOPE-02",
  "CRD-ROUND-01",
  "CRD-USE-02",
  "CRD-PRE-01",
  "CRD-SCOPE-01",
  "CRD-SCOPE-02",
  "CYC-ANCH-01",
  "BST-ALIGN-01",
  "BST-NULL-01",
  "BST-SLOT-02",
  "AUTH-ADM-HDR-01",
  "AUTH-ADM-QRY-01",
  "AUTH-ADM-OWN-01",
  "AUTH-ADM-OWN-04",
  "AUTH-ADM-MISS-01",
  "AUTH-ADM-UNKN-01",
  "AUTH-WAL-HDR-01",
  "AUTH-WAL-QRY-01",
  "AUTH-WAL-MISS-01",
  "AUTH-RPC-QRY-01",
  "AUTH-IP-01",
  "WAL-FREE-01",
];

/** How long a journey is at most, and how many bundles it sends. */
const longest: { readonly [S in Scale]: number } = { many: 80, some: 12, few: 0 };
const mostBundles: { readonly [S in Scale]: number } = { many: 12, some: 4, few: 0 };
const cases = { many: 75, some: 6, few: 0 } as const;

interface Model {
  state: State;
}

/** One command, as fast-check runs it. */
class Step implements fc.AsyncCommand<Model, Journey> {
  readonly command: Command;
  readonly #mostBundles: number;

  constructor(command: Command, most: number) {
    this.command = command;
    this.#mostBundles = most;
  }

  check({ state }: Model): boolean {
    return isPossible(this.command, state, this.#mostBundles);
  }

  async run(model: Model, journey: Journey): Promise<void> {
    model.state = await journey.run(this.command, model.state);
  }

  toString(): string {
    return JSON.stringify(this.command);
  }
}

type Steps = Iterable<fc.AsyncCommand<Model, Journey>>;

/** Where its commands are found that were kept. */
interface Written {
  readonly commands: readonly Command[];
}

export function sourceFor(scale: Scale): Source<Steps> {
  const patience = new Patience(scale);
  const most = mostBundles[scale];
  const step = (command: Command): Step => new Step(command, most);
  return {
    draw: (ran) =>
      fc.commands(
        someCommands.map((one) => one.map(step)),
        { maxCommands: longest[scale], size: "max", ...(ran === null ? {} : { replayPath: ran }) },
      ),
    ranIn: (steps) => /replayPath="([^"]*)"/.exec(String(steps))?.[1] ?? "",
    restored: (values) => (values as unknown as Written).commands.map(step),
    judge: async (steps, bench) => {
      const [model, journey]: [Model, Journey] = [{ state: begun }, new Journey(bench, patience)];
      const judged = async (): Promise<Shown> => {
        try {
          await fc.asyncModelRun(() => ({ model, real: journey }), steps);
          return { exchange: await journey.last(model.state), finding: held };
        } catch (error) {
          if (error instanceof Breach) return error.shown;
          throw error;
        }
      };
      const shown = await judged();
      const written: Written = { commands: journey.ran };
      return { shown, values: written as unknown as Json };
    },
  };
}

/** Any command may come, so that all must be offered. */
function notAll(target: Target): string | null {
  const lacking = parts.filter((part: Part) => !target.offers.includes(part));
  return lacking.length ? `the target doesn't offer ${lacking.join(", ")}` : (mayNotSend(target) ?? notQuiet(target));
}

const sends = { bundles: cases.some * mostBundles.some, tips: cases.some * mostBundles.some };

export const properties: readonly Check[] = [
  propertyOf(ids, ({ generation }) => sourceFor(generation.scale), {
    name: "journeys",
    part: "usage",
    each: [],
    control: { reads: cases.some * longest.some },
    unless: notAll,
    sends,
    cases,
  }),
];
