// Preflight: a request per base and key first of all, so that a mistake in the target file never looks like a breach.

import type { Clock } from "../core/clock.ts";
import type { Api, Feature } from "../core/interface.ts";
import { BudgetSpent } from "../core/outcomes.ts";
import type { Reason } from "../core/reason.ts";
import {
  type Asker,
  asAsker,
  inOtherCarrier,
  keyHolder,
  type Made,
  type RequestSpec,
  type Role,
  withCarrier,
} from "../core/requestSpec.ts";
import type { Check } from "../model/check.ts";
import type { PreflightResult } from "../model/event.ts";
import type { AuthSanityCheck } from "../model/suite.ts";
import { baseOf } from "../targets/bases.ts";
import { costOf } from "../targets/budget.ts";
import { type HeldKey, keyOf, type Target } from "../targets/target.ts";
import { isRateRefusal, isServed, rpcErrorOf, suspicion } from "../transport/answers.ts";
import type { Exchange } from "../transport/exchange.ts";
import { acceptsConnections } from "../transport/reach.ts";
import type { Transport } from "../transport/transport.ts";
import { isGateways, misplacedBy, withoutConnection, wrongPlaces } from "./misplaced.ts";
import { sanityChecksFor, unmetNeedOf } from "./unmetNeeds.ts";

/** With the connection test and a pause, whatever is found by then takes less than 3 s. */
const deadline_ms = 2_300;
const connecting_ms = 400;
/** Before the last try at a base that seems wrong. */
const pause_ms = 400;
/** Before the last tries at one before which a gateway stands that may be between two servers. */
const gatewayPauses_ms = [1_000, 2_000];

/** What can't be used. */
interface Unusable {
  readonly api: Api;
  /** Null: the base, whatever the key. */
  readonly role: Role | null;
  /** What its base does, e.g. `doesn't answer` or `refuses`. */
  readonly how: string;
  readonly advice: string;
  /** It may be the platform all the same, which doesn't know a sample that isn't the target's. */
  readonly isUnsettled?: boolean;
}

type Refusal = Pick<Unusable, "how" | "advice">;

const baseAdvice = "check `bases` in the target file";
const unknownKey: Refusal = { how: "doesn't know", advice: "check the value of its variable" };
const foreignProjectAdvice = "check that it is the id of the key's own project";

interface Sending {
  readonly carrier?: "header" | "query";
  readonly atOnce?: boolean;
  readonly deadline_ms?: number | undefined;
}

export interface PreflightOptions {
  readonly authSanityChecks: readonly AuthSanityCheck[];
  /** What the run is about. */
  readonly features: readonly Feature[];
  /** Whose keys the run calls with. */
  readonly roles: ReadonlySet<Role | Made>;
  readonly target: Target;
  /** The target's; those that no API knows are removed, so that `owner` means another. */
  readonly keys: Map<Role | Made, HeldKey>;
  readonly transport: Transport;
  readonly clock: Clock;
  /** Whether a refusal may be about a sample that isn't the target's. */
  readonly isUnsettled: (exchange: Exchange) => boolean;
  /** Called with each exchange once all is known; `counts`: it shows the platform, and with a key that it knows. */
  readonly onExchange: (exchange: Exchange, counts: boolean) => void;
  /** Called where something can't be used. */
  readonly onResult: (result: PreflightResult) => void;
}

export class Preflight {
  readonly #options: PreflightOptions;
  readonly #unusable: Unusable[] = [];
  readonly #keyCodes: readonly number[];
  readonly #exchanges: Exchange[] = [];
  #ended = false;
  #result: Promise<PreflightResult> | null = null;

  constructor(options: PreflightOptions) {
    this.#options = options;
    const rows = Object.values(options.target.interface.errorTables).flat();
    this.#keyCodes = rows.flatMap(({ cause, code }) => (cause === "key" && code !== undefined ? [code] : []));
  }

