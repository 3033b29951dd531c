// The charge audit of a run: figures that agree, that differ, and that stay undecided with a reason.
import { expect, test } from "@playwright/test";
import {
  changeIn,
  type Outcome,
  othersUsing,
  outcomeOf,
  type TargetChange,
  type Trial,
} from "../support/probeSpecs.ts";
import { rewriting } from "../support/vendorsInProcess.ts";
import { variantNamed } from "../support/wallets.ts";

/** By checks that call wallets and compression methods but measure no charges themselves. */
const audited = ({ target = {}, ...trial }: Omit<Trial, "target"> & { readonly target?: TargetChange }) =>
  outcomeOf({
    checks: ({ feature, when, ids }) =>
      ["wallet", "compression"].includes(feature) && when !== "alone" && !ids.some((id) => id.startsWith("MET-")),
    observe: [],
    target: (given) => ({ ...given, offers: ["usage", "wallet", "compression"], ...changeIn(given, target) }),
    ...trial,
  });

const placesWith = (audit: Outcome["audit"], result: string): readonly string[] =>
  (audit?.entries ?? []).filter((entry) => entry.result === result).map(({ project, at }) => `${project} ${at}`);

test("every figure of the honest platform agrees, and was charged for something", async () => {
  const { audit, broken } = await audited({});
  expect(broken).toEqual([]);
  expect(audit?.reason).toBe(null);
  expect(audit?.entries.map(({ result }) => result)).toEqual(Array.from({ length: 9 }, () => "agrees"));
  expect(audit?.entries.filter(({ project, charged }) => project === "main" && Number(charged) < 3)).toEqual([]);
});

const mutants: readonly (readonly [mutant: string, found: readonly (readonly [at: string, id: string])[]])[] = [
  ["MET-WAL-01.post-free", [["/credits/walletApi", "MET-WAL-01"]]],
  ["MET-WAL-02.batch-n", [["/requests/walletApi", "MET-WAL-02"]]],
  [
    "AUTH-ALL-02.query-unattributed",
    // The same calls: both figures move too little.
    [
      ["/credits/walletApi", "MET-WAL-01"],
      ["/requests/walletApi", "MET-WAL-02"],
    ],
  ],
];
for (const [mutant, found] of mutants) {
  // What is charged too little is found by the last, too.
  test(`${mutant} is found by the audit alone, in ${found.map(([at]) => at).join(" and ")}`, {
    tag: mutant === "MET-WAL-01.post-free" ? "@slow" : [],
  }, async () => {
    const { audit, verdicts } = await audited({ choice: variantNamed(mutant) });
    for (const [at, id] of found) {
      expect(placesWith(audit, "differs")).toContain(`main ${at}`);
      const verdict = verdicts.find((one) => one.id === id && one.verdict === "broken");
      expect(verdict?.breaches.every((breach) => breach.at === at && breach.causedBy.length === 0)).toBe(true);
    }
  });
}

/** Changes the credits of wallet calls, or the count of compression calls, in every read of usage. */
const mutated = (
  mutation: (honest: number, read: number) => number | string,
  of: "credits" | "requests" = "credits",
) => {
  const product = of === "credits" ? "walletApi" : "compression";
  let reads = 0;
  return rewriting((usage) => {
    const figures: { [product: string]: unknown } = usage[of];
    reads += 1;
    figures[product] = mutation(Number(figures[product]), reads);
  });
};

for (const [what, off, of, at, id] of [
  ["charges beyond all calls sent", 100_000, "credits", "/credits/walletApi", "MET-WAL-01"],
  ["more compression calls counted than sent", 1_000, "requests", "/requests/compression", "MET-CMP-01"],
  ["fewer compression calls counted than served", -20, "requests", "/requests/compression", "MET-CMP-01"],
] as const)
  test(`${what} are broken where charges show at once`, { tag: off === 1_000 ? "@slow" : [] }, async () => {
    const { audit, broken } = await audited({ between: mutated((honest, read) => honest + (read > 3 ? off : 0), of) });
    expect(placesWith(audit, "differs")).toContain(`main ${at}`);
    expect(broken).toContain(id);
  });

