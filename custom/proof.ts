// The proof of custom checks: each mutant of the user's platform breaks its requirement, and the honest one none.

import { virtualClock } from "../harness/core/clock.ts";
import type { RequestSpec } from "../harness/core/requestSpec.ts";
import { openEngine } from "../harness/engine/engine.ts";
import { shownVerdict } from "../harness/model/shown.ts";
import type { Verdict } from "../harness/model/verdict.ts";
import type { TargetForm } from "../harness/targets/form.ts";
import { readTarget } from "../harness/targets/targetFile.ts";
import { fetchedBy } from "../harness/transport/fetchWire.ts";
import type { CustomMutant } from "./definition.ts";
import type { Custom } from "./suite.ts";

const base = "http://custom.assay.example";
const health = "/assay-health-check";

export const customMutants = ({ config }: Custom): readonly string[] => Object.keys(config.mutants ?? {});

/**
 * Mutants of a config that begin with one of the names, or all, in virtual time, without sockets.
 * @param key any text that is long enough for one
 */
export async function proveCustom(custom: Custom, form: TargetForm, key: string, names: readonly string[] = []) {
  const { config, checks, laws } = custom;
  const { platform, mutants = {}, requirements } = config;
  const isNamed = (id: string): boolean => names.length === 0 || names.some((name) => id.startsWith(name));
  const ids = customMutants(custom).filter(isNamed);
  const unproved = requirements.filter(({ id }) => isNamed(id) && !ids.some((one) => one.startsWith(`${id}.`)));
  const pending = unproved.map(({ id }) => `${id}: it has no mutant`);
  if (!platform) return { honest: [], results: [], pending };
  const text = JSON.stringify({
    name: "custom",
    insecure: true,
    offers: [...new Set(checks.map(({ feature }) => feature))],
    bases: Object.fromEntries(Object.keys(form.interface.apis).map((api) => [api, base])),
    projects: { own: { id: "00000000-0000-4000-8000-000000000001", plan: "paid" } },
    keys: { paid: { project: "own", env: "KEY" } },
    samples: platform.samples ?? {},
  });
  const target = readTarget(form, "the platform of the config", { KEY: key }, { text });
  // Beside a refusal or a failure something has to be served, so that it counts.
  const healthChecks = checks.map(({ feature, needs: { requests } }) => {
    const [{ api }] = requests as [RequestSpec];
    return { api, features: [feature], owner: { operation: null, api, method: "POST", path: [health], carriers: [] } };
  });
  const verdictsOn = (mutant?: CustomMutant): Promise<readonly Verdict[]> =>
    openEngine({
      suite: { checks, laws, probes: [], authSanityChecks: [], healthChecks },
      target,
      wire: (sent) =>
        fetchedBy(async (request) => {
          if (request.url.endsWith(health)) return Response.json({ jsonrpc: "2.0", id: 1, result: {} });
          const honest = await platform.fetch(request.clone());
          return mutant ? mutant(honest, request) : honest;
        }, sent),
      clock: virtualClock(Date.parse("2026-01-15T10:00:00Z")),
    }).run();
  const honest = await verdictsOn();
  const results: { id: string; result: "killed" | "survived"; why: string; broken: readonly string[] }[] = [];
  // One after the other, as a platform may have state.
  for (const id of ids) {
    const verdicts = await verdictsOn(mutants[id]);
    const own = verdicts.find((one) => id.startsWith(`${one.id}.`));
    const result = own?.verdict === "broken" ? "killed" : "survived";
    results.push({ id, result, why: whyOf(own), broken: brokenIn(verdicts) });
  }
  const unshown = honest.filter(({ id, verdict }) => isNamed(id) && verdict !== "holds" && verdict !== "broken");
  pending.push(...unshown.map((one) => `${one.id}: the honest platform doesn't satisfy it (${whyOf(one)})`));
  return { honest: brokenIn(honest), results: results.map((one) => ({ ...one, undeclared: [], stale: [] })), pending };
}

const whyOf = (verdict: Verdict | undefined): string =>
  verdict ? [verdict.verdict, shownVerdict(verdict).reason].filter(Boolean).join(": ") : "not judged";

const brokenIn = (verdicts: readonly Verdict[]): readonly string[] =>
  verdicts.flatMap(({ id, verdict }) => (verdict === "broken" ? [id] : []));
