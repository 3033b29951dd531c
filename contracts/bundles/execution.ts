// Checks of execution, with control of accounts and time: order, all or nothing, true statuses (§2.5, §3, §4.3)
import { must } from "../../harness/core/finding.ts";
import { type Json, valueAt } from "../../harness/core/json.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import { type Check, type CheckContext, type Shown } from "../../harness/model/check.ts";
import type { MadeProject } from "../../harness/transport/control.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { resultOf } from "../shared/jsonRpcOracles.ts";
import { masked, served } from "../shared/masked.ts";
import { entryOf } from "./landed.ts";
import {
  accepted,
  bundle,
  scenario,
  sending,
  simulate,
  slots_ms,
  statuses,
  transactions,
  type Wanted,
  written,
} from "./requests.ts";
import { type Payer, payerNamed, type Signed, type Transfer } from "./transactions.ts";

/** Long enough for any bundle to be final. */
const finality_ms = 60_000;

const moving = (from: Payer, to: Payer, lamports: number): Transfer => ({
  from,
  to: to.publicKey,
  lamports: BigInt(lamports),
});

interface Scene {
  /** What the accounts have at the end; at the start the first has 1,000 lamports, the others nothing. */
  readonly leaves: readonly number[];
  readonly why: string;
  /** One transfer per transaction. */
  transfers(a: Payer, b: Payer, c: Payer): readonly Transfer[];
}

let scenes = 0;

/** What transfers between new accounts lead to, once `run` has sent them and time has passed. */
async function played(
  project: MadeProject,
  { leaves, why, transfers }: Scene,
  run: (transfers: readonly Transfer[]) => Promise<Exchange>,
): Promise<Shown> {
  scenes += 1;
  const account = (nth: number): Payer => payerNamed(`scene ${scenes} account ${nth}`);
  const [a, b, c] = [account(0), account(1), account(2)];
  const addresses = [a, b, c].slice(0, leaves.length).map(({ address }) => address);
  await project.seedAccounts(addresses.map((address, nth) => ({ address, lamports: nth === 0 ? "1000" : "0" })));
  const exchange = await run(transfers(a, b, c));
  const got = (await project.balances(addresses)).map(Number);
  const isSame = got.length === leaves.length && got.every((lamports, nth) => lamports === leaves[nth]);
  return { exchange, finding: must(isSame, "the balances", `${leaves.join(", ")}: ${why}`, got.join(", ")) };
}

/** Sends a bundle of the transfers, whose last transaction tips, and reads its status once it must have landed. */
const inBundle =
  (context: CheckContext, project: MadeProject, id: number) =>
  async (transfers: readonly Transfer[]): Promise<Exchange> => {
    const wanted: Wanted = { count: transfers.length, transfers: transfers.map((one) => [one]) };
    const signed = transactions(context.target, wanted);
    const exchange = await context.ask(bundle(signed, { as: project.asker, id: 60 }));
    await project.moveBundles(finality_ms);
    const sentId = resultOf(exchange);
    if (typeof sentId === "string") await context.ask(statuses([[sentId]], { as: project.asker, id }));
    return exchange;
  };

const atomic = scenario(
  "BND-ATOM-01",
  sending([{ count: 3 }, { count: 3 }, { count: 3 }, { count: 2 }], [], { control: { reads: 4 } }),
  async (context) => {
    const project = await context.project();
    const shown: Shown[] = [];
    // The second, the last, and the first transaction fails; whether such a bundle is refused at once or later is open.
    for (const [nth, amounts] of [
      [100, 5_000, 100],
      [100, 100, 5_000],
      [5_000, 100, 100],
    ].entries()) {
      const scene: Scene = {
        leaves: [1_000, 0],
        why: "one transaction failed, so none took effect",
        transfers: (a, b) => amounts.map((lamports) => moving(a, b, lamports)),
      };
      shown.push(await played(project, scene, inBundle(context, project, 61 + nth)));
    }
    const possible: Scene = {
      leaves: [700, 300],
      why: "no transaction failed",
      transfers: (a, b) => [moving(a, b, 100), moving(a, b, 200)],
    };
    const whole = await played(project, possible, inBundle(context, project, 65));
    accepted(whole.exchange);
    if (whole.finding.outcome === "broken")
      throw new Withheld("a bundle without a failing transaction takes no effect either");
    return shown;
  },
);

