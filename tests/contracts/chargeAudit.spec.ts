// Does the audit at the end of a run tell charges that fit from those that don't, and say why where it can't tell?
import { expect, test } from "@playwright/test";
import { suite } from "../../contracts/suite.ts";
import { Engine, type EngineOptions } from "../../harness/engine/engine.ts";
import type { Audit } from "../../harness/model/chargeAudit.ts";
import type { Verdict } from "../../harness/model/verdict.ts";
import type { Target } from "../../harness/target/target.ts";
import type { Wire } from "../../harness/transport/wire.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { select } from "../../proof/mutants.ts";

/** What calls wallets and compression, and counts nothing by itself. */
const callers = suite.checks.filter(
  ({ feature, when, ids }) =>
    ["wallet", "compression"].includes(feature) && when !== "alone" && !ids.some((id) => id.startsWith("MET-")),
);

interface Case {
  readonly mutant?: string;
  readonly target?: Partial<Target>;
  readonly only?: EngineOptions["only"];
  readonly between?: (wire: Wire) => Wire;
}

async function audited({
  mutant,
  target = {},
  only = null,
  between = (wire) => wire,
}: Case): Promise<{ readonly audit: Audit | undefined; readonly broken: readonly Verdict[] }> {
  const [named] = mutant === undefined ? [] : select([mutant]).mutants;
  const options = inProcess({ ...suite, checks: callers }, named);
  let audit: Audit | undefined;
  const onEvent: EngineOptions["onEvent"] = (event) => {
    if (event.event === "audit") ({ audit } = event);
  };
  const offers = ["usage", "wallet", "compression"] as const;
  const verdicts = await new Engine({
    ...options,
    wire: between(options.wire),
    target: { ...options.target, offers, ...target },
    only,
    observe: [],
    onEvent,
  }).run();
  return { audit, broken: verdicts.filter(({ verdict }) => verdict === "broken") };
}

const saying = (audit: Audit | undefined, result: string): readonly string[] =>
  (audit?.entries ?? []).filter((entry) => entry.result === result).map(({ project, at }) => `${project} ${at}`);

test("every figure of the honest platform agrees, and something was spent on each", async () => {
  const { audit, broken } = await audited({});
  expect(broken).toEqual([]);
  expect(audit?.reason).toBe(null);
  expect(audit?.entries.map(({ result }) => result)).toEqual(Array.from({ length: 9 }, () => "agrees"));
  expect(audit?.entries.filter(({ project, charged }) => project === "main" && Number(charged) < 3)).toEqual([]);
});

const mutants: readonly (readonly [mutant: string, at: string, id: string])[] = [
  ["MET-WAL-01.post-free", "/credits/walletApi", "MET-WAL-01"],
  ["MET-WAL-02.batch-n", "/requests/walletApi", "MET-WAL-02"],
  ["AUTH-ALL-02.query-unattributed", "/credits/walletApi", "MET-WAL-01"],
];
for (const [mutant, at, id] of mutants) {
  test(`${mutant} is found by the audit alone`, async () => {
    const { audit, broken } = await audited({ mutant });
    expect(saying(audit, "differs")).toContain(`main ${at}`);
    expect(broken.map((one) => one.id as string)).toContain(id);
    expect(
      broken.find((one) => one.id === id)?.breaches.every((breach) => breach.at === at && breach.causedBy.length === 0),
    ).toBe(true);
  });
}

test("a call that moves two figures too little is found by both", async () => {
  const { audit, broken } = await audited({ mutant: "AUTH-ALL-02.query-unattributed" });
  expect(saying(audit, "differs")).toEqual(
    expect.arrayContaining(["main /credits/walletApi", "main /requests/walletApi"]),
  );
  expect(broken.map((one) => one.id as string)).toEqual(expect.arrayContaining(["MET-WAL-01", "MET-WAL-02"]));
});

/** What wallet calls cost, or how many compression calls were counted, is bent on its way. */
const mutated =
  (
    mutation: (honest: number, read: number) => number | string,
    of: "credits" | "requests" = "credits",
  ): ((wire: Wire) => Wire) =>
  (wire) => {
    let reads = 0;
    return async (request, signal) => {
      const answer = await wire(request, signal);
      if (!request.url.includes("/usage") || answer.status !== 200) return answer;
      const body = JSON.parse(Buffer.from(answer.body).toString()) as {
        readonly [group in typeof of]: { [product: string]: number | string };
      };
      const product = of === "credits" ? "walletApi" : "compression";
      reads += 1;
      body[of][product] = mutation(Number(body[of][product]), reads);
      return {
        ...answer,
        headers: answer.headers.filter(([name]) => name !== "content-length"),
        body: Buffer.from(JSON.stringify(body)),
      };
    };
  };

test("what is charged beyond all that was sent is broken where charges show at once", async () => {
  const { audit, broken } = await audited({ between: mutated((credits, read) => credits + (read > 3 ? 100_000 : 0)) });
  expect(saying(audit, "differs")).toContain("main /credits/walletApi");
  expect(broken.map(({ id }) => id)).toContain("MET-WAL-01");
});

test("more compression calls counted than were sent, or fewer than were served, are found", async () => {
  for (const off of [1_000, -1_000]) {
    const { audit, broken } = await audited({
      between: mutated((count, read) => count + (read > 3 ? off : 0), "requests"),
    });
    expect(saying(audit, "differs")).toContain("main /requests/compression");
    expect(broken.map(({ id }) => id)).toContain("MET-CMP-01");
  }
});

test("where charges stand still, neither too much nor too little is held against anybody", async () => {
  for (const far of [0, 100_000]) {
    const { audit, broken } = await audited({ between: mutated((_, read) => (read > 3 ? far : 0)) });
    expect(saying(audit, "open")).toContain("main /credits/walletApi");
    expect(saying(audit, "differs")).toEqual([]);
    expect(broken.filter(({ id }) => id.startsWith("MET-"))).toEqual([]);
  }
});

test("a figure that is no number can't be told", async () => {
  const { audit } = await audited({ between: mutated(() => "many") });
  expect(saying(audit, "open")).toContain("main /credits/walletApi");
  expect(audit?.entries.find(({ at }) => at === "/credits/walletApi")).toMatchObject({
    charged: null,
    reason: "/credits/walletApi wasn't a number in each read",
  });
});

test("where others may use the projects nothing is compared; of a part of a plan, what it asks for", async () => {
  const busy = await audited({ target: { isReference: false, quiet: false } });
  expect(busy.audit).toEqual({
    entries: [],
    reason: "the target doesn't say `quiet: true`: others may use its projects meanwhile",
  });
  expect(saying((await audited({ only: ["WAL-ID-01"] })).audit, "agrees")).toEqual(
    ["main", "other", "free"].flatMap((project) => [`${project} /credits/walletApi`, `${project} /requests/walletApi`]),
  );
  expect((await audited({ only: ["AUTH-ADM-MISS-01"] })).audit).toBe(undefined);
});
