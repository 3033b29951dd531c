// Runs commands of use on a platform and compares the answers with the model

import { accepted, bundle, statuses, transactions } from "../../contracts/bundles/requests.ts";
import { notTested } from "../../contracts/shared/masked.ts";
import { usageRequest } from "../../contracts/shared/requestSpecs.ts";
import { walletBaseline } from "../../contracts/wallet/requests.ts";
import type { Asker, RequestSpec } from "../../harness/core/requestSpec.ts";
import type { CheckContext } from "../../harness/model/check.ts";
import { describeOutcome, isServed, rpcErrorOf } from "../../harness/transport/answers.ts";
import type { MadeProject } from "../../harness/transport/control.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { fateOf } from "../../harness/transport/fates.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { baselineOf } from "../arbitraries/envelopes.ts";
import { unknownId } from "../bundleLimits.ts";
import type { ChargeWait } from "./chargeWait.ts";
import { type CommandOf, dayAfter, type ModelCommand } from "./command.ts";
import {
  bought,
  called,
  consumed,
  type KeyName,
  landed,
  type ModelState,
  movedTo,
  mustHaveStatus,
  type ProjectName,
  projectNames,
  projectOfKey,
  projects,
  type SentBundle,
  sentBundle,
} from "./state.ts";
import { ModelViolation, type Runner } from "./statefulTest.ts";
import { comparedStatuses } from "./statusOracle.ts";
import { wrongIn } from "./usageOracle.ts";

/** By then a bundle has landed and has a status, whichever commitment the platform requires. */
const landing_ms = 15_000;

const walletOperations = {
  balances: "getWalletBalances",
  history: "getWalletHistory",
  identity: "getWalletIdentity",
} as const;

/** Ids of a status call (§8). */
const mostIds = 5;

/** Runs one sequence on one platform; makes projects when they are first used. */
export class UseRunner implements Runner<ModelCommand, ModelState> {
  readonly #context: CheckContext;
  readonly #chargeWait: ChargeWait;
  readonly #made = new Map<ProjectName, MadeProject>();
  #last: Exchange | null = null;

  constructor(context: CheckContext, chargeWait: ChargeWait) {
    this.#context = context;
    this.#chargeWait = chargeWait;
  }

