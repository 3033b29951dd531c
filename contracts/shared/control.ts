// Control of a platform: projects made for one scenario, and typed commands (specs/control.yaml).
import { randomUUID } from "node:crypto";
import { Inconclusive } from "../../harness/core/outcomes.ts";
import type { Asker } from "../../harness/core/stimulus.ts";
import type { KnownProject } from "../../harness/target/target.ts";
import type { Command, ControlOver } from "../../harness/transport/control.ts";
import type { components } from "../../specs/generated/control.ts";
import type { MethodName } from "../../specs/generated/operations.ts";

type Schemas = components["schemas"];
export type ExactLedger = Schemas["Ledger"];
export type WrittenAccount = Schemas["TokenAccount"];
export type BundleRoute = Schemas["Route"];
type Product = Schemas["Consume"]["product"];

/** A project for one scenario; by default a paid plan of a million credits that began on the 15th. */
export interface ProjectWish {
  readonly plan?: Partial<Schemas["Plan"]>;
  /** First day of the subscription, YYYY-MM-DD. */
  readonly billingAnchor?: string;
  readonly createdOn?: string;
  /** The time at which its clock stands still, e.g. 2025-03-20T12:00:00Z. */
  readonly standsAt?: string;
  readonly invoicing?: "monthly" | "yearly";
  /** Prepaid credits bought, a decimal. */
  readonly prepaid?: string;
  readonly admin?: "enabled" | "disabled";
  /** A general limit of so many calls per second, and a pace of half of it. */
  readonly generously?: number;
  /** Further keys: each open to all addresses, or only to one that no client has. */
  readonly keys?: readonly ("open" | "blocked")[];
}

/** A project made by control, and the commands for it. */
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
  /** `count` events, each delivered at its last attempt. */
  deliverWebhooks(count: number, attempts?: number): Promise<void>;
  setBillingData(isPresent: boolean): Promise<void>;
  changePlan(plan: Schemas["Plan"]): Promise<void>;
  revokeKey(): Promise<void>;
  /** How far the index lags as the project sees it, and how far it may lag; in blocks. */
  setIndexer(behindBy: number, mayBeBehindBy?: number): Promise<void>;
  /** Its calls of one method fail for this cause from now on; `none` ends that. */
  failWith(method: MethodName, cause: Schemas["FailWith"]["cause"]): Promise<void>;
  /** Writes token accounts into the chain; returns the slot that wrote them. */
  writeTokenAccounts(accounts: readonly WrittenAccount[]): Promise<number>;
  /** Sets the lamports of accounts, which can run dry; all other accounts count as funded. */
  seedAccounts(accounts: readonly { readonly address: string; readonly lamports: string }[]): Promise<void>;
  /** Lamports of seeded accounts after all bundles that have landed; null for others. */
  balances(addresses: readonly string[]): Promise<readonly (string | null)[]>;
  /** Lets time pass for the project's bundles. */
  moveBundles(by_ms: number): Promise<void>;
  /** Reports a bundle that was sent as failed. */
  spoilBundle(bundle: string): Promise<void>;
  /** The routes that its bundles took. */
  routes(): Promise<readonly BundleRoute[]>;
  /** Unrounded figures of its current cycle. */
  ledger(): Promise<ExactLedger>;
}

/** An address for documentation (RFC 5737). */
const unknownAddress = "192.0.2.1";

