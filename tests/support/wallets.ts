// A reference platform of a test's own, and requests to it in-process
import { parse } from "lossless-json";
import { parse as parseYaml } from "yaml";
import { virtualClock } from "../../harness/core/clock.ts";
import { type DemoRole, demo } from "../../reference/demo.ts";
import { benignVariants } from "../../reference/generated/benignVariants.ts";
import { mutants } from "../../reference/generated/mutants.ts";
import { oneSided } from "../../reference/oneSided.mutants.ts";
import { chainAddressOf } from "../../reference/platform/chain.ts";
import { noCredits } from "../../reference/platform/ledger.ts";
import type { Unlisted, Variant } from "../../reference/platform/mutant.ts";
import type { RuleChange } from "../../reference/platform/rules.ts";
import { createPlatform } from "../../reference/platform.ts";
import { sequential } from "../../reference/stateful.mutants.ts";
import { subtle } from "../../reference/subtle.mutants.ts";
import { unlistedMutants } from "../../reference/unlisted.mutants.ts";
import { benign } from "../../reference/unlistedBenign.mutants.ts";
import type { components } from "../../specs/generated/openapi.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { read as textOf } from "./assay.ts";

export interface Answered {
  readonly status: number;
  readonly contentType: string | null;
  /** Parsed where it is JSON, else its text. */
  readonly body: unknown;
}

/** One request; the key goes in the header by default. */
export interface Asked {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Whatever its figures are called. */
export type Usage = components["schemas"]["ProjectUsage"] & {
  readonly [group in "credits" | "requests" | "dataTransfer"]: { readonly [figure: string]: number };
};

export type Get = (
  path: string,
  options?: { readonly key?: string; readonly keyIn?: "header" | "query" },
) => Promise<Answered>;

interface Samples {
  readonly wallets: readonly [string, string];
  readonly domains: readonly [string, string];
  readonly owner: string;
  readonly mint: string;
  readonly newAddresses: readonly string[];
}
/** Of the reference, as its target file lists them. */
export const { samples } = parseYaml(textOf("targets/reference.yaml")) as { readonly samples: Samples };

/** Addresses that the platform doesn't know. */
export const unknowns = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, nth) => chainAddressOf(`unknown ${nth}`));

export const base = "http://reference.example";
export const get = (wallet: string, endpoint: string): string => `/v1/wallet/${wallet}/${endpoint}`;

export const asJson = { "content-type": "application/json" };
export const batchOf = (entries: readonly unknown[]): Asked => ({
  path: "/v1/wallet/batch-identity",
  method: "POST",
  headers: asJson,
  body: JSON.stringify({ addresses: entries }),
});

/** A baseline request of each endpoint. */
export const askers = (wallet: string): readonly { readonly title: string; readonly ask: Asked }[] => [
  { title: "identity", ask: { path: get(wallet, "identity") } },
  { title: "batch-identity", ask: batchOf([wallet, "ada.sol"]) },
  { title: "balances", ask: { path: get(wallet, "balances") } },
  { title: "balance-at", ask: { path: get(wallet, "balance-at?time=1709251200") } },
  { title: "history", ask: { path: get(wallet, "history") } },
  { title: "transfers", ask: { path: get(wallet, "transfers") } },
  { title: "funded-by", ask: { path: get(wallet, "funded-by") } },
];

/** Status and code of a refusal that has the platform's shape; throws for anything else. */
export function refusedIn({ status, contentType, body }: Answered): readonly [status: number, code: string] {
  const { code, message, ...rest } = body as { code?: unknown; message?: unknown };
  if (
    typeof code !== "string" ||
    typeof message !== "string" ||
    Object.keys(rest).length > 0 ||
    !contentType?.startsWith("application/json")
  )
    throw new Error(`no refusal of this platform: ${status} ${contentType} ${JSON.stringify(body).slice(0, 200)}`);
  return [status, code];
}

const keyless: Asked["headers"] = {};
const controlToken = "power";

/** Amounts may pass 2^53. */
const exact = (digits: string): number | bigint =>
  /^-?\d+$/.test(digits) && !Number.isSafeInteger(Number(digits)) ? BigInt(digits) : Number(digits);

async function answered(response: Response): Promise<Answered> {
  const text = await response.text();
  const contentType = response.headers.get("content-type");
  return {
    status: response.status,
    contentType,
    body: text !== "" && contentType?.startsWith("application/json") ? parse(text, undefined, exact) : text,
  };
}

