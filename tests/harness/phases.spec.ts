// Phases: what runs before what, and what runs side by side.
import { expect, test } from "@playwright/test";
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { usage } from "../../contracts/shared/stimuli.ts";
import { checkPhases, isSentInTurn, type Phase, phaseOf, probePhases, runPhases } from "../../harness/engine/phases.ts";
import { type Check, scenario } from "../../harness/model/check.ts";
import { experiment, observeAll } from "../../harness/model/probe.ts";
import type { Target } from "../../harness/target/target.ts";

/** The order in which items begin and end, where each takes as many turns as its name is long. */
async function order(phases: readonly Phase<string>[]): Promise<string> {
  const events: string[] = [];
  await runPhases(phases, async (item) => {
    events.push(item);
    for (let turn = 0; turn < 10 * item.length; turn += 1) await Promise.resolve();
    events.push(`/${item}`);
  });
  return events.join(" ");
}

test("phases run one after another, lanes side by side, items of a lane in turn", async () => {
  const phases = [
    { name: "first", lanes: [["a", "b"], ["long"]] },
    { name: "second", lanes: [["c"]] },
  ];
  expect(await order(phases)).toBe("a long /a b /b /long c /c");
});

test("a phase may go on until the one before which it must be over", async () => {
  const phases = [
    { name: "first", lanes: [["long"]], overBefore: "third" },
    { name: "second", lanes: [["a"]] },
    { name: "third", lanes: [["b"]] },
  ];
  expect(await order(phases)).toBe("long a /a /long b /b");
});

type Place = Pick<Target, "control" | "isReference" | "interface">;
type Options = Partial<Parameters<typeof scenario>[1]>;

const vendor: Place = { isReference: false, interface: dataPlatform };
const control = { base: "", token: null } as unknown as NonNullable<Target["control"]>;
const reference: Place = { ...vendor, isReference: true, control };
const controlled: Place = { ...vendor, control };

const schedules = [{ name: "burst", calls: [], seconds: 1 }];
const needing = (options: Options): Check =>
  scenario("USG-HTTP-01", { feature: "usage", requests: [usage({ as: "paid" })], ...options }, () =>
    Promise.resolve([]),
  );

for (const [title, options, place, phase] of [
  ["reads of the meter are free", {}, vendor, "free"],
  ["the meter with control comes with all others", { control: { reads: 1 } }, reference, "together"],
  ["other features come together", { feature: "wallet" }, vendor, "together"],
  ["what counts calls is alone", { when: "alone" }, vendor, "alone"],
  ["what needs consent comes last", { consent: "throttle" }, vendor, "last"],
  ["schedules of isolated projects are bursts", { schedules }, reference, "bursts"],
  ["schedules on a vendor come late", { schedules }, vendor, "schedules"],
  ["schedules with control but without isolation come late", { schedules }, controlled, "schedules"],
  ["long schedules with control run beside", { schedules, when: "beside" }, controlled, "beside"],
  ["long schedules on a vendor come late", { schedules, when: "beside" }, vendor, "schedules"],
] as const) {
  test(`phase of a check: ${title}`, () => expect(phaseOf(needing(options), place)).toBe(phase));
}

test("schedules wait for each other without control, or where calls can't be undone", () => {
  const sends = { calls: 1, payments: 0 };
  expect(isSentInTurn(needing({ schedules }), vendor)).toBe(true);
  expect(isSentInTurn(needing({ schedules, sends }), reference)).toBe(true);
  expect(isSentInTurn(needing({ schedules }), reference)).toBe(false);
  expect(isSentInTurn(needing({ sends }), vendor)).toBe(false);
});

test("every planned check is in one lane of one phase", () => {
  const all = [{}, { when: "alone" }, { schedules }, { feature: "wallet" }, { consent: "throttle" }] as const;
  const planned = all.map((options) => ({ check: needing(options), lacks: null }));
  for (const place of [vendor, reference, controlled]) {
    const laid = checkPhases(planned, place).flatMap(({ lanes }) => lanes.flat());
    expect(new Set(laid)).toEqual(new Set(planned));
    expect(laid).toHaveLength(planned.length);
  }
});

test("probes that read all answers, or disturb others, come after the rest; isolated ones need not wait", () => {
  const requests = [usage({ as: "paid" })];
  const never = () => Promise.reject(new Error("not run"));
  const beside = experiment("wallet", "OBS-AUTH-BOTH", [], never);
  const isolated = experiment("wallet", "OBS-AUTH-DUP", [], never, { when: "isolated" });
  const metered = experiment("usage", "OBS-AUTH-WS", requests, never);
  const readsAll = observeAll("wallet", "OBS-AUTH-BEARER", requests, () => []);
  const planned = [readsAll, metered, isolated, beside].map((probe) => ({ probe, disturbs: false, lacks: null }));
  const disturbing = { probe: experiment("wallet", "OBS-AUTH-IP", [], never), disturbs: true, lacks: null };
  const ids = (place: Place): readonly (readonly string[])[] =>
    probePhases([disturbing, ...planned], place).map(({ lanes }) => lanes.flat().map(({ probe }) => probe.id));
  expect(ids(vendor)).toEqual([
    ["OBS-AUTH-DUP", "OBS-AUTH-BOTH"],
    ["OBS-AUTH-WS", "OBS-AUTH-IP", "OBS-AUTH-BEARER"],
  ]);
  expect(probePhases(planned, reference)[0]?.lanes).toHaveLength(3);
});
