// Commands of stateful tests as data, so that a sequence can be saved and replayed
import fc from "fast-check";
import type { Product } from "../../contracts/shared/figures.ts";
import { type Of, recordArbitrary } from "../arbitraries/lists.ts";
import { cycleOf, daysAfter } from "./calendar.ts";
import { keyNames, type ModelState, type ProjectName, projectNames, projectOfKey, projects } from "./state.ts";

/** `main` more often than others: many faults show only where commands meet on one project. */
export const projectKey = fc.constantFrom("main", "main", ...keyNames);
const project = fc.constantFrom("main", "main", ...projectNames);
const keyIn = fc.constantFrom("header", "query");

/** Rounding rules differ at halves; quarters add up to them. */
const credits = fc.constantFrom("1", "0.5", "0.25", "0.75", "12.3456");
/** Products that our calls never count under, and one that they may. */
const injected = ["webhooks", "streamGrpc", "preConfirmations", "rpc"] as const satisfies readonly Product[];
/** Methods whose calls are charged, or may be. */
export const modelMethods = [
  "getCompressedBalance",
  "getMultipleNewAddressProofs",
  "getIndexerHealth",
  "getTokenAccounts",
] as const;
const clockMoves = ["to the next cycle", "to the cycle's last day", "a day"] as const;
type ClockMove = (typeof clockMoves)[number];

/** Number 0 is the latest bundle of the key's project. */
const bundleRef = fc.oneof(
  recordArbitrary({ sent: fc.nat({ max: 2 }) }),
  recordArbitrary({ unknown: fc.nat({ max: 2 }) }),
);
/** Without repeats, whose entries are unspecified. */
const bundles = fc.uniqueArray(bundleRef, { minLength: 1, maxLength: 5, selector: (one) => JSON.stringify(one) });

const commands = {
  read: recordArbitrary({ do: fc.constant("read"), as: projectKey, keyIn }),
  wallet: recordArbitrary({
    do: fc.constant("wallet"),
    as: projectKey,
    keyIn,
    call: fc.constantFrom("balances", "history", "identity"),
  }),
  rpc: recordArbitrary({ do: fc.constant("rpc"), as: projectKey, method: fc.constantFrom(...modelMethods) }),
  /** Requests that must be refused, by callers: unknown key, anonymous, key of another project, blocked address. */
  refused: recordArbitrary({
    do: fc.constant("refused"),
    how: fc.constantFrom(
      ...(["usageByUnknownKey", "usageByAnonymous", "usageByOther"] as const),
      ...(["walletByUnknownKey", "walletByAnonymous", "walletByBlocked"] as const),
    ),
  }),
  consume: recordArbitrary({
    do: fc.constant("consume"),
    project,
    product: fc.constantFrom(...injected),
    credits,
    pool: fc.constantFrom("regular", "prepaid"),
  }),
  pass: recordArbitrary({ do: fc.constant("pass"), project, how: fc.constantFrom("to the next cycle", ...clockMoves) }),
  send: recordArbitrary({ do: fc.constant("send"), as: projectKey }),
  land: recordArbitrary({ do: fc.constant("land"), project }),
  lookUp: recordArbitrary({ do: fc.constant("lookUp"), as: projectKey, bundles }),
  /** Requests the status of every bundle, and usage by every key. */
  survey: recordArbitrary({ do: fc.constant("survey") }),
};

export type CommandOf<What extends keyof typeof commands> = Of<(typeof commands)[What]>;
export type ModelCommand = CommandOf<keyof typeof commands>;

export const twice = <One>(one: One): readonly One[] => [one, one];

/** Commands that matter only in numbers, or after others, are listed twice. */
export const useCommands: readonly fc.Arbitrary<ModelCommand>[] = [
  commands.read,
  ...twice(commands.wallet),
  ...twice(commands.rpc),
  commands.refused,
  ...twice(commands.consume),
  ...twice(commands.pass),
  ...twice(commands.send),
  commands.land,
  commands.lookUp,
  ...twice(commands.survey),
];

/** The day to which a project's clock is moved, never back. */
export function dayAfter(state: ModelState, name: ProjectName, how: ClockMove): string {
  const { today } = state[name];
  const next = cycleOf(projects[name].anchorDay, today, 1);
  switch (how) {
    case "a day":
      return daysAfter(today, 1);
    case "to the cycle's last day":
      return daysAfter(next, -1);
    case "to the next cycle":
      return next;
  }
}

export function isPossible(command: ModelCommand, state: ModelState, mostBundles: number): boolean {
  switch (command.do) {
    case "send":
      return projectNames.reduce((sum, name) => sum + state[name].bundles.length, 0) < mostBundles;
    case "land":
      return state[command.project].bundles.length > 0;
    case "lookUp":
      return command.bundles.every(
        (one) => "unknown" in one || one.sent < state[projectOfKey(command.as)].bundles.length,
      );
    case "pass":
      return dayAfter(state, command.project, command.how) !== state[command.project].today;
    default:
      return true;
  }
}
