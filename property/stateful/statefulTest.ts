// Stateful tests: sequences of commands run beside a model, saved and replayed (fast-check)
import fc from "fast-check";
import { broken, held } from "../../harness/core/finding.ts";
import type { Json } from "../../harness/core/json.ts";
import type { CheckContext, Shown } from "../../harness/model/check.ts";
import type { Target } from "../../harness/targets/target.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import type { CaseSource } from "../trial.ts";

/** An answer that contradicts the model after all previous commands; it ends the sequence. */
export class ModelViolation extends Error {
  readonly shown: Shown;

  constructor(about: RequirementId, exchange: Exchange, at: string, expected: string, got: unknown) {
    super(`${about} is broken`);
    this.shown = { about: [about], exchange, finding: broken(at, expected, got) };
  }
}

export interface Runner<Command, State> {
  /** @returns the model's next state. @throws ModelViolation, or Withheld where an answer can't be judged */
  run(command: Command, state: State): Promise<State>;
  /** The last exchange; sends a request where there was none. */
  last(state: State): Promise<Exchange>;
}

interface StatefulTest<Command, State> {
  readonly commands: readonly fc.Arbitrary<Command>[];
  /** Commands of one sequence, at most. */
  readonly longest: number;
  readonly begun: State;
  readonly isPossible: (command: Command, state: State) => boolean;
  readonly runnerOn: (context: CheckContext) => Runner<Command, State>;
  /** What its sequences can show on a target; by default all that it cites. */
  readonly about?: (target: Target) => readonly RequirementId[];
}

/** Beside the model's state: the commands that ran, in order. */
type Step<Command, State> = fc.AsyncCommand<{ state: State; ran: Command[] }, Runner<Command, State>>;
/** As text it names the commands that ran. */
export type Steps<Command, State> = Iterable<Step<Command, State>> & { toString(): string };

export function statefulTest<Command, State>(test: StatefulTest<Command, State>): CaseSource<Steps<Command, State>> {
  const { commands, longest, begun, isPossible, runnerOn, about } = test;
  const step = (command: Command): Step<Command, State> => ({
    check: ({ state }) => isPossible(command, state),
    run: async (model, runner) => {
      model.ran.push(command);
      model.state = await runner.run(command, model.state);
    },
    toString: () => JSON.stringify(command),
  });
  return {
    generate: (ran) =>
      fc.commands(
        commands.map((one) => one.map(step)),
        { maxCommands: longest, size: "max", ...(ran === null ? {} : { replayPath: ran }) },
      ),
    ranIn: (steps) => /replayPath="([^"]+)"/.exec(String(steps))?.[1] ?? null,
    restored: (values) => (values as unknown as { readonly commands: readonly Command[] }).commands.map(step),
    judge: async (steps, context) => {
      const model = { state: begun, ran: [] as Command[] };
      const real = runnerOn(context);
      const values = { commands: model.ran as readonly Json[] };
      try {
        await fc.asyncModelRun(() => ({ model, real }), steps);
        const shown: Shown = { exchange: await real.last(model.state), finding: held };
        return { shown: about ? { ...shown, about: about(context.target) } : shown, values };
      } catch (error) {
        if (error instanceof ModelViolation) return { shown: error.shown, values };
        throw error;
      }
    },
  };
}
