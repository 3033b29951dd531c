// Checks of execution, with control of accounts and time: order, all or nothing, true statuses (§2.5, §3, §4.3)
import { broken, held } from "../../harness/core/finding.ts";
import { type Json, valueAt } from "../../harness/core/json.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import { type Check, type CheckContext, type Shown } from "../../harness/model/check.ts";
import { isServed } from "../../harness/transport/answers.ts";
import type { MadeProject } from "../../harness/transport/control.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { forFeature } from "../shared/forFeature.ts";
import { resultOf } from "../shared/jsonRpcOracles.ts";
import { masked, served } from "../shared/masked.ts";
import {
  accepted,
  bundle,
  feature,
  sending,
  simulate,
  statuses,
  transactions,
  type Wanted,
  written,
} from "./requests.ts";
import { type Payer, payerNamed, type Transfer } from "./transactions.ts";

const { scenario } = forFeature(feature);

/** Long enough for any bundle to be final. */
const finality_ms = 60_000;

let scenes = 0;

/** New accounts with these balances. */
async function accounts(project: MadeProject, ...lamports: readonly number[]): Promise<readonly Payer[]> {
  scenes += 1;
  const payers = lamports.map((_, nth) => payerNamed(`scene ${scenes} account ${nth}`));
  await project.seedAccounts(payers.map(({ address }, nth) => ({ address, lamports: String(lamports[nth]) })));
  return payers;
}

async function balances(project: MadeProject, payers: readonly Payer[]): Promise<readonly number[]> {
  const found = await project.balances(payers.map(({ address }) => address));
  return found.map(Number);
}

const moving = (from: Payer, to: Payer, lamports: number): Transfer => ({
  from,
  to: to.publicKey,
  lamports: BigInt(lamports),
});

/** A bundle with one transfer per transaction; the target's payer tips in the last. */
async function run(
  context: CheckContext,
  project: MadeProject,
  transfers: readonly Transfer[],
): Promise<Shown["exchange"]> {
  const wanted: Wanted = { count: transfers.length, transfers: transfers.map((one) => [one]) };
  const exchange = await context.ask(bundle(transactions(context.target, wanted), { as: project.asker, id: 60 }));
  await project.moveBundles(finality_ms);
  return exchange;
}

const ended = (
  exchange: Shown["exchange"],
  got: readonly number[],
  expected: readonly number[],
  why: string,
): Shown => {
  const isSame = got.length === expected.length && got.every((lamports, nth) => lamports === expected[nth]);
  return {
    exchange,
    finding: isSame ? held : broken("the balances", `${expected.join(", ")}: ${why}`, got.join(", ")),
  };
};

const idOf = (exchange: Shown["exchange"]): string => {
  const id = resultOf(exchange);
  return typeof id === "string" ? id : "";
};

const atomic = scenario(
  "BND-ATOM-01",
  sending([{ count: 3 }, { count: 3 }, { count: 3 }, { count: 2 }], [], { control: { reads: 4 } }),
  async (context) => {
    const project = await context.project();
    const shown: Shown[] = [];
    // The second, the last, and the first transaction fails; whether such a bundle is refused at once or later is open.
    for (const amounts of [
      [100, 5_000, 100],
      [100, 100, 5_000],
      [5_000, 100, 100],
    ] as const) {
      const [a, b] = await accounts(project, 1_000, 0);
      if (!a || !b) throw new Withheld("no accounts were made");
      const exchange = await run(
        context,
        project,
        amounts.map((lamports) => moving(a, b, lamports)),
      );
      await context.ask(statuses([[idOf(exchange)]], { as: project.asker, id: 61 + shown.length }));
      shown.push(
        ended(exchange, await balances(project, [a, b]), [1_000, 0], "one transaction failed, so none took effect"),
      );
    }
    const [a, b] = await accounts(project, 1_000, 0);
    if (!a || !b) throw new Withheld("no accounts were made");
    const whole = await run(context, project, [moving(a, b, 100), moving(a, b, 200)]);
    accepted(whole);
    await context.ask(statuses([[accepted(whole)]], { as: project.asker, id: 65 }));
    const after = await balances(project, [a, b]);
    if (after[1] !== 300) throw new Withheld("a bundle without a failing transaction takes no effect either");
    return shown;
  },
);

