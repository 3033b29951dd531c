// What can be done with power over a platform? Typed commands of specs/control.yaml, sent by the same transport as all else.
import { randomUUID } from "node:crypto";
import type { components } from "../../specs/generated/control.ts";
import type { MethodName } from "../../specs/generated/operations.ts";
import { Secret } from "../core/secret.ts";
import type { Asker } from "../core/stimulus.ts";
import { Inconclusive } from "../model/check.ts";
import type { HeldKey, KnownProject, PowerOver } from "../target/target.ts";
import type { Transport } from "./transport.ts";

type Schemas = components["schemas"];
type Command = Schemas["Command"];
export type ExactLedger = Schemas["Ledger"];
export type WrittenAccount = Schemas["TokenAccount"];
export type BundleRoute = Schemas["Route"];
type Product = Schemas["Consume"]["product"];

/** A project for one scenario; what isn't said is a paid plan of a million credits that began on the 15th. */
export interface ProjectWish {
  readonly plan?: Partial<Schemas["Plan"]>;
  /** First day of the subscription, YYYY-MM-DD. */
  readonly billingAnchor?: string;
  readonly createdOn?: string;
  /** Where its clock stands, e.g. 2025-03-20T12:00:00Z. */
  readonly standsAt?: string;
  readonly invoicing?: "monthly" | "yearly";
  /** Prepaid credits bought, a decimal. */
  readonly prepaid?: string;
  readonly admin?: "enabled" | "disabled";
  /** A general limit of so many calls in any second, and a pace of half of it. */
  readonly generously?: number;
  /** Keys besides the first: each open to all, or to an address that no client has. */
  readonly keys?: readonly ("open" | "blocked")[];
}

/** A project that control has made, and what can be done to it. */
export interface MadeProject {
  readonly asker: Asker;
  /** Its further keys, in the order of the wish. */
  readonly others: readonly Asker[];
  moveClock(to: string): Promise<void>;
  /** `credits` is a decimal; each of `times` increments is counted on its own. */
  consume(
    product: Product,
    credits: string,
    options?: { readonly times?: number; readonly pool?: "regular" | "prepaid" },
  ): Promise<void>;
  stream(stream: Schemas["Stream"]["stream"], bytes: number): Promise<void>;
  /** So many events, each at its last attempt. */
  deliverWebhooks(count: number, attempts?: number): Promise<void>;
  setBillingData(isPresent: boolean): Promise<void>;
  changePlan(plan: Schemas["Plan"]): Promise<void>;
  revokeKey(): Promise<void>;
  /** How far the index lags as the project sees it, and how far it may; in blocks. */
  setIndexer(behindBy: number, mayBeBehindBy?: number): Promise<void>;
  /** Its calls of one method fail for a cause from now on; `none` ends that. */
  failWith(method: MethodName, cause: Schemas["FailWith"]["cause"]): Promise<void>;
  /** Writes token accounts into the chain; gives the slot that wrote them. */
  writeTokenAccounts(accounts: readonly WrittenAccount[]): Promise<number>;
  /** These accounts have so many lamports and can run dry; all others count as funded. */
  seedAccounts(accounts: readonly { readonly address: string; readonly lamports: string }[]): Promise<void>;
  /** Lamports of seeded accounts, once all bundles that have landed by now have run. */
  balances(addresses: readonly string[]): Promise<readonly (string | null)[]>;
  /** Lets time pass for the bundles that it sent. */
  moveBundles(by_ms: number): Promise<void>;
  /** A bundle that was sent is told of as one that failed. */
  spoilBundle(bundle: string): Promise<void>;
  /** Where its bundles went. */
  routes(): Promise<readonly BundleRoute[]>;
  /** Unrounded figures of its current cycle. */
  ledger(): Promise<ExactLedger>;
}

export const powerOver = (base: string, token: string): PowerOver => ({
  base,
  token: new Secret("control", token),
  secretOf: (value) => new Secret("made", value),
});

/** An address for documentation (RFC 5737). */
const unknownAddress = "192.0.2.1";

/**
 * Makes a project and gives each of its keys a place among the target's.
 * @throws Inconclusive where control doesn't answer as specs/control.yaml has it
 */
