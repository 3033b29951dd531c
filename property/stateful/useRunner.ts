// How is a command carried out on a platform, and does what comes back agree with the model?
import { idsLike } from "../../contracts/bundles/bundleIds.ts";
import { accepted, bundle, statuses, transactions } from "../../contracts/bundles/requests.ts";
import { baselineRequests } from "../../contracts/jsonrpc/baselineRequests.ts";
import { resultOf } from "../../contracts/shared/jsonRpcOracles.ts";
import { usage } from "../../contracts/shared/stimuli.ts";
import { walletBaseline } from "../../contracts/wallet/requests.ts";
import { type Json, valueAt } from "../../harness/core/json.ts";
import type { Asker, Stimulus } from "../../harness/core/stimulus.ts";
import { type CheckContext, Withheld } from "../../harness/model/check.ts";
import type { MadeProject } from "../../harness/transport/control.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { isServed, outcomeOf, rpcErrorOf } from "../../harness/transport/jsonRpc.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import type { ChargeWait } from "./chargeWait.ts";
import { type Command, dayAfter } from "./command.ts";
import { ModelViolation } from "./modelViolation.ts";
import {
  bought,
  called,
  consumed,
  type KeyName,
  landed,
  movedTo,
  mustHaveStatus,
  type ProjectName,
  projectNames,
  projectOf,
  projects,
  type SentBundle,
  type State,
  sentBundle,
  withSlot,
} from "./state.ts";
import type { Runner } from "./statefulTest.ts";
import { wrongIn } from "./usageOracle.ts";

type Doing<What extends Command["do"]> = Extract<Command, { readonly do: What }>;

/** So long that whatever nothing hinders has landed, and is told of at whichever stage. */
const landing_ms = 15_000;

const walletOperations = {
  balances: "getWalletBalances",
  history: "getWalletHistory",
  identity: "getWalletIdentity",
} as const;

/** Ids of a call (§8). */
const mostIds = 5;

/** One sequence on one platform: its projects are made where they are first used. */
export class UseRunner implements Runner<Command, State> {
  readonly #context: CheckContext;
  readonly #chargeWait: ChargeWait;
  readonly #made = new Map<ProjectName, MadeProject>();
  #asked = 0;
  #last: Exchange | null = null;
  /** What was carried out, in order. */
  readonly ran: Command[] = [];

  constructor(context: CheckContext, chargeWait: ChargeWait) {
    this.#context = context;
    this.#chargeWait = chargeWait;
  }

