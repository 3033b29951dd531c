// Renamed things: judged under the name that the target gives, and reported.

import { expect, test } from "@playwright/test";
import { contractSuite } from "../../contracts/suite.ts";
import type { RequirementId } from "../../harness/core/interface.ts";
import { openEngine } from "../../harness/engine/engine.ts";
import type { EngineOptions } from "../../harness/engine/options.ts";
import { shownVerdict } from "../../harness/model/shown.ts";
import { exitCodeOf, type Verdict } from "../../harness/model/verdict.ts";
import { nameOn, renamedIn } from "../../harness/targets/renaming.ts";
import type { Wire, WireRequest } from "../../harness/transport/wire.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { selectById } from "../../proof/mutants.ts";
import { sentenceOf } from "../support/reasons.ts";
import { payingVendor } from "../support/vendorsInProcess.ts";
import { requirementOf } from "../support/wallets.ts";

const names = { keyHeader: "X-Platform-Token", keyQuery: "token", regionHeader: "jito-region" };
const documented = { keyHeader: "x-api-key", keyQuery: "api-key", regionHeader: "engine-region" };

/** The reference under other names: it doesn't know the documented ones. */
const inDialect =
  (wire: Wire): Wire =>
  ({ url, headers, ...request }: WireRequest, ...more) => {
    const standard = (name: string): readonly string[] => {
      for (const one of ["keyHeader", "keyQuery", "regionHeader"] as const) {
        if (name.toLowerCase() === names[one].toLowerCase()) return [documented[one]];
        if (name.toLowerCase() === documented[one]) return [];
      }
      return [name];
    };
    const given = new URL(url);
    const query = given.search
      .slice(1)
      .split("&")
      .flatMap((pair) => standard(pair.split("=")[0] ?? "").map((name) => pair.replace(/^[^=]*/, name)));
    given.search = query.join("&");
    const known = headers.flatMap(([name, value]) => standard(name).map((one) => [one, value] as const));
    return wire({ ...request, url: given.href, headers: known }, ...more);
  };

function optionsFor(variant?: Parameters<typeof inProcess>[1]): EngineOptions {
  const { wire, target, ...options } = inProcess({ ...contractSuite, probes: [] }, variant);
  return { ...options, wire: inDialect(wire), target: { ...target, names: { ...target.names, ...names } } };
}

const expected: { readonly [id: string]: string } = {
  "AUTH-ADM-HDR-01": "renamed: X-Platform-Token instead of X-Api-Key",
  "AUTH-WAL-HDR-01": "renamed: X-Platform-Token instead of X-Api-Key",
  "AUTH-ADM-QRY-01": "renamed: token instead of api-key",
  "AUTH-WAL-QRY-01": "renamed: token instead of api-key",
  "AUTH-RPC-QRY-01": "renamed: token instead of api-key",
  "BND-REG-01": "renamed: jito-region instead of engine-region",
  "BND-REG-02": "renamed: jito-region instead of engine-region",
  "BND-REG-04": "renamed: jito-region instead of engine-region",
};

const idsOf = (verdicts: readonly Verdict[], verdict: Verdict["verdict"]): readonly string[] =>
  verdicts.flatMap((one) => (one.verdict === verdict ? [one.id] : []));

const named = Object.keys(expected) as RequirementId[];
for (const [what, only, tag] of [
  ["of some", [...named, "USG-HTTP-01", "AUTH-ADM-MISS-01", "WAL-BAL-01", "RPC-ENV-01", "BND-LIM-01"], null],
  ["of all", null, "@slow"],
] as const satisfies readonly (readonly [string, readonly RequirementId[] | null, "@slow" | null])[])
  test(`a renamed thing is judged under its new name, and each requirement ${what} that names it is reported`, {
    tag: tag ?? [],
  }, async () => {
    const verdicts = await openEngine({ ...optionsFor(), only }).run();
    const plain = await openEngine({ ...inProcess({ ...contractSuite, probes: [] }), only }).run();
    const renamed = verdicts.filter((one) => one.renamed);
    expect(Object.fromEntries(renamed.map(shownVerdict).map(({ id, reason }) => [id, reason]))).toEqual(expected);
    expect([...idsOf(verdicts, "deviates")].sort()).toEqual([...named].sort());
    expect([...idsOf(verdicts, "holds"), ...named].sort()).toEqual([...idsOf(plain, "holds")].sort());
    expect(exitCodeOf(verdicts, true)).toBe(0);
  });

test("what is renamed fails where that is asked for", async () => {
  const only: readonly RequirementId[] = ["AUTH-ADM-HDR-01", "USG-HTTP-01"];
  const verdicts = await openEngine({ ...optionsFor(), only, renamedFails: true }).run();
  const [first] = verdicts.filter(({ id }) => id === "AUTH-ADM-HDR-01");
  expect(first).toMatchObject({ verdict: "broken", enforced: "fail" });
  expect(sentenceOf(first)).toBe(expected["AUTH-ADM-HDR-01"]);
  expect(exitCodeOf(verdicts, true)).toBe(1);
});

for (const mutant of ["BND-REG-01.dub-typo", "AUTH-WAL-QRY-01.query-ignored", "AUTH-ADM-HDR-01.header-ignored"]) {
  test(`a mutant of a renamed thing is found: ${mutant}`, async () => {
    const [variant] = selectById([mutant]).mutants;
    const id = requirementOf(mutant);
    expect(variant?.id).toBe(mutant);
    const [verdict] = await openEngine({ ...optionsFor(variant), only: [id] }).run();
    expect(verdict).toMatchObject({ id, verdict: "broken", enforced: "fail" });
    expect(sentenceOf(verdict)).toBe(expected[id]);
  });
}

test("names are spelled as the documented ones are, and other names stay", () => {
  const { target } = optionsFor();
  const sent = ["X-Api-Key", "x-api-key", "X-API-KEY", "api-key", "API-KEY", "engine-region", "accept"];
  expect(sent.map((name) => nameOn(target, name))).toEqual([
    "X-Platform-Token",
    "x-platform-token",
    "X-PLATFORM-TOKEN",
    "token",
    "API-KEY",
    "jito-region",
    "accept",
  ]);
});

test("a header in another case is the documented one", () => {
  const { target } = inProcess(contractSuite);
  const same = { ...target, names: { keyHeader: "x-api-key" } };
  expect(renamedIn(same, "AUTH-ADM-HDR-01")).toEqual([]);
  expect(renamedIn({ ...same, names: { keyQuery: "API-KEY" } }, "AUTH-ADM-QRY-01")).toHaveLength(1);
});

test("where an unknown region is accepted, too, its effect isn't observable: that is no breach", async () => {
  const judge = async (change: (wire: Wire) => Wire) => {
    const { wire, target, ...options } = inProcess({ ...contractSuite, probes: [] });
    const { control: _, ...vendor } = payingVendor({ allow: ["sendBundle"] })(target);
    const [verdict] = await openEngine({ ...options, wire: change(wire), target: vendor, only: ["BND-REG-01"] }).run();
    return verdict && shownVerdict(verdict);
  };
  const lenient =
    (wire: Wire): Wire =>
    (request, ...more) =>
      wire({ ...request, headers: request.headers.filter(([, value]) => value !== "mars") }, ...more);
  expect(await judge((wire) => wire)).toMatchObject({ verdict: "holds", reason: null });
  expect(await judge(lenient)).toMatchObject({
    verdict: "holds",
    reason: "not tried: the effect of a region, which isn't observable: an unknown one is accepted, too",
  });
});