export async function makeProject(
  power: PowerOver,
  order: Transport["order"],
  wish: ProjectWish,
  hold: (key: HeldKey) => Asker,
): Promise<MadeProject> {
  const value = randomUUID();
  const { generously } = wish;
  const general = generously === undefined ? {} : { general: { perSecond: generously, burst: generously } };
  const plan = { name: "business", kind: "paid", creditsLimit: 1_000_000, ...general, ...wish.plan } as const;
  const {
    billingAnchor = "2024-06-15",
    standsAt = "2025-03-20T12:00:00Z",
    createdOn,
    invoicing,
    prepaid,
    admin = "enabled",
  } = wish;
  const others = (wish.keys ?? []).map((kind) => ({
    value: randomUUID(),
    ...(kind === "blocked" ? { allowedAddresses: [unknownAddress] } : {}),
  }));
  const command = {
    do: "makeProject",
    plan,
    billingAnchor,
    standsAt,
    keys: [{ value }, ...others],
    ...definedOf({ createdOn, invoicing, prepaid, admin }),
  } as const;
  const { project } = await send(power, order, command as unknown as Command);
  if (project === undefined) throw new Inconclusive("control made no project");
  const known: KnownProject = {
    id: project,
    plan: plan.kind,
    planName: plan.name,
    creditsLimit: plan.creditsLimit,
    admin,
    ...definedOf({ ownPerSecond: generously && generously / 2 }),
  };
  const heldBy = (text: string): Asker =>
    hold({ secret: power.secretOf(text), projectName: `made ${project.slice(0, 8)}`, project: known });
  const asker = heldBy(value);
  const tell = async (one: Command): Promise<void> => {
    await send(power, order, one);
  };
  return {
    asker,
    others: others.map((key) => heldBy(key.value)),
    moveClock: (to) => tell({ do: "moveClock", project, to }),
    consume: (product, credits, options = {}) => tell({ do: "consume", project, product, credits, ...options }),
    stream: (stream, bytes) => tell({ do: "stream", project, stream, bytes }),
    deliverWebhooks: (count, attempts) =>
      tell({ do: "deliverWebhooks", project, count, ...(attempts === undefined ? {} : { attempts }) }),
    setBillingData: (present) => tell({ do: "setBillingData", project, present }),
    changePlan: (next) => tell({ do: "changePlan", project, plan: next }),
    revokeKey: () => tell({ do: "revokeKey", project, value }),
    setIndexer: (behindBy, mayBeBehindBy) =>
      tell({ do: "setIndexer", project, behindBy, ...(mayBeBehindBy === undefined ? {} : { mayBeBehindBy }) }),
    failWith: (method, cause) => tell({ do: "failWith", project, method, cause }),
    writeTokenAccounts: async (accounts) => {
      const { slot } = await send(power, order, { do: "writeTokenAccounts", project, accounts: [...accounts] });
      if (slot === undefined) throw new Inconclusive("control didn't say which slot wrote the accounts");
      return slot;
    },
    seedAccounts: (accounts) => tell({ do: "seedAccounts", project, accounts: [...accounts] }),
    balances: async (addresses) => {
      const { balances } = await send(power, order, { do: "readBalances", project, addresses: [...addresses] });
      if (!balances) throw new Inconclusive("control showed no balances");
      return balances;
    },
    moveBundles: (by_ms) => tell({ do: "moveBundles", project, by_ms }),
    spoilBundle: (bundle) => tell({ do: "spoilBundle", project, bundle }),
    routes: async () => {
      const { routes } = await send(power, order, { do: "readRoutes", project });
      if (!routes) throw new Inconclusive("control showed no routes");
      return routes;
    },
    ledger: async () => {
      const { ledger } = await send(power, order, { do: "readLedger", project });
      if (!ledger) throw new Inconclusive("control showed no ledger");
      return ledger;
    },
  };
}

const definedOf = (record: { readonly [name: string]: unknown }): object =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));

async function send({ base, token }: PowerOver, order: Transport["order"], command: Command): Promise<Schemas["Done"]> {
  const request = {
    method: "POST",
    url: `${base}/control`,
    headers: [
      ["content-type", "application/json"],
      ["x-assay-control", token.open()],
    ],
    body: JSON.stringify(command),
  } as const;
  const { answer, fault } = await order(request);
  if (!answer) throw new Inconclusive(`control didn't answer (${fault?.kind}: ${fault?.detail})`);
  if (answer.status !== 200)
    throw new Inconclusive(`control refused ${command.do} (HTTP ${answer.status}): ${answer.text.slice(0, 200)}`);
  if (!answer.json) throw new Inconclusive(`control answered ${command.do} with no JSON`);
  return answer.json.value as Schemas["Done"];
}