  /** @returns what the model knows then. @throws ModelViolation, or Withheld where an answer can't be judged */
  async run(command: Command, state: State): Promise<State> {
    this.ran.push(command);
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
      case "lookUp": {
        const sent = [...state[projectOf(command.as)].bundles].reverse();
        return this.#look(
          command.as,
          command.bundles.map((one) =>
            "unknown" in one ? this.#unknownId(one.unknown) : (sent[one.sent] as SentBundle).id,
          ),
          state,
        );
      }
    }
  }

  /** The last answer; where nothing was asked yet, a read. */
  async last(state: State): Promise<Exchange> {
    if (!this.#last) await this.#read({ do: "read", as: "main", keyIn: "header" }, state);
    return this.#last as unknown as Exchange; // What was read just now.
  }

  async #survey(begun: State): Promise<State> {
    let state = begun;
    for (const name of projectNames.filter((one) => this.#made.has(one))) {
      if (state[name].bundles.some(({ landings }) => landings === 0)) state = await this.#land(name, state);
      const told = state[name].bundles.filter(mustHaveStatus).map(({ id }) => id);
      for (let from = 0; from < told.length; from += mostIds)
        state = await this.#look(projects[name].keys[0], told.slice(from, from + mostIds), state);
      for (const as of projects[name].keys) state = await this.#read({ do: "read", as, keyIn: "header" }, state);
    }
    return state;
  }

  async #project(name: ProjectName, state: State): Promise<MadeProject> {
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

  /** Whose key it is on the platform. */
  async asker(key: KeyName, state: State): Promise<Asker> {
    const { asker, others } = await this.#project(projectOf(key), state);
    return key === "mainToo" ? (others[0] ?? asker) : asker;
  }

  async #ask(stimulus: Stimulus): Promise<Exchange> {
    this.#asked += 1;
    this.#last = await this.#context.ask({ ...stimulus, again: this.#asked });
    return this.#last;
  }

  async #read({ as, keyIn }: Doing<"read">, before: State): Promise<State> {
    const asker = await this.asker(as, before);
    let state = before;
    const readOnce = async () => {
      const exchange = await this.#ask(usage({ as: asker, keyIn }));
      if (exchange.answer?.status === 400 || exchange.answer?.status === 401)
        throw new ModelViolation(ownKey(as, keyIn, "ADM"), exchange, "status", "200", exchange.answer.status);
      if (exchange.answer?.status !== 200) throw new Withheld(`hidden: usage drew ${outcomeOf(exchange)}`);
      // Reading may be usage itself.
      state = called(state, as, "unshown");
      return wrongIn(exchange, state, as, this.#context.target.rounding);
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

  async #wallet({ as, keyIn, call }: Doing<"wallet">, state: State): Promise<State> {
    const exchange = await this.#ask(
      walletBaseline(walletOperations[call]).ask({ as: await this.asker(as, state), keyIn }),
    );
    if (call === "identity" && projects[projectOf(as)].plan === "free") {
      if (isServed(exchange))
        throw new ModelViolation("WAL-FREE-01", exchange, "status", "403", exchange.answer?.status);
      return called(state, as, "refusedWallet");
    }
    if (exchange.answer?.status === 401)
      throw new ModelViolation(ownKey(as, keyIn, "WAL"), exchange, "status", "200", 401);
    if (!isServed(exchange)) throw new Withheld(`hidden: ${call} drew ${outcomeOf(exchange)}`);
    return called(state, as, "wallet");
  }

  async #rpc({ as, method }: Doing<"rpc">, state: State): Promise<State> {
    const good = baselineRequests.find((one) => one.method === method);
    if (!good) throw new Error(`no good request of ${method}`);
    rightKey(await this.#ask(good.ask({ as: await this.asker(as, state) })));
    return called(state, as, good.errorTable === "compression" ? "compression" : "unshown");
  }

  async #refused({ how }: Doing<"refused">, state: State): Promise<State> {
    const { asker, others } = await this.#project("main", state);
    const balances = walletBaseline("getWalletBalances");
    const tries: { readonly [H in typeof how]: readonly [Stimulus, RequirementId] } = {
      usageByUnknownKey: [usage({ as: "unknownKey", of: asker }), "AUTH-ADM-UNKN-01"],
      usageByAnonymous: [usage({ as: "anonymous", of: asker }), "AUTH-ADM-MISS-01"],
      usageByOther: [usage({ as: await this.asker("other", state), of: asker }), "AUTH-ADM-OWN-01"],
      walletByUnknownKey: [balances.ask({ as: "unknownKey" }), "AUTH-WAL-MISS-01"],
      walletByAnonymous: [balances.ask({ as: "anonymous" }), "AUTH-WAL-MISS-01"],
      walletByBlocked: [balances.ask({ as: others.at(-1) ?? asker }), "AUTH-IP-01"],
    };
    const [stimulus, about] = tries[how];
    const exchange = await this.#ask(stimulus);
    if (isServed(exchange)) throw new ModelViolation(about, exchange, "status", "a refusal", exchange.answer?.status);
    if (how === "usageByOther") return called(state, "other", "unshown");
    return how === "walletByBlocked" ? called(state, "main", "refusedWallet") : state;
  }

  async #pass({ project: name, how }: Doing<"pass">, state: State): Promise<State> {
    const project = await this.#project(name, state);
    const day = dayAfter(state, name, how);
    // The first and the last half minute of a cycle are where it shows whose days they are.
    await project.moveClock(
      `${day}T${{ "a day": "12:00:00", "to the cycle's last day": "23:59:30", "to the next cycle": "00:00:30" }[how]}Z`,
    );
    return movedTo(state, name, day);
  }

  async #send({ as }: Doing<"send">, state: State): Promise<State> {
    const asker = await this.asker(as, state);
    const exchange = await this.#ask(bundle(transactions(this.#context.target, {}), { as: asker, encoding: "base64" }));
    rightKey(exchange);
    return called(sentBundle(state, projectOf(as), accepted(exchange)), as, "unshown");
  }

  async #land(name: ProjectName, state: State): Promise<State> {
    await (await this.#project(name, state)).moveBundles(landing_ms);
    return landed(state, name);
  }

  async #look(as: KeyName, ids: readonly string[], before: State): Promise<State> {
    const asker = await this.asker(as, before);
    const name = projectOf(as);
    let state = before;
    const lookOnce = async (): Promise<ModelViolation | null> => {
      const exchange = await this.#ask(statuses([[...ids]], { as: asker }));
      rightKey(exchange);
      state = called(state, as, "unshown");
      const entries = resultOf(exchange, "/value");
      if (!Array.isArray(entries)) throw new Withheld("hidden: value is no list");
      if (entries.length !== ids.length)
        return new ModelViolation(
          "BST-ALIGN-01",
          exchange,
          "/result/value",
          `${ids.length} entries, one for each id`,
          entries.length,
        );
      for (const [place, id] of ids.entries()) {
        const known = state[name].bundles.find((one) => one.id === id);
        const entry = entries[place] as Json;
        const wrong = known
          ? strangeEntry(exchange, place, known, entry)
          : entry === null
            ? null
            : new ModelViolation("BST-NULL-01", exchange, `/result/value/${place}`, "null", entry);
        if (wrong) return wrong;
        const slot = valueAt(entry, "/slot");
        if (typeof slot === "number") state = withSlot(state, name, id, slot);
      }
      return null;
    };
    // One of several machines may not know of a bundle yet.
    const wrong = (await lookOnce()) && (await lookOnce());
    if (wrong) throw wrong;
    return state;
  }

  #unknownId(nth: number): string {
    const [sample] = (this.#context.target.samples["landedBundles"] ?? []) as readonly string[];
    const id = sample === undefined ? undefined : idsLike(sample, nth + 1)?.[nth];
    if (id === undefined) throw new Withheld("the form of ids isn't known to us, so that no unknown one can be made");
    return id;
  }
}

