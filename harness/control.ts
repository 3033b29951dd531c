// What can be done with power over a platform? Typed commands of specs/control.yaml, sent by the same wire as all else.
import { randomUUID } from "node:crypto";
import type { components } from "../specs/generated/control.ts";
import { Inconclusive } from "./check.ts";
import { Secret } from "./secret.ts";
import type { Asker } from "./stimulus.ts";
import type { HeldKey, KnownProject, PowerOver } from "./target.ts";
import type { Wire } from "./wire.ts";

type Schemas = components["schemas"];
type Command = Schemas["Command"];
export type ExactLedger = Schemas["Ledger"];
type Product = Schemas["Consume"]["product"];

/** A project for one scenario; what isn't said is a paid plan of a million credits that began on the 15th. */
export interface ProjectWish {
  readonly plan?: { readonly name?: string; readonly kind?: "paid" | "free"; readonly creditsLimit?: number };
  /** First day of the subscription, YYYY-MM-DD. */
  readonly billingAnchor?: string;
  readonly createdOn?: string;
  /** Where its clock stands, e.g. 2025-03-20T12:00:00Z. */
  readonly standsAt?: string;
  readonly invoicing?: "monthly" | "yearly";
  /** Prepaid credits bought, a decimal. */
  readonly prepaid?: string;
  readonly admin?: "enabled" | "disabled";
}

/** A project that control has made, and what can be done to it. */
export interface MadeProject {
  readonly asker: Asker;
  moveClock(to: string): Promise<void>;
  /** `credits` is a decimal; each of `times` increments is counted on its own. */
  consume(product: Product, credits: string, options?: { readonly times?: number; readonly pool?: "regular" | "prepaid" }): Promise<void>;
  stream(stream: Schemas["Stream"]["stream"], bytes: number): Promise<void>;
  deliverWebhooks(count: number): Promise<void>;
  setBillingData(isPresent: boolean): Promise<void>;
  changePlan(plan: Schemas["Plan"]): Promise<void>;
  revokeKey(): Promise<void>;
  /** Unrounded figures of its current cycle. */
  ledger(): Promise<ExactLedger>;
}

const deadline_ms = 5_000;

export const powerOver = (base: string, token: string): PowerOver => ({ base, token: new Secret("control", token), secretOf: (value) => new Secret("made", value) });

/**
 * Makes a project and gives its key a place among the target's.
 * @throws Inconclusive where control doesn't answer as specs/control.yaml has it
 */
export async function makeProject(power: PowerOver, wire: Wire, wish: ProjectWish, hold: (key: HeldKey) => Asker): Promise<MadeProject> {
  const value = randomUUID();
  const plan = { name: "business", kind: "paid", creditsLimit: 1_000_000, ...wish.plan } as const;
  const { billingAnchor = "2024-06-15", standsAt = "2025-03-20T12:00:00Z", createdOn, invoicing, prepaid, admin = "enabled" } = wish;
  const command = { do: "makeProject", plan, billingAnchor, standsAt, keys: [{ value }], ...definedOf({ createdOn, invoicing, prepaid, admin }) } as const;
  const { project } = await send(power, wire, command as unknown as Command);
  if (project === undefined) throw new Inconclusive("control made no project");
  const known: KnownProject = { id: project, plan: plan.kind, planName: plan.name, creditsLimit: plan.creditsLimit, admin };
  const asker = hold({ secret: power.secretOf(value), projectName: `made ${project.slice(0, 8)}`, project: known });
  const order = async (one: Command): Promise<void> => {
    await send(power, wire, one);
  };
  return {
    asker,
    moveClock: (to) => order({ do: "moveClock", project, to }),
    consume: (product, credits, options = {}) => order({ do: "consume", project, product, credits, ...options }),
    stream: (stream, bytes) => order({ do: "stream", project, stream, bytes }),
    deliverWebhooks: (count) => order({ do: "deliverWebhooks", project, count }),
    setBillingData: (present) => order({ do: "setBillingData", project, present }),
    changePlan: (next) => order({ do: "changePlan", project, plan: next }),
    revokeKey: () => order({ do: "revokeKey", project, value }),
    ledger: async () => {
      const { ledger } = await send(power, wire, { do: "readLedger", project });
      if (!ledger) throw new Inconclusive("control showed no ledger");
      return ledger;
    },
  };
}

const definedOf = (record: { readonly [name: string]: unknown }): object => Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));

async function send({ base, token }: PowerOver, wire: Wire, command: Command): Promise<Schemas["Done"]> {
  const request = {
    method: "POST",
    url: `${base}/control`,
    headers: [
      ["content-type", "application/json"],
      ["x-assay-control", token.open()],
    ],
    body: JSON.stringify(command),
  } as const;
  let answer: Awaited<ReturnType<Wire>>;
  try {
    answer = await wire(request, AbortSignal.timeout(deadline_ms));
  } catch (error) {
    throw new Inconclusive(`control didn't answer: ${(error as Error).message}`);
  }
  const text = new TextDecoder().decode(answer.body);
  if (answer.status !== 200) throw new Inconclusive(`control refused ${command.do} (HTTP ${answer.status}): ${text.slice(0, 200)}`);
  return JSON.parse(text) as Schemas["Done"];
}