/** The second transaction spends what the first brings. */
const sequential = scenario(
  "BND-SEQ-01",
  sending([{ count: 2 }, { count: 2 }], [], { control: { reads: 2 } }),
  async (context) => {
    const project = await context.project();
    const [a, b, c] = await accounts(project, 1_000, 0, 0);
    if (!a || !b || !c) throw new Withheld("no accounts were made");
    const exchange = await run(context, project, [moving(a, b, 500), moving(b, c, 400)]);
    await context.ask(statuses([[accepted(exchange)]], { as: project.asker, id: 66 }));
    const forward = ended(
      exchange,
      await balances(project, [a, b, c]),
      [500, 100, 400],
      "the second spends what the first brings",
    );
    const [d, e, f] = await accounts(project, 1_000, 0, 0);
    if (!d || !e || !f) throw new Withheld("no accounts were made");
    const turned = await run(context, project, [moving(e, f, 400), moving(d, e, 500)]);
    if (isServed(turned)) await context.ask(statuses([[accepted(turned)]], { as: project.asker, id: 67 }));
    return [
      forward,
      ended(turned, await balances(project, [d, e, f]), [1_000, 0, 0], "the first has nothing to spend yet"),
    ];
  },
);

const harmless = scenario("SIM-SAFE-01", sending([], [], { control: { reads: 2 } }), async (context) => {
  const project = await context.project();
  const [a, b] = await accounts(project, 1_000, 0);
  if (!a || !b) throw new Withheld("no accounts were made");
  const signed = transactions(context.target, { transfers: [[moving(a, b, 100)]] });
  const exchange = await context.ask(
    simulate([signed.map((one) => written(one, "base64")), { encoding: "base64" }], { as: project.asker, id: 68 }),
  );
  served(exchange, "the simulation");
  await project.moveBundles(finality_ms);
  // The reference advances its bundles when it is called.
  await context.ask(statuses([["0".repeat(64)]], { as: project.asker, id: 69 }));
  return [ended(exchange, await balances(project, [a, b]), [1_000, 0], "simulating submits nothing")];
});

/** One bundle at several moments of its life. */
const watched = (
  ids: RequirementId | readonly RequirementId[],
  reads: number,
  see: (context: CheckContext, life: Life) => Promise<readonly Shown[]>,
): Check =>
  scenario(ids, sending([{ count: 3 }], [], { control: { reads } }), async (context) => {
    const project = await context.project();
    const signed = transactions(context.target, { count: 3 });
    const id = accepted(await context.ask(bundle(signed, { as: project.asker, id: 70 })));
    let callId = 70;
    const status = async (): Promise<Shown["exchange"]> => {
      callId += 1;
      return served(await context.ask(statuses([[id]], { as: project.asker, id: callId })), "the bundle's status");
    };
    return see(context, { id, project, status, signatures: signed.map(({ signature }) => signature) });
  });

interface Life {
  readonly id: string;
  readonly project: MadeProject;
  readonly signatures: readonly string[];
  status(): Promise<Shown["exchange"]>;
}

const entryOf = (exchange: Shown["exchange"]): Json | undefined => resultOf(exchange, "/value/0");

/** @throws Withheld where it hasn't landed */
function landed(exchange: Shown["exchange"]): Json {
  const entry = entryOf(exchange);
  if (typeof entry !== "object" || entry === null) throw masked("the bundle that was sent has no status");
  return entry;
}