/** @throws Error for an id that no mutant and no benign variant has */
export function variantNamed(id: string): Variant {
  const variant = [...mutants, ...benignVariants].find((one) => one.id === id);
  if (!variant) throw new Error(`no mutant ${id}`);
  return variant;
}
/** Of mutants whose id matches. */
export const mutantsLike = (pattern: RegExp): readonly string[] =>
  mutants.map(({ id }) => id).filter((id) => pattern.test(id));
/** Of variants that break nothing. */
export const benignIds: readonly string[] = benignVariants.map(({ id }) => id);
/** Mutants outside the register: found by checks, by generated cases alone, or by sequences alone. */
export const mutantsOutside = (by: "checks" | "cases" | "sequences"): readonly Unlisted[] =>
  ({ checks: [...unlistedMutants, ...oneSided], cases: subtle, sequences: sequential })[by];
/** Unusual platforms that are right, of the register or outside. */
export const rightPlatforms = (of: "register" | "outside"): readonly Variant[] =>
  of === "register" ? benignVariants : benign;
/** Ids are separated by white space. */
export const idsIn = (text: string): readonly string[] => text.trim().split(/\s+/);
export const requirementOf = (id: string): RequirementId => id.slice(0, id.indexOf(".")) as RequirementId;

/** The platform with other choices. */
export const ruled = (rules: RuleChange): Variant => ({ id: "another choice", rules });

/** A fresh world on a clock that stands still unless a test moves it. */
export function platform(mutant?: Variant | string) {
  const variant = typeof mutant === "string" ? variantNamed(mutant) : mutant;
  const { world, keys, ids } = demo();
  const clock = virtualClock(Date.parse("2026-01-15T10:00:00Z"));
  const { fetch } = createPlatform({ world, now_ms: clock.now_ms, controlToken, ...(variant ? { variant } : {}) });
  const send = async (
    { path, method = "GET", headers = keyless, body }: Asked,
    key: string | null = keys.paid,
    keyIn: "header" | "query" = "header",
  ): Promise<Answered> => {
    const search = key !== null && keyIn === "query" ? `${path.includes("?") ? "&" : "?"}api-key=${key}` : "";
    const carried = key !== null && keyIn === "header" ? { "x-api-key": key } : {};
    const sent = { method, headers: { ...headers, ...carried }, ...(body === undefined ? {} : { body }) };
    return answered(await fetch(new Request(`${base}${path}${search}`, sent)));
  };
  const ask: Get = (path, { key, keyIn } = {}) => send({ path }, key, keyIn);
  const read = (role: DemoRole): Promise<Usage> => usageOf(ids[role], keys[role]);
  const usageOf = async (id: string, key: string): Promise<Usage> => {
    const { status, body } = await ask(`/v0/admin/projects/${id}/usage`, { key });
    if (status !== 200) throw new Error(`no usage: ${status}`);
    return body as Usage;
  };
  const before = new Map(world.projects.map((project) => [project.id, project.ledger.entries.length]));
  /** Of a role's project since the start, in its ledger. */
  const entriesOf = (role: DemoRole) => world.project(ids[role])?.ledger.entries.slice(before.get(ids[role])) ?? [];
  return {
    keys,
    ids,
    clock,
    send,
    ask,
    read,
    usageOf,
    /** Gives the admin contract a command. */
    control: async (command: object): Promise<unknown> => {
      const headers = { "x-assay-control": controlToken };
      const { status, body } = await send(
        { path: "/control", method: "POST", headers, body: JSON.stringify(command) },
        null,
      );
      if (status !== 200) throw new Error(`refused: ${JSON.stringify(command)}`);
      return body;
    },
    batch: (entries: readonly unknown[]) => send(batchOf(entries)),
    /** What a role's project was charged since the start, call by call. */
    charged: (role: DemoRole) =>
      entriesOf(role).map(({ product, credits, requests }) => [product, credits.toNumber(), requests] as const),
    spent: (role: DemoRole = "paid"): { readonly credits: number; readonly requests: number } => {
      const own = entriesOf(role);
      return {
        credits: own.reduce((total, { credits }) => total.plus(credits), noCredits).toNumber(),
        requests: own.reduce((total, { requests }) => total + requests, 0),
      };
    },
  };
}
