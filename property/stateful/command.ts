// Commands of stateful tests as data, so that a sequence can be saved and replayed
import fc from "fast-check";
import type { Product } from "../../contracts/shared/figures.ts";
import { nextCycleOf, plusDays } from "./calendar.ts";
import { type KeyName, keyNames, type ProjectName, projectNames, projectOf, projects, type State } from "./state.ts";

const carriers = ["header", "query"] as const;
export const walletCalls = ["balances", "history", "identity"] as const;
export const methods = [
  "getCompressedBalance",
  "getMultipleNewAddressProofs",
  "getIndexerHealth",
  "getTokenAccounts",
] as const;
/** Requests that must be refused, by callers: unknown key, anonymous, key of another project, blocked address. */
export const refusals = [
  "usageByUnknownKey",
  "usageByAnonymous",
  "usageByOther",
  "walletByUnknownKey",
  "walletByAnonymous",
  "walletByBlocked",
] as const;
export const clockMoves = ["to the next cycle", "to the cycle's last day", "a day"] as const;

/** Number 0 is the latest bundle of the key's project. */
export type BundleRef = { readonly sent: number } | { readonly unknown: number };

export type Command =
  | { readonly do: "read"; readonly as: KeyName; readonly keyIn: (typeof carriers)[number] }
  | {
      readonly do: "wallet";
      readonly as: KeyName;
      readonly keyIn: (typeof carriers)[number];
      readonly call: (typeof walletCalls)[number];
    }
  | { readonly do: "rpc"; readonly as: KeyName; readonly method: (typeof methods)[number] }
  | { readonly do: "refused"; readonly how: (typeof refusals)[number] }
  | {
      readonly do: "consume";
      readonly project: ProjectName;
      readonly product: Product;
      readonly credits: string;
      readonly pool: "regular" | "prepaid";
    }
  | { readonly do: "pass"; readonly project: ProjectName; readonly how: (typeof clockMoves)[number] }
  | { readonly do: "send"; readonly as: KeyName }
  | { readonly do: "land"; readonly project: ProjectName }
  | { readonly do: "lookUp"; readonly as: KeyName; readonly bundles: readonly BundleRef[] }
  /** Requests the status of every bundle, and usage by every key. */
  | { readonly do: "survey" };

export type CommandOf<What extends Command["do"]> = Extract<Command, { readonly do: What }>;

export const plainly = { noNullPrototype: true } as const;
/** `main` more often than others: many faults show only where commands meet on one project. */
export const key = fc.constantFrom("main" as const, "main" as const, ...keyNames);
const project = fc.constantFrom("main" as const, "main" as const, ...projectNames);
const carrier = fc.constantFrom(...carriers);

/** Rounding rules differ at halves; quarters add up to them. */
const credits = fc.constantFrom("1", "0.5", "0.25", "0.75", "12.3456");

/** Products that our calls never count under, and one that they may. */
const injected = ["webhooks", "streamGrpc", "preConfirmations", "rpc"] as const satisfies readonly Product[];

const bundleRef = fc.oneof(
  fc.record({ sent: fc.nat({ max: 2 }) }, plainly),
  fc.record({ unknown: fc.nat({ max: 2 }) }, plainly),
);
/** Without repeats, whose entries are unspecified. */
const bundleRefs = fc.uniqueArray(bundleRef, { minLength: 1, maxLength: 5, selector: (one) => JSON.stringify(one) });

const commandOf = <What extends Command["do"]>(
  what: What,
  rest: { [Member in Exclude<keyof CommandOf<What>, "do">]: fc.Arbitrary<CommandOf<What>[Member]> },
  // One record for each member of the union.
): fc.Arbitrary<Command> => fc.record({ do: fc.constant(what), ...rest }, plainly) as unknown as fc.Arbitrary<Command>;

export const twice = <One>(one: One): readonly One[] => [one, one];

/** Commands that matter only in numbers, or after others, are listed twice. */
export const useCommands: readonly fc.Arbitrary<Command>[] = [
  commandOf("read", { as: key, keyIn: carrier }),
  ...twice(commandOf("wallet", { as: key, keyIn: carrier, call: fc.constantFrom(...walletCalls) })),
  ...twice(commandOf("rpc", { as: key, method: fc.constantFrom(...methods) })),
  commandOf("refused", { how: fc.constantFrom(...refusals) }),
  ...twice(
    commandOf("consume", {
      project,
      product: fc.constantFrom(...injected),
      credits,
      pool: fc.constantFrom("regular" as const, "prepaid" as const),
    }),
  ),
  ...twice(commandOf("pass", { project, how: fc.constantFrom("to the next cycle" as const, ...clockMoves) })),
  ...twice(commandOf("send", { as: key })),
  commandOf("land", { project }),
  commandOf("lookUp", { as: key, bundles: bundleRefs }),
  ...twice(commandOf("survey", {})),
];

/** The day to which a project's clock is moved, never back. */
export function dayAfter(state: State, name: ProjectName, how: (typeof clockMoves)[number]): string {
  const { today } = state[name];
  const next = nextCycleOf(projects[name].anchorDay, today);
  switch (how) {
    case "a day":
      return plusDays(today, 1);
    case "to the cycle's last day":
      return plusDays(next, -1);
    case "to the next cycle":
      return next;
  }
}

/** Whether the command can run in this state. */
export function isPossible(command: Command, state: State, mostBundles: number): boolean {
  switch (command.do) {
    case "send":
      return projectNames.reduce((sum, name) => sum + state[name].bundles.length, 0) < mostBundles;
    case "land":
      return state[command.project].bundles.length > 0;
    case "lookUp":
      return command.bundles.every((one) => "unknown" in one || one.sent < state[projectOf(command.as)].bundles.length);
    case "pass":
      return dayAfter(state, command.project, command.how) !== state[command.project].today;
    default:
      return true;
  }
}