  /** Runs once. */
  run(): Promise<PreflightResult> {
    return (this.#result ??= this.#run());
  }

  /** The reference is always there and knows its keys. */
  async #run(): Promise<PreflightResult> {
    const { target } = this.#options;
    const apis = target.isReference ? [] : [...new Set(this.#checks().map(({ api }) => api))];
    // Of a key for other addresses a platform may say that it is unknown.
    const held = target.interface.roles
      .filter(({ name, isForOtherAddresses }) => !isForOtherAddresses && this.#options.roles.has(name))
      .flatMap(({ name }) => (target.keys.has(name) ? [name] : []));
    const isReached = (api: Api): boolean => this.#found(api, null) === undefined;
    try {
      const found = (await Promise.all(apis.map((api) => this.#reach(api)))).filter((one) => one !== null);
      const certain = found.filter(({ isUnsettled }) => !isUnsettled);
      // Where no base is the platform's, samples don't explain an unknown path.
      this.#unusable.push(...(found.length === apis.length && certain.length > 0 ? found : certain));
      for (const role of held) await this.#tryKey(role, apis.filter(isReached));
    } catch (error) {
      if (!(error instanceof BudgetSpent)) throw error;
    }
    const callers = held.length > 0 ? held : [null];
    const isUsable = (api: Api): boolean => callers.some((role) => this.#found(api, role) === undefined);
    this.#ended = apis.length > 0 && !apis.some(isUsable);
    for (const exchange of this.#exchanges) {
      const role = exchange.asker?.role ?? null;
      const isUnusable = this.#unusable.some(
        ({ api, ...one }) => api === exchange.requestSpec.api && (one.role ?? role) === role,
      );
      this.#options.onExchange(exchange, !this.#ended && !isUnusable && suspicion(exchange) === null);
    }
    const result = { unusable: this.#sentences(), ended: this.#ended };
    if (result.unusable.length > 0) this.#options.onResult(result);
    return result;
  }

  /** Why a check can't be tried; null where it may. */
  doubtOf({ needs: { requests, generates } }: Check): Reason | null {
    if (this.#ended) return { kind: "unusable", sentences: this.#sentences() };
    return (
      [...requests, ...(generates?.each ?? [])].map((one) => this.doubtOn(one)).find((one) => one !== null) ?? null
    );
  }

  /** Why a request spec can't reach the platform, or not with a key that it knows; null where it may. */
  doubtOn(requestSpec: RequestSpec): Reason | null {
    const asker = keyHolder(requestSpec);
    const isAnyOf = asker === "owner" || asker === "bystander";
    const role = isAnyOf ? this.#roleOf(asker) : this.#namedRole(asker);
    const found = this.#found(requestSpec.api, role);
    return found ? { kind: "unusable", sentences: [this.#sentence(found)] } : null;
  }

  #namedRole(asker: Asker | null): Role | null {
    return this.#options.target.interface.roles.find(({ name }) => name === asker)?.name ?? null;
  }

  /** Whose key is meant: of those that are known, if any is. */
  #roleOf(asker: "owner" | "bystander"): Role | Made | null {
    return keyOf(this.#options.target, asker)?.role ?? null;
  }

  #found(api: Api, role: Role | Made | null): Unusable | undefined {
    return this.#unusable.find((one) => one.api === api && (one.role === null || one.role === role));
  }

  #sentences(): readonly string[] {
    return [...new Set(this.#unusable.map((one) => this.#sentence(one)))];
  }

  /** All keys of which a base says the same are named together. */
  #sentence({ api, how, advice }: Unusable): string {
    const base = this.#options.target.bases[api];
    const alike = this.#unusable.filter((one) => this.#options.target.bases[one.api] === base && one.how === how);
    const keys = [...new Set(alike.flatMap(({ role }) => (role === null ? [] : [`\`${role}\``])))];
    const whose = keys.length > 0 ? ` the ${keys.length === 1 ? "key" : "keys"} ${keys.join(", ")}` : "";
    return `${base} ${how}${whose}: ${advice}`;
  }

  /** The auth sanity checks of what the run is about, as far as the target has what they need. */
  #checks(): readonly AuthSanityCheck[] {
    return sanityChecksFor(this.#options, this.#options.features, this.#options.target);
  }

  async #send(requestSpec: RequestSpec, { carrier = "header", ...options }: Sending = {}): Promise<Exchange> {
    const exchange = await this.#options.transport.send(withCarrier(requestSpec, carrier), { deadline_ms, ...options });
    this.#exchanges.push(exchange);
    return exchange;
  }

  /** Without a key, so that nothing is paid for; where another place seems to answer, with the owner's as well. */
  async #reach(api: Api): Promise<Unusable | null> {
    const { target, clock } = this.#options;
    const [check] = this.#checks().filter((one) => one.api === api);
    const unusable = (how: string): Unusable => ({ api, role: null, how, advice: baseAdvice });
    if (!check) return null;
    let pauses_ms: readonly number[] = [0, 0, pause_ms];
    let isConnected = true;
    for (let nth = 0; ; nth += 1) {
      if (nth === 1 && !isConnected) continue;
      await clock.sleep(pauses_ms[nth] ?? 0);
      const requestSpec = nth === 1 ? check.owner : check.unauthorized;
      const exchange = await this.#send(requestSpec, { atOnce: nth > 0 });
      if (exchange.fault?.kind === "timeout") {
        const isThere = await acceptsConnections(new URL(baseOf(target, api) ?? ""), connecting_ms);
        // It may be slow at first, so that it gets the usual time.
        const late = isThere ? await this.#send(requestSpec, { deadline_ms: undefined }) : exchange;
        return late.fault?.kind === "timeout" ? unusable(`doesn't answer (${suspicion(late)})`) : null;
      }
      isConnected = !exchange.fault || !withoutConnection.includes(exchange.fault.kind);
      const reason = misplacedBy(exchange);
      if (reason === null) return null;
      if (isGateways(exchange)) pauses_ms = [0, 0, ...gatewayPauses_ms];
      if (nth + 1 < pauses_ms.length) continue;
      if (exchange.fault) return unusable(`doesn't answer (${reason})`);
      const isUnsettled = wrongPlaces.includes(exchange.answer?.status ?? 0) && this.#options.isUnsettled(exchange);
      return { ...unusable(`isn't this platform (it answers with ${reason})`), isUnsettled };
    }
  }

  /** Where no API tells for free, the owner's request is the one that the run pays for anyway. */
  async #tryKey(role: Role, apis: readonly Api[]): Promise<void> {
    const { target, keys } = this.#options;
    const requests = this.#checks()
      .filter(
        ({ api, features: [first] }, nth, all) =>
          apis.includes(api) && all.findIndex(({ features }) => features[0] === first) === nth,
      )
      .map(({ api, owner }) => ({ api, requestSpec: role === this.#roleOf("owner") ? owner : asAsker(owner, role) }))
      .filter(({ requestSpec }) => unmetNeedOf(requestSpec, target) === null)
      .map((one) => ({ ...one, price: costOf(target, one.requestSpec) }));
    const free = requests
      .filter(({ price }) => !price)
      .sort((a, b) => Number(a.price === null) - Number(b.price === null));
    const paid = role === this.#roleOf("owner") ? requests.filter(({ price }) => price) : [];
    const refused = new Map<Api, Refusal>();
    let isKnown = false;
    for (const { api, requestSpec } of [...free, ...paid]) {
      const refusal = await this.#refusalOf(requestSpec, refused.has(api));
      isKnown = refusal !== unknownKey;
      if (refusal) refused.set(api, refusal);
      else refused.delete(api);
      // A key that one API knows isn't mistyped, so other APIs' refusals of it are judged.
      if (isKnown) break;
    }
    if (refused.size === 0) return;
    for (const api of apis) {
      const refusal = refused.get(api) ?? unknownKey;
      if (!isKnown || refusal !== unknownKey) this.#unusable.push({ api, role, ...refusal });
    }
    if (!isKnown) keys.delete(role);
  }

  /**
   * Why a key is of no use there; null where it is, or where the answer doesn't tell.
   * @param isTried whether the other carrier was refused there before
   */
  async #refusalOf(requestSpec: RequestSpec, isTried: boolean): Promise<Refusal | null> {
    const byHeader = await this.#send(requestSpec);
    const isPlain = suspicion(byHeader) === null && !isRateRefusal(byHeader);
    const namesProject = requestSpec.path.some((part) => typeof part === "object" && "projectOf" in part);
    const { foreignProject } = this.#options.target.interface;
    const isHttp = byHeader.protocol.kind === "http";
    if (isPlain && isHttp && namesProject && foreignProject && byHeader.answer?.status === foreignProject.status)
      return {
        how: `refuses the project id (HTTP ${foreignProject.status}, ${foreignProject.clause}) given with`,
        advice: foreignProjectAdvice,
      };
    if (!isPlain || !this.#isUnknown(byHeader)) return null;
    if (isTried) return unknownKey;
    // Beside the pace, as a carrier that is refused says nothing of the limit.
    const other = await this.#send(inOtherCarrier(requestSpec), { atOnce: true });
    // Once the platform knows the key in one carrier, its refusal of the other is its own behaviour, and judged.
    const isKnown = suspicion(other) === null && !this.#isUnknown(other);
    return isKnown && (isServed(other) || other.protocol.kind === "http") ? null : unknownKey;
  }

  #isUnknown(exchange: Exchange): boolean {
    const code = rpcErrorOf(exchange)?.code;
    return code === undefined ? exchange.answer?.status === 401 : this.#keyCodes.includes(code);
  }
}