const vendor: TargetChange = { isReference: false, quiet: true, perSecond: 100 };

test("on a vendor calls that are charged too much are sent again, and broken if they are so again", async () => {
  const again = await audited({ target: vendor, choice: variantNamed("MET-WAL-02.batch-n") });
  expect(placesWith(again.audit, "differs")).toContain("main /requests/walletApi");
  expect(again.broken).toContain("MET-WAL-02");

  const once = await audited({
    target: vendor,
    between: mutated((honest, read) => honest + (read > 3 ? 1_000 : 0), "requests"),
  });
  expect(placesWith(once.audit, "differs")).toEqual([]);
  expect(
    once.audit?.entries.find(({ project, at }) => `${project} ${at}` === "main /requests/compression"),
  ).toMatchObject({
    result: "open",
    reason: "the same calls were charged differently when repeated, so others may have used the project",
  });
});

test("what is charged too much isn't held against a vendor while another command uses the project", async () => {
  const choice = variantNamed("MET-WAL-02.batch-n");
  const used = (...projects: readonly string[]): Promise<Outcome> =>
    audited({ target: { ...vendor, others: othersUsing(...projects) }, choice });
  const all = ["main", "other", "free"];
  const beside = await used(...all);
  expect({ broken: beside.broken, usedByOthers: beside.usedByOthers }).toEqual({ broken: [], usedByOthers: all });
  expect(placesWith(beside.audit, "open")).toContain("main /requests/walletApi");
  // What a project that nobody else uses was charged still counts.
  expect((await used("main")).broken).toContain("MET-WAL-02");
});

test("nor is it where the run's time ends before the audit does", async () => {
  const counted = async (...projects: readonly string[]): Promise<readonly string[]> => {
    const change = { ...vendor, offers: ["usage", "wallet"], others: othersUsing(...projects) } as const;
    const choice = variantNamed("MET-WAL-02.batch-n");
    const only = ["MET-WAL-01", "MET-WAL-02", "MET-WAL-03"];
    const target: Trial["target"] = (given) => ({ ...given, ...changeIn(given, change) });
    return (await outcomeOf({ only, observe: [], choice, most_s: 100, target })).broken;
  };
  expect(await counted()).toEqual(["MET-WAL-02"]);
  expect(await counted("main", "other", "free")).toEqual([]);
});

test("where no charge shows, neither excess nor lack is broken", async () => {
  for (const far of [0, 100_000]) {
    const { audit, broken } = await audited({ between: mutated((_, read) => (read > 3 ? far : 0)) });
    expect(placesWith(audit, "open")).toContain("main /credits/walletApi");
    expect(placesWith(audit, "differs")).toEqual([]);
    expect(broken.filter((id) => id.startsWith("MET-"))).toEqual([]);
  }
});

test("a figure that is not a number is undecided", async () => {
  const { audit } = await audited({ between: mutated(() => "many") });
  expect(placesWith(audit, "open")).toContain("main /credits/walletApi");
  expect(audit?.entries.find(({ at }) => at === "/credits/walletApi")).toMatchObject({
    charged: null,
    reason: "/credits/walletApi wasn't a number in each read",
  });
});

test("projects that others may use aren't audited, and figures that no check calls for aren't either", async () => {
  const busy = await audited({ target: { isReference: false, quiet: false } });
  expect(busy.audit).toEqual({
    entries: [],
    reason: "billing not checked: set `quiet: true` if nobody else uses these projects",
  });
  expect(placesWith((await audited({ only: ["WAL-ID-01"] })).audit, "agrees")).toEqual(
    ["main", "other", "free"].flatMap((project) => [`${project} /credits/walletApi`, `${project} /requests/walletApi`]),
  );
  expect((await audited({ only: ["AUTH-ADM-MISS-01"] })).audit).toBe(undefined);
});