const notYet = watched("BST-NULL-02", 2, async (_, { status, project }) => {
  const before = await status();
  await project.moveBundles(finality_ms);
  landed(await status());
  if (entryOf(before) === undefined) throw masked("there is no entry");
  return [
    {
      exchange: before,
      finding: entryOf(before) === null ? held : broken("/result/value/0", "null: it hasn't landed", entryOf(before)),
    },
  ];
});

const tracked = watched("BND-USE-01", 1, async (_, { id, status, project }) => {
  await project.moveBundles(finality_ms);
  const exchange = await status();
  return [
    {
      exchange,
      finding:
        entryOf(exchange) === null ? broken("/result/value/0", `the status of ${id}, which has landed`, null) : held,
    },
  ];
});

const itsOwn = watched("BST-SIG-01", 1, async (_, { status, project, signatures }) => {
  await project.moveBundles(finality_ms);
  const exchange = await status();
  const listed = valueAt(landed(exchange), "/transactions");
  if (!Array.isArray(listed) || !listed.every((one) => typeof one === "string"))
    throw masked("its transactions are not a list of strings");
  const isExact = listed.length === signatures.length && signatures.every((one) => listed.includes(one));
  return [
    { exchange, finding: isExact ? held : broken("/result/value/0/transactions", signatures.join(", "), listed) },
  ];
});

const failed = watched("BST-ELT-07", 2, async (_, { id, status, project }) => {
  await project.moveBundles(finality_ms);
  landed(await status());
  await project.spoilBundle(id);
  const exchange = await status();
  const err = valueAt(landed(exchange), "/err");
  const claimsOk = typeof err === "object" && err !== null && valueAt(err, "/Ok") === null;
  return [
    { exchange, finding: claimsOk ? broken("/result/value/0/err", "an error that doesn't claim Ok", err) : held },
  ];
});

const succeeded = watched("BST-ELT-06", 1, async (_, { status, project }) => {
  await project.moveBundles(finality_ms);
  const exchange = await status();
  const err = valueAt(landed(exchange), "/err");
  if (typeof err !== "object" || err === null || Array.isArray(err)) throw masked("err is not an object");
  const isOk = valueAt(err, "/Ok") === null;
  return [{ exchange, finding: isOk ? held : broken("/result/value/0/err", '{"Ok": null}: nothing failed', err) }];
});

const slotOf = (exchange: Shown["exchange"], at: "/value/0/slot" | "/context/slot"): number => {
  const slot = resultOf(exchange, at);
  if (typeof slot !== "number") throw masked("a slot is not a number");
  return slot;
};

/** Longer than a slot takes. */
const slots_ms = 2_000;

const requestSlotMoves = watched(["BST-CTX-01"], 2, async (context, { status, project }) => {
  await project.moveBundles(finality_ms);
  const first = await status();
  landed(first);
  await context.wait(slots_ms);
  const second = await status();
  const [a, b] = [slotOf(first, "/context/slot"), slotOf(second, "/context/slot")];
  return [
    { exchange: second, finding: b > a ? held : broken("/result/context/slot", `beyond ${a}: time has passed`, b) },
  ];
});

const fixed: (context: CheckContext, life: Life) => Promise<readonly Shown[]> = async (
  context,
  { status, project },
) => {
  await project.moveBundles(finality_ms);
  const first = await status();
  landed(first);
  await context.wait(slots_ms);
  const second = await status();
  const [a, b] = [slotOf(first, "/value/0/slot"), slotOf(second, "/value/0/slot")];
  const finding = a === b ? held : broken("/result/value/0/slot", `${a}, as before`, b);
  return [{ exchange: second, finding }];
};

/** On vendors other checks show these with bundles and samples. */
const alsoWithoutControl = [tracked, itsOwn, succeeded, watched("BST-SLOT-02", 2, fixed)].map((one) => ({
  ...one,
  optional: true,
}));

export const checks: readonly Check[] = [
  atomic,
  sequential,
  harmless,
  notYet,
  failed,
  requestSlotMoves,
  ...alsoWithoutControl,
];
