// What may happen on a journey? Commands as data, so that a sequence can be written down and taken up again.
import fc from "fast-check";
import { nextCycleOf, plusDays } from "./calendar.ts";
import {
  type KeyName,
  keyNames,
  type Product,
  type ProjectName,
  projectNames,
  projectOf,
  projects,
  type State,
} from "./state.ts";

const carriers = ["header", "query"] as const;
export const walletCalls = ["balances", "history", "identity"] as const;
export const methods = [
  "getCompressedBalance",
  "getMultipleNewAddressProofs",
  "getIndexerHealth",
  "getTokenAccounts",
] as const;
/** What must not be served, and to whom: an unknown key, nobody, a key of another project, one that is blocked where it is used. */
export const refusals = [
  "usageByUnknownKey",
  "usageByAnonymous",
  "usageByOther",
  "walletByUnknownKey",
  "walletByAnonymous",
  "walletByBlocked",
] as const;
export const clockMoves = ["to the next cycle", "to the cycle's last day", "a day"] as const;

export type Look = { readonly sent: number } | { readonly unknown: number };

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
  /** The latest bundle of the key's project is number 0. */
  | { readonly do: "lookUp"; readonly as: KeyName; readonly bundles: readonly Look[] }
  /** Every bundle is asked for, and every key reads its usage. */
  | { readonly do: "survey" };

type Doing<What extends Command["do"]> = Extract<Command, { readonly do: What }>;

export const plainly = { noNullPrototype: true } as const;
/** One more often than the others: much shows only where it comes together on one project. */
export const key = fc.constantFrom("main" as const, "main" as const, ...keyNames);
const project = fc.constantFrom("main" as const, "main" as const, ...projectNames);
const carrier = fc.constantFrom(...carriers);

/** Halves are where rules of rounding part, quarters where fractions add up. */
const credits = fc.constantFrom("1", "0.5", "0.25", "0.75", "12.3456");

/** What no call of ours is counted under, and one that some may be. */
const injected = ["webhooks", "streamGrpc", "preConfirmations", "rpc"] as const satisfies readonly Product[];

const look = fc.oneof(
  fc.record({ sent: fc.nat({ max: 2 }) }, plainly),
  fc.record({ unknown: fc.nat({ max: 2 }) }, plainly),
);
/** Whether repeats have entries of their own is open. */
const looks = fc.uniqueArray(look, { minLength: 1, maxLength: 5, selector: (one) => JSON.stringify(one) });

const doing = <What extends Command["do"]>(
  what: What,
  rest: { [Member in Exclude<keyof Doing<What>, "do">]: fc.Arbitrary<Doing<What>[Member]> },
): fc.Arbitrary<Command> => fc.record({ do: fc.constant(what), ...rest }, plainly) as unknown as fc.Arbitrary<Command>; // One record for each member of the union.

export const twice = <One>(one: One): readonly One[] => [one, one];

/** Each as often as any other; what shows only in numbers, or behind something else, stands here more than once. */
export const useCommands: readonly fc.Arbitrary<Command>[] = [
  doing("read", { as: key, keyIn: carrier }),
  ...twice(doing("wallet", { as: key, keyIn: carrier, call: fc.constantFrom(...walletCalls) })),
  ...twice(doing("rpc", { as: key, method: fc.constantFrom(...methods) })),
  doing("refused", { how: fc.constantFrom(...refusals) }),
  ...twice(
    doing("consume", {
      project,
      product: fc.constantFrom(...injected),
      credits,
      pool: fc.constantFrom("regular" as const, "prepaid" as const),
    }),
  ),
  ...twice(doing("pass", { project, how: fc.constantFrom("to the next cycle" as const, ...clockMoves) })),
  ...twice(doing("send", { as: key })),
  doing("land", { project }),
  doing("lookUp", { as: key, bundles: looks }),
  ...twice(doing("survey", {})),
];

/** The day to which a project's calendar is moved: never back. */
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

/** Whether it can be done after all that happened. */
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
