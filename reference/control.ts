// Commands of control: power over projects, clocks, chain and bundles (specs/control.yaml)
import { randomUUID } from "node:crypto";
import Big from "big.js";
import type { components } from "../specs/generated/control.ts";
import { controlCommand, type SchemaError } from "../specs/generated/controlValidator.js";
import { utcDayOf } from "./metering/calendar.ts";
import { deliverWebhooks, stream, use } from "./metering/meter.ts";
import { is32Bytes } from "./platform/base58.ts";
import { slotAt } from "./platform/chain.ts";
import { noCredits, UsageLedger } from "./platform/ledger.ts";
import { healthyIndexer, nowOf, type Project } from "./platform/project.ts";
import type { Rules } from "./platform/rules.ts";
import { exactFigures } from "./usage/document.ts";
import type { World } from "./world.ts";

type Schemas = components["schemas"];
type Command = Schemas["Command"];
type Done = Schemas["Done"];

/** Refused; nothing was changed. */
export class BadCommand extends Error {}

/** @throws BadCommand, with nothing changed, where the command is malformed or names no project. */
export function executeCommand(world: World, text: string, real_ms: number, rules: Rules): Done {
  const command = commandFrom(text);
  if (command.do === "makeProject") return { project: makeProject(world, command).id };
  const project = world.project(command.project);
  if (!project) throw new BadCommand(`there is no project ${command.project}`);
  const now_ms = nowOf(project, real_ms);
  switch (command.do) {
    case "moveClock":
      project.clock = { standsAt_ms: instant(command.to) };
      return {};
    case "consume":
      consume(project, command, now_ms);
      return {};
    case "stream":
      stream(project, now_ms, command.stream, command.bytes, rules);
      return {};
    case "deliverWebhooks":
      deliverWebhooks(project, now_ms, command.count, command.attempts ?? 1, rules);
      return {};
    case "setBillingData":
      project.billingData = command.present ? "present" : "missing";
      return {};
    case "changePlan":
      project.plan = command.plan;
      if (rules.planChange === "begins a cycle") project.billingAnchor = utcDayOf(now_ms);
      return {};
    case "revokeKey":
      revoke(project, command.value);
      return {};
    case "setIndexer": {
      const { behindBy, mayBeBehindBy = project.indexer.mayBeBehindBy } = command;
      project.indexer = { behindBy, mayBeBehindBy, worst: Math.max(behindBy, project.indexer.worst) };
      return {};
    }
    case "failWith":
      if (command.cause === "none") project.faults.delete(command.method);
      else project.faults.set(command.method, command.cause);
      return {};
    case "writeTokenAccounts":
      return { slot: writeTokenAccounts(world, command, real_ms) };
    case "seedAccounts":
      for (const { address, lamports } of command.accounts) world.book.bank.seed(address, BigInt(lamports));
      return {};
    case "readBalances":
      world.book.settle(real_ms, rules.rpc.bundles);
      return { balances: command.addresses.map((address) => world.book.bank.balanceOf(address)?.toString() ?? null) };
    case "moveBundles":
      world.book.move(project.id, command.by_ms);
      return {};
    case "spoilBundle":
      if (!world.book.spoil(command.bundle, "Custom")) throw new BadCommand(`there is no bundle ${command.bundle}`);
      return {};
    case "readRoutes":
      return { routes: world.book.routesOf(project.id).map(({ id, route }) => ({ bundle: id, ...route })) };
    case "readLedger":
      return { ledger: ledgerOf(project, now_ms) };
  }
}

function consume(project: Project, command: Schemas["Consume"], now_ms: number): void {
  const { product, credits, times = 1, pool } = command;
  const amount = new Big(credits);
  if (pool === "prepaid" && amount.times(times).gt(project.ledger.prepaidLeft))
    throw new BadCommand("there aren't so many prepaid credits");
  const isStream = product === "streamGrpc" || product === "streamWebsocket";
  for (let done = 0; done < times; done += 1)
    use(project, now_ms, { product, credits: amount, requests: isStream ? 0 : 1, ...(pool ? { pool } : {}) });
}