  async run(command: ModelCommand, state: ModelState): Promise<ModelState> {
    switch (command.do) {
      case "read":
        return this.#read(command, state);
      case "wallet":
        return this.#wallet(command, state);
      case "rpc":
        return this.#rpc(command, state);
      case "refused":
        return this.#refused(command, state);
      case "survey":
        return this.#survey(state);
      case "consume":
        await (await this.#project(command.project, state)).consume(command.product, command.credits, {
          pool: command.pool,
        });
        return consumed(state, command.project, command.product, command.credits, command.pool);
      case "pass":
        return this.#pass(command, state);
      case "send":
        return this.#send(command, state);
      case "land":
        return this.#land(command.project, state);
      case "lookUp":
        return this.#lookUp(command.as, this.#idsIn(command, state), state);
    }
  }

  async last(state: ModelState): Promise<Exchange> {
    if (!this.#last) await this.#read({ do: "read", as: "main", keyIn: "header" }, state);
    return this.#last as unknown as Exchange; // What was read just now.
  }

  async #survey(begun: ModelState): Promise<ModelState> {
    let state = begun;
    for (const name of projectNames.filter((one) => this.#made.has(one))) {
      if (state[name].bundles.some(({ timesLanded }) => timesLanded === 0)) state = await this.#land(name, state);
      const withStatus = state[name].bundles.filter(mustHaveStatus).map(({ id }) => id);
      for (let from = 0; from < withStatus.length; from += mostIds)
        state = await this.#lookUp(projects[name].keys[0], withStatus.slice(from, from + mostIds), state);
      for (const as of projects[name].keys) state = await this.#read({ do: "read", as, keyIn: "header" }, state);
    }
    return state;
  }

  async #project(name: ProjectName, state: ModelState): Promise<MadeProject> {
    const known = this.#made.get(name);
    if (known) return known;
    const { plan, anchorDay, keys } = projects[name];
    const made = await this.#context.project({
      plan: { kind: plan },
      billingAnchor: `2024-06-${String(anchorDay).padStart(2, "0")}`,
      standsAt: `${state[name].today}T12:00:00Z`,
      prepaid: String(bought),
      keys: [...keys.slice(1).map(() => "open" as const), "blocked"],
    });
    this.#made.set(name, made);
    return made;
  }

  async asker(key: KeyName, state: ModelState): Promise<Asker> {
    const { asker, others } = await this.#project(projectOfKey(key), state);
    return key === "mainToo" ? (others[0] ?? asker) : asker;
  }

  async #ask(requestSpec: RequestSpec): Promise<Exchange> {
    this.#last = await this.#context.ask(this.#context.fresh(requestSpec));
    return this.#last;
  }

  async #read({ as, keyIn }: CommandOf<"read">, before: ModelState): Promise<ModelState> {
    const asker = await this.asker(as, before);
    let state = before;
    const readOnce = async () => {
      const exchange = await this.#ask(usageRequest({ as: asker, keyIn }));
      if (exchange.answer?.status === 400 || exchange.answer?.status === 401)
        throw new ModelViolation(ownKey(as, keyIn, "ADM"), exchange, "status", "200", exchange.answer.status);
      if (exchange.answer?.status !== 200) throw notTested(`usage ${fateOf(exchange)}`);
      // Whether reads count is unspecified.
      state = called(state, as, "unspecified");
      return wrongIn(exchange, state, as, this.#context.target);
    };
    let wrong = await readOnce();
    if (!wrong) return state;
    let waited_ms = 0;
    for (const wait_ms of this.#chargeWait.waits()) {
      await this.#context.wait(wait_ms);
      waited_ms += wait_ms;
      wrong = await readOnce();
      if (!wrong) break;
    }
    this.#chargeWait.learn(wrong ? null : waited_ms);
    if (wrong) throw wrong;
    return state;
  }

  async #wallet({ as, keyIn, call }: CommandOf<"wallet">, state: ModelState): Promise<ModelState> {
    const exchange = await this.#ask(
      walletBaseline(walletOperations[call]).ask({ as: await this.asker(as, state), keyIn }),
    );
    if (call === "identity" && projects[projectOfKey(as)].plan === "free") {
      if (isServed(exchange))
        throw new ModelViolation("WAL-FREE-01", exchange, "status", "403", exchange.answer?.status);
      return called(state, as, "refusedWallet");
    }
    if (exchange.answer?.status === 401)
      throw new ModelViolation(ownKey(as, keyIn, "WAL"), exchange, "status", "200", 401);
    if (!isServed(exchange)) throw notTested(`${call} ${fateOf(exchange)}`);
    return called(state, as, "wallet");
  }

  async #rpc({ as, method }: CommandOf<"rpc">, state: ModelState): Promise<ModelState> {
    const { ask, errorTable } = baselineOf(method);
    rightKey(await this.#ask(ask({ as: await this.asker(as, state) })));
    return called(state, as, errorTable === "compression" ? "compression" : "unspecified");
  }

  async #refused({ how }: CommandOf<"refused">, state: ModelState): Promise<ModelState> {
    const { asker, others } = await this.#project("main", state);
    const balances = walletBaseline("getWalletBalances");
    const tries: { readonly [H in typeof how]: readonly [RequestSpec, RequirementId] } = {
      usageByUnknownKey: [usageRequest({ as: "unknownKey", of: asker }), "AUTH-ADM-UNKN-01"],
      usageByAnonymous: [usageRequest({ as: "anonymous", of: asker }), "AUTH-ADM-MISS-01"],
      usageByOther: [usageRequest({ as: await this.asker("other", state), of: asker }), "AUTH-ADM-OWN-01"],
      walletByUnknownKey: [balances.ask({ as: "unknownKey" }), "AUTH-WAL-MISS-01"],
      walletByAnonymous: [balances.ask({ as: "anonymous" }), "AUTH-WAL-MISS-01"],
      walletByBlocked: [balances.ask({ as: others.at(-1) ?? asker }), "AUTH-IP-01"],
    };
    const [requestSpec, about] = tries[how];
    const exchange = await this.#ask(requestSpec);
    if (isServed(exchange)) throw new ModelViolation(about, exchange, "status", "a refusal", exchange.answer?.status);
    if (how === "usageByOther") return called(state, "other", "unspecified");
    return how === "walletByBlocked" ? called(state, "main", "refusedWallet") : state;
  }

  async #pass({ project: name, how }: CommandOf<"pass">, state: ModelState): Promise<ModelState> {
    const project = await this.#project(name, state);
    const day = dayAfter(state, name, how);
    // Within half a minute of a cycle's edges, where wrong time zones show.
    await project.moveClock(
      `${day}T${{ "a day": "12:00:00", "to the cycle's last day": "23:59:30", "to the next cycle": "00:00:30" }[how]}Z`,
    );
    return movedTo(state, name, day);
  }

  async #send({ as }: CommandOf<"send">, state: ModelState): Promise<ModelState> {
    const asker = await this.asker(as, state);
    const signed = await transactions(this.#context, {});
    const exchange = await this.#ask(bundle(signed, { as: asker, encoding: "base64" }));
    rightKey(exchange);
    return called(sentBundle(state, projectOfKey(as), accepted(exchange)), as, "unspecified");
  }

  async #land(name: ProjectName, state: ModelState): Promise<ModelState> {
    await (await this.#project(name, state)).moveBundles(landing_ms);
    return landed(state, name);
  }

  async #lookUp(as: KeyName, ids: readonly string[], before: ModelState): Promise<ModelState> {
    const asker = await this.asker(as, before);
    const name = projectOfKey(as);
    let state = before;
    const lookUpOnce = async (): Promise<ModelViolation | null> => {
      const exchange = await this.#ask(statuses([[...ids]], { as: asker }));
      rightKey(exchange);
      const compared = comparedStatuses(exchange, ids, called(state, as, "unspecified"), name);
      state = compared.state;
      return compared.violation;
    };
    // One of several machines may not know of a bundle yet.
    const wrong = (await lookUpOnce()) && (await lookUpOnce());
    if (wrong) throw wrong;
    return state;
  }

  #idsIn({ as, bundles }: CommandOf<"lookUp">, state: ModelState): readonly string[] {
    const latestFirst = [...state[projectOfKey(as)].bundles].reverse();
    return bundles.map((sending) =>
      "unknown" in sending
        ? unknownId(this.#context.target, sending.unknown)
        : (latestFirst[sending.sent] as SentBundle).id,
    );
  }
}

/** The requirement that a project's own key is accepted there. */
function ownKey(key: KeyName, keyIn: "header" | "query", where: "ADM" | "WAL"): RequirementId {
  if (key === "mainToo" && where === "ADM") return "AUTH-ADM-OWN-04";
  return `AUTH-${where}-${keyIn === "header" ? "HDR" : "QRY"}-01`;
}

function rightKey(exchange: Exchange): void {
  if (isServed(exchange)) return;
  const outcome = describeOutcome(exchange);
  if (rpcErrorOf(exchange)?.code === -32001)
    throw new ModelViolation("AUTH-RPC-QRY-01", exchange, "/error", "a result, as the key is right", outcome);
  throw notTested(`${exchange.requestSpec.operation} got ${outcome}`);
}
