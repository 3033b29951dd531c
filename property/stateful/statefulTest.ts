// Stateful tests: sequences of commands run beside a model, saved and replayed (fast-check)
import fc from "fast-check";
import { held } from "../../harness/core/finding.ts";
import type { Json } from "../../harness/core/json.ts";
import type { CheckContext, Shown } from "../../harness/model/check.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { Source } from "../trial.ts";
import { ModelViolation } from "./modelViolation.ts";

export interface Runner<Command, State> {
  /** @returns the model's next state. @throws ModelViolation, or Withheld where an answer can't be judged */
  run(command: Command, state: State): Promise<State>;
  /** The commands that ran, in order. */
  readonly ran: readonly Command[];
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
}

type Step<Command, State> = fc.AsyncCommand<{ state: State }, Runner<Command, State>>;
/** As text it names the commands that ran. */
export type Steps<Command, State> = Iterable<Step<Command, State>> & { toString(): string };

export function statefulTest<Command, State>(test: StatefulTest<Command, State>): Source<Steps<Command, State>> {
  const { commands, longest, begun, isPossible, runnerOn } = test;
  const step = (command: Command): Step<Command, State> => ({
    check: ({ state }) => isPossible(command, state),
    run: async (model, runner) => {
      model.state = await runner.run(command, model.state);
    },
    toString: () => JSON.stringify(command),
  });
  const outcomeOf = async (steps: Steps<Command, State>, runner: Runner<Command, State>): Promise<Shown> => {
    const model = { state: begun };
    try {
      await fc.asyncModelRun(() => ({ model, real: runner }), steps);
      return { exchange: await runner.last(model.state), finding: held };
    } catch (error) {
      if (error instanceof ModelViolation) return error.shown;
      throw error;
    }
  };
  return {
    generate: (ran) =>
      fc.commands(
        commands.map((one) => one.map(step)),
        { maxCommands: longest, size: "max", ...(ran === null ? {} : { replayPath: ran }) },
      ),
    ranIn: (steps) => /replayPath="([^"]*)"/.exec(String(steps))?.[1] ?? "",
    restored: (values) => (values as unknown as { readonly commands: readonly Command[] }).commands.map(step),
    judge: async (steps, context) => {
      const runner = runnerOn(context);
      const shown = await outcomeOf(steps, runner);
      return { shown, values: { commands: runner.ran as readonly Json[] } };
    },
  };
}