/** Which row says that a project's own key is good there. */
function ownKey(key: KeyName, keyIn: "header" | "query", where: "ADM" | "WAL"): RequirementId {
  if (key === "mainToo" && where === "ADM") return "AUTH-ADM-OWN-04";
  return `AUTH-${where}-${keyIn === "header" ? "HDR" : "QRY"}-01`;
}

function rightKey(exchange: Exchange): void {
  if (isServed(exchange)) return;
  if (rpcErrorOf(exchange)?.code === -32001)
    throw new ModelViolation("AUTH-RPC-QRY-01", exchange, "/error", "a result: the key is good", outcomeOf(exchange));
  throw new Withheld(`hidden: ${exchange.stimulus.operation} drew ${outcomeOf(exchange)}`);
}

/** A bundle that was sent: once it must have landed it is told of, always by its own id and in the same slot. */
function strangeEntry(exchange: Exchange, place: number, known: SentBundle, entry: Json): ModelViolation | null {
  const at = `/result/value/${place}`;
  if (entry === null)
    return mustHaveStatus(known)
      ? new ModelViolation("BST-ALIGN-01", exchange, at, "the status of a bundle that was sent and has landed", entry)
      : null;
  if (valueAt(entry, "/bundle_id") !== known.id)
    return new ModelViolation(
      "BST-ALIGN-01",
      exchange,
      `${at}/bundle_id`,
      JSON.stringify(known.id),
      valueAt(entry, "/bundle_id"),
    );
  const slot = valueAt(entry, "/slot");
  return known.slot !== null && slot !== known.slot
    ? new ModelViolation("BST-SLOT-02", exchange, `${at}/slot`, String(known.slot), slot)
    : null;
}
