// Wallets and their charges judged on a vendor, played by the reference: defects are found, and no more.
import { expect, test } from "@playwright/test";
import { suite } from "../../contracts/suite.ts";
import type { Json } from "../../harness/core/json.ts";
import { Secret } from "../../harness/core/secret.ts";
import { Engine } from "../../harness/engine/engine.ts";
import type { Target } from "../../harness/target/target.ts";
import type { Wire } from "../../harness/transport/wire.ts";
import { inProcess } from "../../proof/inProcess.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";

type Request = Parameters<Wire>[0];
type Between = (wire: Wire) => Wire;

const charges: readonly RequirementId[] = [
  "MET-WAL-01",
  "MET-WAL-02",
  "MET-WAL-03",
  "MET-WAL-04",
  "MET-WAL-05",
  "MET-CRED-01",
];

interface Trial {
  readonly only: readonly RequirementId[];
  readonly between?: Between;
  readonly known?: (target: Target) => Partial<Target>;
}

/** As a vendor's, without control. */
async function verdictsOn({
  only,
  between = (wire) => wire,
  known = () => ({}),
}: Trial): Promise<Readonly<Record<string, string>>> {
  const { target, wire, ...rest } = inProcess(suite);
  const { control: _, ...vendor } = target;
  const judged = {
    ...vendor,
    isReference: false,
    quiet: true,
    offers: ["usage", "wallet"] as const,
    perSecond: 1000,
    ...known(target),
  };
  const verdicts = await new Engine({
    ...rest,
    wire: between(wire),
    target: judged,
    only,
    observe: [],
    impliedFails: true,
  }).run();
  return Object.fromEntries(verdicts.filter(({ id }) => only.includes(id)).map(({ id, verdict }) => [id, verdict]));
}

const isWallet = ({ url }: Request): boolean => new URL(url).pathname.startsWith("/v1/wallet/");
const isFor = ({ url }: Request, step: string): boolean => new URL(url).pathname.endsWith(`/${step}`);
const answered = (status: number, body: Json) => ({
  status,
  headers: [["content-type", "application/json"]] as const,
  body: Buffer.from(JSON.stringify(body)),
});

/** Replaces the answers to some requests, which the platform doesn't see. */
const answering =
  (instead: (request: Request) => ReturnType<typeof answered> | null): Between =>
  (wire) =>
  (request, signal) => {
    const answer = instead(request);
    return answer ? Promise.resolve(answer) : wire(request, signal);
  };

interface Usage {
  creditsUsed: number;
  creditsRemaining: number;
  credits: { walletApi: number; rpc: number };
  requests: { walletApi: number };
}

/** Usage documents, rewritten by what was served. */
const rewritten =
  (onServed: (request: Request) => void, rewrite: (usage: Usage) => void): Between =>
  (wire) =>
  async (request, signal) => {
    const answer = await wire(request, signal);
    if (answer.status !== 200) return answer;
    if (isWallet(request)) onServed(request);
    if (!isFor(request, "usage")) return answer;
    const usage = JSON.parse(Buffer.from(answer.body).toString("utf8")) as Usage;
    rewrite(usage);
    return {
      ...answer,
      headers: answer.headers.filter(([name]) => name.toLowerCase() !== "content-length"),
      body: Buffer.from(JSON.stringify(usage)),
    };
  };

/** Some calls cost so many credits more or less than what is due; those that cost nothing aren't counted either. */
function mispriced(isAffected: (request: Request) => boolean, more: number): Between {
  let count = 0;
  return rewritten(
    (request) => {
      count += isAffected(request) ? 1 : 0;
    },
    (usage) => {
      usage.credits.walletApi += count * more;
      usage.creditsUsed += count * more;
      usage.creditsRemaining -= count * more;
      if (more === -100) usage.requests.walletApi -= count;
    },
  );
}

const everyCall = mispriced.bind(null, () => true);
const together =
  (...all: readonly Between[]): Between =>
  (wire) =>
    all.reduce((inner, between) => between(inner), wire);
const unfunded = answering((request) =>
  isFor(request, "funded-by") ? answered(404, { message: "no funding transaction found" }) : null,
);
const all = (verdict: string) => Object.fromEntries(charges.map((id) => [id, verdict]));

const wrong: readonly (readonly [what: string, between: () => Between])[] = [
  [
    "calls whose key is in the query are free",
    () => mispriced(({ url }) => new URL(url).searchParams.has("api-key"), -100),
  ],
  ["a domain costs double", () => mispriced(({ url }) => /\.sol\/identity$/.test(new URL(url).pathname), 100)],
  ["the first endpoint is free", () => mispriced((request) => isFor(request, "balances"), -100)],
  ["an endpoint refuses the sample, and the others cost 99", () => together(everyCall(-1), unfunded)],
];

for (const [what, between] of wrong) {
  test(`found: ${what}`, async () => {
    expect((await verdictsOn({ only: ["MET-WAL-01"], between: between() }))["MET-WAL-01"]).toBe("broken");
  });
}

for (const [what, known] of [
  ["no names", () => ({ names: {} })],
  ["no mint", ({ samples: { mint: _, ...samples } }: Target) => ({ samples })],
] as const) {
  test(`charges of the other endpoints are judged where the target gives ${what}`, async () => {
    expect((await verdictsOn({ only: ["MET-WAL-01"], between: everyCall(-1), known }))["MET-WAL-01"]).toBe("broken");
    expect((await verdictsOn({ only: ["MET-WAL-01"], known }))["MET-WAL-01"]).toBe("withheld");
  });
}