function revoke(project: Project, value: string): void {
  const key = project.keys.find((one) => one.value === value);
  if (!key) throw new BadCommand("the project has no such key");
  key.isRevoked = true;
}

/** Exact, whatever the rules in force. */
function ledgerOf(project: Project, now_ms: number): NonNullable<Done["ledger"]> {
  const { used, prepaidUsed, prepaidRemaining, products } = exactFigures(project, now_ms);
  const credits = Object.fromEntries(Object.entries(products).map(([product, amount]) => [product, amount.toFixed()]));
  return {
    used: used.toFixed(),
    prepaidUsed: prepaidUsed.toFixed(),
    prepaidRemaining: prepaidRemaining.toFixed(),
    credits,
  };
}

function commandFrom(text: string): Command {
  let command: unknown;
  try {
    command = JSON.parse(text);
  } catch {
    throw new BadCommand("the command isn't valid JSON");
  }
  if (!controlCommand(command)) {
    const error = errorOf(command);
    throw new BadCommand(
      `the command doesn't fit specs/control.yaml: ${error?.instancePath ?? ""} ${error?.message ?? ""}`,
    );
  }
  return command as Command;
}

/** Of the errors of all commands, the one of the named command. */
function errorOf(command: unknown): SchemaError | undefined {
  const named = typeof command === "object" && command !== null && "do" in command ? String(command.do) : "";
  const errors = controlCommand.errors ?? [];
  return (
    errors.find(({ schemaPath }) => schemaPath.toLowerCase().includes(`/$defs/${named.toLowerCase()}/`)) ?? errors[0]
  );
}

/** @throws BadCommand for an instant that doesn't exist */
function instant(text: string): number {
  const time_ms = Date.parse(text);
  // The interface's dates have years of four digits, and cycles reach a year ahead.
  if (
    text < "1000" ||
    text >= "9998" ||
    Number.isNaN(time_ms) ||
    new Date(time_ms).toISOString().slice(0, 19) !== text.slice(0, 19)
  )
    throw new BadCommand(`${text} is no instant`);
  return time_ms;
}

function writeTokenAccounts({ chain }: World, { accounts }: Schemas["WriteTokenAccounts"], real_ms: number): number {
  const slot = slotAt(real_ms);
  const written = accounts.map((account) => {
    const { address, mint, owner, delegate = null } = account;
    const amount = BigInt(account.amount);
    const delegatedAmount = BigInt(account.delegatedAmount ?? "0");
    if (amount >= 2n ** 64n || delegatedAmount >= 2n ** 64n) throw new BadCommand("an amount is below 2^64");
    for (const key of [address, mint, owner, delegate])
      if (key !== null && !is32Bytes(key)) throw new BadCommand(`${key} isn't 32 bytes`);
    return { address, mint, owner, amount, delegate, delegatedAmount, frozen: account.frozen ?? false, slot };
  });
  chain.write(written);
  return slot;
}

function makeProject(world: World, command: Schemas["MakeProject"]): Project {
  const {
    plan,
    billingAnchor,
    createdOn = billingAnchor,
    standsAt,
    invoicing = "monthly",
    prepaid,
    admin = "enabled",
    keys,
  } = command;
  for (const day of [billingAnchor, createdOn]) instant(`${day}T00:00:00Z`);
  for (const { value } of keys) if (world.holderOf(value)) throw new BadCommand("a key of that value exists already");
  if (new Set(keys.map(({ value }) => value)).size < keys.length) throw new BadCommand("a key is named twice");
  const project: Project = {
    id: randomUUID(),
    name: plan.name,
    plan,
    billingAnchor,
    createdOn,
    invoicing,
    admin,
    billingData: "present",
    clock: { standsAt_ms: instant(standsAt) },
    keys: keys.map(({ value, allowedAddresses = null }) => ({ value, allowedAddresses })),
    ledger: new UsageLedger(prepaid === undefined ? noCredits : new Big(prepaid)),
    indexer: healthyIndexer,
    faults: new Map(),
  };
  world.add(project);
  return project;
}
