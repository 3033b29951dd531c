// Control of a platform: projects made for one scenario, and typed commands (specs/control.yaml).
import { randomUUID } from "node:crypto";
import type { KnownProject } from "../../harness/core/interface.ts";
import { controlFailed } from "../../harness/core/outcomes.ts";
import type { Asker } from "../../harness/core/requestSpec.ts";
import type { ControlCommand, ControlOver } from "../../harness/transport/control.ts";
import type { components } from "../../specs/generated/control.ts";
import type { MethodName } from "../../specs/generated/operations.ts";

type Schemas = components["schemas"];
export type WrittenAccount = Schemas["TokenAccount"];
export type BundleRoute = Schemas["Route"];

type Optional = "billingAnchor" | "createdOn" | "standsAt" | "invoicing" | "prepaid" | "admin";

/** A project for one scenario; by default a paid plan of a million credits since 15 June 2024, on 20 March 2025. */
export interface WishedProject extends Readonly<Partial<Pick<Schemas["MakeProject"], Optional>>> {
  readonly plan?: Partial<Schemas["Plan"]>;
  /** A general limit of so many calls per second, and a pace of half of it. */
  readonly generously?: number;
  /** Further keys: each open to all addresses, or only to one that no client has. */
  readonly keys?: readonly ("open" | "blocked")[];
}

/** A project made by control, and the commands for it. */
export interface ControlledProject extends ReturnType<typeof commandsOf> {
  readonly asker: Asker;
  /** Its further keys, in the order of the wish. */
  readonly others: readonly Asker[];
}

/** What checks need under control, as they say it where a target grants none. */
export const controlOf = {
  billing: "a test project with prepared billing data",
  index: "an index that lags on demand",
  accounts: "token accounts written on demand",
  failures: "failures on demand",
} as const;

/** An address for documentation (RFC 5737). */
const unknownAddress = "192.0.2.1";

async function makeProject(
  command: ControlCommand,
  wish: WishedProject,
  hold: Parameters<ControlOver["makeProject"]>[2],
): Promise<ControlledProject> {
  const { billingAnchor = "2024-06-15", standsAt = "2025-03-20T12:00:00Z", admin = "enabled", generously } = wish;
  const { createdOn, invoicing, prepaid } = wish;
  const general = generously === undefined ? {} : { general: { perSecond: generously, burst: generously } };
  const plan = { name: "business", kind: "paid", creditsLimit: 1_000_000, ...general, ...wish.plan } as const;
  const value = randomUUID();
  const others = (wish.keys ?? []).map((kind) => ({
    value: randomUUID(),
    ...(kind === "blocked" ? { allowedAddresses: [unknownAddress] } : {}),
  }));
  const keys = [{ value }, ...others];
  const optional = definedOf({ createdOn, invoicing, prepaid, admin });
  const send: Send = async (one) => (await command(one)) as Schemas["Done"];
  const made = { do: "makeProject", plan, billingAnchor, standsAt, keys, ...optional };
  const { project } = await send(made as unknown as Schemas["Command"]);
  if (project === undefined) throw controlFailed("control returned no project");
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

type Send = (command: Schemas["Command"]) => Promise<Schemas["Done"]>;

function commandsOf(project: string, value: string, send: Send) {
  const order = async (command: Schemas["Command"]): Promise<void> => {
    await send(command);
  };
  const read = async <M extends keyof Schemas["Done"]>(command: Schemas["Command"], member: M) => {
    const { [member]: shown } = await send(command);
    if (shown === undefined) throw controlFailed(`control answered ${command.do} without ${member}`);
    return shown;
  };
  return {
    moveClock: (to: string) => order({ do: "moveClock", project, to }),
    /** `credits` is a decimal; each of `times` increments is counted on its own. */
    consume: (product: Schemas["Consume"]["product"], credits: string, options: ConsumeOptions = {}) =>
      order({ do: "consume", project, product, credits, ...options }),
    stream: (stream: Schemas["Stream"]["stream"], bytes: number) => order({ do: "stream", project, stream, bytes }),
    /** `count` events, each delivered at its last attempt. */
    deliverWebhooks: (count: number, attempts?: number) =>
      order({ do: "deliverWebhooks", project, count, ...(attempts === undefined ? {} : { attempts }) }),
    setBillingData: (present: boolean) => order({ do: "setBillingData", project, present }),
    changePlan: (plan: Schemas["Plan"]) => order({ do: "changePlan", project, plan }),
    revokeKey: () => order({ do: "revokeKey", project, value }),
    /** How far the index lags as the project sees it, and how far it may lag; in blocks. */
    setIndexer: (behindBy: number, mayBeBehindBy?: number) =>
      order({ do: "setIndexer", project, behindBy, ...(mayBeBehindBy === undefined ? {} : { mayBeBehindBy }) }),
    /** Its calls of one method fail for this cause from now on; `none` ends that. */
    failWith: (method: MethodName, cause: Schemas["FailWith"]["cause"]) =>
      order({ do: "failWith", project, method, cause }),
    /** Writes token accounts into the chain; returns the slot that wrote them. */
    writeTokenAccounts: (accounts: readonly WrittenAccount[]) =>
      read({ do: "writeTokenAccounts", project, accounts: [...accounts] }, "slot"),
    /** Sets the lamports of accounts, which can run dry; all other accounts count as funded. */
    seedAccounts: (accounts: readonly { readonly address: string; readonly lamports: string }[]) =>
      order({ do: "seedAccounts", project, accounts: [...accounts] }),
    /** Lamports of seeded accounts after all bundles that have landed; null for others. */
    balances: (addresses: readonly string[]) =>
      read({ do: "readBalances", project, addresses: [...addresses] }, "balances"),
    /** Lets time pass for the project's bundles. */
    moveBundles: (by_ms: number) => order({ do: "moveBundles", project, by_ms }),
    /** Reports a bundle that was sent as failed. */
    spoilBundle: (bundle: string) => order({ do: "spoilBundle", project, bundle }),
    routes: () => read({ do: "readRoutes", project }, "routes"),
    /** Unrounded figures of its current cycle. */
    ledger: () => read({ do: "readLedger", project }, "ledger"),
  };
}

type ConsumeOptions = Pick<Schemas["Consume"], "times" | "pool">;

const definedOf = (record: { readonly [name: string]: unknown }): object =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));

/** The general limit of a generous project, in calls per second. */
const manyPerSecond = 1_000;

export const control: ControlOver = {
  makeProject,
  wishLike: ({ plan: kind = "paid", planName: name, creditsLimit, admin }: Partial<KnownProject> = {}, options) => ({
    plan: { kind, ...definedOf({ name, creditsLimit }) },
    ...definedOf({ admin, generously: options?.generous ? manyPerSecond : undefined }),
  }),
};
