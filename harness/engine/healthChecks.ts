// Health checks: requests that a healthy platform serves, with the key in the carrier that each API accepts.
import { type Api, operationOf } from "../core/interface.ts";
import { type RequestSpec, withCarrier } from "../core/requestSpec.ts";
import type { CheckContext } from "../model/check.ts";
import type { HealthCheck, Suite } from "../model/suite.ts";
import type { Target } from "../targets/target.ts";
import { unmetNeedOf } from "./unmetNeeds.ts";

export type SanitySuite = Pick<Suite, "authSanityChecks" | "healthChecks">;

export class HealthChecks {
  readonly #healthChecks: readonly HealthCheck[];
  readonly #target: Target;
  readonly #fresh: CheckContext["fresh"];
  readonly #carriers = new Map<Api, "header" | "query">();

  constructor({ authSanityChecks, healthChecks = [] }: SanitySuite, target: Target, fresh: CheckContext["fresh"]) {
    this.#healthChecks = [...authSanityChecks, ...healthChecks];
    this.#target = target;
    this.#fresh = fresh;
  }

  /** The carrier that an API has accepted; the header until something else is known. */
  carrierOf(api: Api): "header" | "query" {
    return this.#carriers.get(api) ?? "header";
  }

  noteCarrier(api: Api, carrier: "header" | "query"): void {
    this.#carriers.set(api, carrier);
  }

  /** The request spec with the carrier that its API accepts. */
  carried(requestSpec: RequestSpec): RequestSpec {
    return withCarrier(requestSpec, this.carrierOf(requestSpec.api));
  }

  /** A health check, of the same feature if possible; null where the target has none. */
  beside({ api, operation }: RequestSpec): RequestSpec | null {
    const { offers, interface: tables } = this.#target;
    const askable = this.#healthChecks.filter(
      (one) =>
        one.api === api &&
        one.features.some((feature) => offers.includes(feature)) &&
        unmetNeedOf(one.owner, this.#target) === null,
    );
    const feature = operationOf(tables, operation)?.feature;
    const healthCheck =
      askable.find(({ features }) => feature !== undefined && features.includes(feature)) ?? askable[0];
    return healthCheck ? this.carried(this.#fresh(healthCheck.owner)) : null;
  }
}