async function makeProject(
  command: Command,
  wish: ProjectWish,
  hold: Parameters<ControlOver["makeProject"]>[2],
): Promise<MadeProject> {
  const value = randomUUID();
  const { generously } = wish;
  const general = generously === undefined ? {} : { general: { perSecond: generously, burst: generously } };
  const plan = { name: "business", kind: "paid", creditsLimit: 1_000_000, ...general, ...wish.plan } as const;
  const { billingAnchor = "2024-06-15", standsAt = "2025-03-20T12:00:00Z", admin = "enabled" } = wish;
  const { createdOn, invoicing, prepaid } = wish;
  const others = (wish.keys ?? []).map((kind) => ({
    value: randomUUID(),
    ...(kind === "blocked" ? { allowedAddresses: [unknownAddress] } : {}),
  }));
  const keys = [{ value }, ...others];
  const optional = definedOf({ createdOn, invoicing, prepaid, admin });
  const send = async (one: Schemas["Command"]): Promise<Schemas["Done"]> => (await command(one)) as Schemas["Done"];
  const made = { do: "makeProject", plan, billingAnchor, standsAt, keys, ...optional };
  const { project } = await send(made as unknown as Schemas["Command"]);
  if (project === undefined) throw new Inconclusive("control returned no project");
  const known: KnownProject = {
    id: project,
    plan: plan.kind,
    planName: plan.name,
    creditsLimit: plan.creditsLimit,
    admin,
    ...definedOf({ ownPerSecond: generously && generously / 2 }),
  };
  const heldBy = (key: string): Asker =>
    hold({ value: key, projectName: `made ${project.slice(0, 8)}`, project: known });
  const asker = heldBy(value);
  return { asker, others: others.map((key) => heldBy(key.value)), ...commandsOf(project, value, send) };
}

/** The commands for one project. */
function commandsOf(
  project: string,
  value: string,
  send: (command: Schemas["Command"]) => Promise<Schemas["Done"]>,
): Omit<MadeProject, "asker" | "others"> {
  const order = async (one: Schemas["Command"]): Promise<void> => {
    await send(one);
  };
  const read = async <M extends keyof Schemas["Done"]>(
    one: Schemas["Command"],
    member: M,
  ): Promise<NonNullable<Schemas["Done"][M]>> => {
    const { [member]: shown } = await send(one);
    if (shown === undefined) throw new Inconclusive(`control answered ${one.do} without ${member}`);
    return shown;
  };
  return {
    moveClock: (to) => order({ do: "moveClock", project, to }),
    consume: (product, credits, options = {}) => order({ do: "consume", project, product, credits, ...options }),
    stream: (stream, bytes) => order({ do: "stream", project, stream, bytes }),
    deliverWebhooks: (count, attempts) =>
      order({ do: "deliverWebhooks", project, count, ...(attempts === undefined ? {} : { attempts }) }),
    setBillingData: (present) => order({ do: "setBillingData", project, present }),
    changePlan: (next) => order({ do: "changePlan", project, plan: next }),
    revokeKey: () => order({ do: "revokeKey", project, value }),
    setIndexer: (behindBy, mayBeBehindBy) =>
      order({ do: "setIndexer", project, behindBy, ...(mayBeBehindBy === undefined ? {} : { mayBeBehindBy }) }),
    failWith: (method, cause) => order({ do: "failWith", project, method, cause }),
    writeTokenAccounts: (accounts) => read({ do: "writeTokenAccounts", project, accounts: [...accounts] }, "slot"),
    seedAccounts: (accounts) => order({ do: "seedAccounts", project, accounts: [...accounts] }),
    balances: (addresses) => read({ do: "readBalances", project, addresses: [...addresses] }, "balances"),
    moveBundles: (by_ms) => order({ do: "moveBundles", project, by_ms }),
    spoilBundle: (bundle) => order({ do: "spoilBundle", project, bundle }),
    routes: () => read({ do: "readRoutes", project }, "routes"),
    ledger: () => read({ do: "readLedger", project }, "ledger"),
  };
}

const definedOf = (record: { readonly [name: string]: unknown }): object =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));

/** The general limit of a generous project, in calls per second. */
const manyPerSecond = 1_000;

export const control: ControlOver = {
  makeProject,
  wishLike: (
    { plan = "paid", planName, creditsLimit, admin }: Partial<KnownProject> = {},
    { generous = false } = {},
  ) => ({
    plan: { kind: plan, ...definedOf({ name: planName, creditsLimit }) },
    ...definedOf({ admin }),
    ...(generous ? { generously: manyPerSecond } : {}),
  }),
};