const sequential = scenario(
  "BND-SEQ-01",
  sending([{ count: 2 }, { count: 2 }], [], { control: { reads: 2 } }),
  async (context) => {
    const project = await context.project();
    const inOrder: Scene = {
      leaves: [500, 100, 400],
      why: "the second spends what the first brings",
      transfers: (a, b, c) => [moving(a, b, 500), moving(b, c, 400)],
    };
    const forward = await played(project, inOrder, inBundle(context, project, 66));
    accepted(forward.exchange);
    const turned: Scene = {
      leaves: [1_000, 0, 0],
      why: "the first has nothing to spend yet",
      transfers: (a, b, c) => [moving(b, c, 400), moving(a, b, 500)],
    };
    return [forward, await played(project, turned, inBundle(context, project, 67))];
  },
);

const harmless = scenario("SIM-SAFE-01", sending([], [], { control: { reads: 2 } }), async (context) => {
  const project = await context.project();
  const scene: Scene = {
    leaves: [1_000, 0],
    why: "simulating submits nothing",
    transfers: (a, b) => [moving(a, b, 100)],
  };
  const inSimulation = async (transfers: readonly Transfer[]): Promise<Exchange> => {
    const texts = transactions(context.target, { transfers: [transfers] }).map((one) => written(one, "base64"));
    const exchange = await context.ask(simulate([texts, { encoding: "base64" }], { as: project.asker, id: 68 }));
    served(exchange, "the simulation");
    await project.moveBundles(finality_ms);
    // The reference advances its bundles when it is called.
    await context.ask(statuses([["0".repeat(64)]], { as: project.asker, id: 69 }));
    return exchange;
  };
  return [await played(project, scene, inSimulation)];
});

interface Life {
  readonly id: string;
  readonly project: MadeProject;
  readonly signed: readonly Signed[];
  status(): Promise<Exchange>;
  /** Its status once it must have landed. */
  lastStatus(): Promise<Exchange>;
}

/** One bundle at several moments of its life. */
const watched = (id: RequirementId, reads: number, see: (life: Life, context: CheckContext) => Promise<Shown>): Check =>
  scenario(id, sending([{ count: 3 }], [], { control: { reads } }), async (context) => {
    const project = await context.project();
    const signed = transactions(context.target, { count: 3 });
    const id = accepted(await context.ask(bundle(signed, { as: project.asker, id: 70 })));
    let callId = 70;
    const status = async (): Promise<Exchange> => {
      callId += 1;
      return served(await context.ask(statuses([[id]], { as: project.asker, id: callId })), "the bundle's status");
    };
    const lastStatus = async (): Promise<Exchange> => {
      await project.moveBundles(finality_ms);
      return status();
    };
    return [await see({ id, project, signed, status, lastStatus }, context)];
  });

/** @throws Withheld where it hasn't landed */
function landed(exchange: Exchange): Json {
  const entry = entryOf(exchange);
  if (typeof entry !== "object" || entry === null) throw masked("the bundle that was sent has no status");
  return entry;
}

const notYet = watched("BST-NULL-02", 2, async ({ status, lastStatus }) => {
  const exchange = await status();
  landed(await lastStatus());
  const entry = entryOf(exchange);
  if (entry === undefined) throw masked("there is no entry");
  return { exchange, finding: must(entry === null, "/result/value/0", "null: it hasn't landed", entry) };
});

const tracked = watched("BND-USE-01", 1, async ({ id, lastStatus }) => {
  const exchange = await lastStatus();
  const isKnown = entryOf(exchange) !== null;
  return { exchange, finding: must(isKnown, "/result/value/0", `the status of ${id}, which has landed`, null) };
});

const failed = watched("BST-ELT-07", 2, async ({ id, project, status, lastStatus }) => {
  landed(await lastStatus());
  await project.spoilBundle(id);
  const exchange = await status();
  const err = valueAt(landed(exchange), "/err");
  const claimsOk = valueAt(err, "/Ok") === null;
  return { exchange, finding: must(!claimsOk, "/result/value/0/err", "an error that doesn't claim Ok", err) };
});

/** The slot of a request, read twice, with more than a slot between. */
const ofRequest = watched("BST-CTX-01", 2, async ({ status, lastStatus }, context) => {
  const first = await lastStatus();
  landed(first);
  await context.wait(slots_ms);
  const exchange = await status();
  const [before, after] = [resultOf(first, "/context/slot"), resultOf(exchange, "/context/slot")];
  if (typeof before !== "number" || typeof after !== "number") throw masked("a slot is not a number");
  const expected = `beyond ${before}: time has passed`;
  return { exchange, finding: must(after > before, "/result/context/slot", expected, after) };
});

export const checks: readonly Check[] = [
  atomic,
  sequential,
  harmless,
  notYet,
  failed,
  ofRequest,
  // On vendors another check shows it.
  { ...tracked, optional: true },
];