const keyIn = (request: Request): string | null =>
  new URL(request.url).searchParams.get("api-key") ??
  request.headers.find(([name]) => name.toLowerCase() === "x-api-key")?.[1] ??
  null;
const isByQuery = ({ url }: Request): boolean => new URL(url).searchParams.has("api-key");

/** Replaces refusals of one status. */
const reanswered =
  (status: number, isAffected: (request: Request) => boolean, instead: ReturnType<typeof answered>): Between =>
  (wire) =>
  async (request, signal) => {
    const answer = await wire(request, signal);
    return isWallet(request) && answer.status === status && isAffected(request) ? instead : answer;
  };

const leaks: readonly (readonly [id: RequirementId, what: string, between: Between])[] = [
  [
    "AUTH-WAL-MISS-01",
    "an unknown key in the query is served",
    reanswered(401, (request) => isByQuery(request) && keyIn(request) !== "", answered(200, {})),
  ],
  ["WAL-FREE-03", "a free plan whose key is in the query is served", reanswered(403, isByQuery, answered(200, {}))],
  [
    "WAL-FREE-01",
    "a domain is looked up for a free plan",
    reanswered(403, ({ url }) => /\.sol\/identity$/.test(new URL(url).pathname), answered(200, {})),
  ],
  [
    "AUTH-IP-01",
    "a key that is restricted to another address is served",
    reanswered(403, (request) => isFor(request, "balances"), answered(200, {})),
  ],
  [
    "WAL-FREE-02",
    "a free plan's key, served elsewhere, is called unknown",
    reanswered(403, () => true, answered(401, {})),
  ],
];

for (const [id, what, between] of leaks) {
  test(`found: ${what}`, async () => {
    expect((await verdictsOn({ only: [id], between }))[id]).toBe("broken");
    expect((await verdictsOn({ only: [id] }))[id]).toBe("holds");
  });
}

test("a free key that is served nowhere may be wrong in the target", async () => {
  const known = ({ keys }: Target): Partial<Target> => {
    const free = keys.get("free");
    if (!free) throw new Error("the target has no free key");
    return { keys: new Map([...keys, ["free", { ...free, secret: new Secret("free", "mistyped-in-the-target") }]]) };
  };
  expect((await verdictsOn({ only: ["WAL-FREE-01"], known }))["WAL-FREE-01"]).toBe("withheld");
});

test("an honest vendor's charges hold", async () => {
  expect(await verdictsOn({ only: charges })).toEqual(all("holds"));
});

test("a refused sample withholds, and no other call is blamed for it", async () => {
  expect(await verdictsOn({ only: charges, between: unfunded })).toEqual(all("withheld"));
});

test("an unknown domain withholds only requirements about domains", async () => {
  const between = answering((request) =>
    /\.sol\/identity$/.test(new URL(request.url).pathname) ? answered(404, { message: "no such name" }) : null,
  );
  expect(await verdictsOn({ only: ["WAL-ID-01", "WAL-ID-02", "MET-WAL-01"], between })).toEqual({
    "WAL-ID-01": "holds",
    "WAL-ID-02": "withheld",
    "MET-WAL-01": "holds",
  });
});

test("a usage read that costs a fraction of a credit is no breach of a call", async () => {
  let reads = 0;
  const between = rewritten(
    () => undefined,
    (usage) => {
      reads += 1;
      const cost = Math.round(reads * 0.3);
      usage.credits.rpc += cost;
      usage.creditsUsed += cost;
      usage.creditsRemaining -= cost;
    },
  );
  expect(Object.values(await verdictsOn({ only: charges, between }))).not.toContain("broken");
});

test("a call that takes the last of the plan's credits is charged once", async () => {
  let first: number | undefined;
  const between = rewritten(
    () => undefined,
    (usage) => {
      first ??= usage.creditsRemaining;
      usage.creditsRemaining = Math.max(0, usage.creditsRemaining - first + 250);
    },
  );
  expect((await verdictsOn({ only: ["MET-WAL-04"], between }))["MET-WAL-04"]).toBe("holds");
});

test("a call that is repeated between health checks isn't charged with their cost", async () => {
  let calls = 0;
  const between = answering((request) => {
    if (!isFor(request, "history")) return null;
    calls += 1;
    return calls === 1 ? answered(503, { message: "try again" }) : null;
  });
  expect(Object.values(await verdictsOn({ only: charges, between }))).not.toContain("broken");
});

test("parameters that aren't shown may be wanted", async () => {
  const between = answering((request) =>
    isFor(request, "history") ? answered(400, { message: "limit is required" }) : null,
  );
  expect((await verdictsOn({ only: ["WAL-HIST-01"], between }))["WAL-HIST-01"]).toBe("withheld");
});

for (const [what, served, verdict] of [
  ["in milliseconds are no breach", /^\d{13}$/, "withheld"],
  ["in no unit are a breach", /^$/, "broken"],
] as const) {
  test(`timestamps ${what}`, async () => {
    const between = answering(({ url }) => {
      const { pathname, searchParams } = new URL(url);
      const time = pathname.endsWith("/balance-at") ? searchParams.get("time") : null;
      return time === null ? null : answered(served.test(time) ? 200 : 400, {});
    });
    expect((await verdictsOn({ only: ["WAL-BALAT-01"], between }))["WAL-BALAT-01"]).toBe(verdict);
  });
}
