// Faults: each is classified, never verifies anything, and breaks a requirement only by amendment 4.
import { expect, test } from "@playwright/test";
import { suspicion } from "../../harness/transport/answers.ts";
import type { Fault } from "../../harness/transport/exchange.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import {
  answer,
  certificateFile,
  everywhere,
  faulty,
  type Heard,
  type Misbehaviour,
  refusalBody,
} from "../support/faultyPlatform.ts";
import { at, type Failing, type Instead, type Judged, judged } from "../support/judgedFaults.ts";
import { misbehaviours } from "../support/misbehaviours.ts";
import { deadBase, smallEnvironment, smallTarget, vendorKey } from "../support/vendor.ts";

/** Where no request is answered in time; where some are, a busy machine has longer. */
const deadlines_ms = { none: 1_000, some: 3_000, usual: 15_000 };

type FaultCase = readonly [title: string, says: string, failing: () => Promise<Failing> | Failing];

async function withCertificate(
  origin: (port: number) => string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Instead> {
  const server = await faulty({ isSecure: true });
  return at(origin(server.port), environment, server);
}

const cut: Misbehaviour = (socket) => socket.resetAndDestroy();

/** Faults before a request is received can't depend on it, so these requests go to another address. */
const unheard: { readonly [Kind in Exclude<Fault["kind"], keyof typeof misbehaviours>]: readonly FaultCase[] } = {
  refused: [["a closed port", "ECONNREFUSED", async () => ({ instead: at(await deadBase()) })]],
  dns: [["a host name that does not exist", "nowhere.invalid", () => ({ instead: at("https://nowhere.invalid") })]],
  tls: [
    [
      "an untrusted certificate",
      "SELF_SIGNED_CERT",
      async () => ({ instead: await withCertificate((port) => `https://localhost:${port}`) }),
    ],
    [
      "a trusted certificate of another host",
      "ERR_TLS_CERT_ALTNAME_INVALID",
      async () => ({
        instead: await withCertificate((port) => `https://127.0.0.1:${port}`, { SSL_CERT_FILE: certificateFile }),
      }),
    ],
    [
      "a plain server where TLS is spoken",
      "wrong version number",
      async () => {
        // As plain servers do, whatever they receive.
        const server = await faulty({ greeting: "HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n" });
        return { instead: at(`https://127.0.0.1:${server.port}`, {}, server) };
      },
    ],
    [
      "certificates that can't be read",
      "/nowhere.pem (ENOENT)",
      () => ({ instead: at("https://localhost:1", { SSL_CERT_FILE: "/nowhere.pem" }) }),
    ],
  ],
  proxy: [
    [
      "a proxy that refuses",
      "Proxy response (407)",
      async () => {
        const server = await faulty({
          when: everywhere,
          how: (socket) => socket.end("HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n"),
        });
        return { instead: at("https://vendor.example", { HTTPS_PROXY: `http://127.0.0.1:${server.port}` }, server) };
      },
    ],
    [
      "a proxy variable that holds no address",
      "HTTPS_PROXY isn't a valid proxy address",
      () => ({ instead: at("https://vendor.example", { HTTPS_PROXY: "http://:x:" }) }),
    ],
  ],
  other: [
    [
      "a request that we can't send",
      "UND_ERR_INVALID_ARG",
      () => {
        const { wire, close } = at("http://127.0.0.1:1");
        return {
          instead: { wire: (request, signal) => wire({ ...request, headers: [["x-bad", "a\nb"]] }, signal), close },
        };
      },
    ],
  ],
};

/** One prepared condition: the owner requests an unknown project, which is about AUTH-ADM-OWN-02. */
const isOfUnknownId = ({ path, key }: Pick<Heard, "path" | "key">): boolean =>
  path.includes("e0a5c3d2-94b7-4f16-8d3c-7b6a5f4e3d21") && key === vendorKey;
const everySeventh = ({ nth }: Heard): boolean => nth % 7 === 0;

test("the healthy platform of these tests has no findings", async () => {
  const { broken, exitCode, verdicts } = await judged({});
  expect({ broken, exitCode }).toEqual({ broken: [], exitCode: 0 });
  expect(verdicts.filter(({ verdict }) => verdict === "inconclusive")).toEqual([]);
});

const page = "<html><body>Please wait</body></html>";
const serverError = (status: number, error: string): string =>
  answer("GET", status, error, refusalBody(status, "Internal server error", error));

/** Answers that a gateway may give instead of the platform; `also`: what else they break once they count. */
const suspicious: readonly (readonly [title: string, says: string, text: string, also: readonly string[]])[] = [
  ["500", "a server error (HTTP 500)", serverError(500, "Internal Server Error"), []],
  [
    "502 as text",
    "a server error (HTTP 502)",
    answer("GET", 502, "Bad Gateway", "upstream gone", "", "text/plain"),
    ["GEN-JSON-01", "USG-HTTP-03"],
  ],
  ["503", "a server error (HTTP 503)", serverError(503, "Service Unavailable"), ["USG-HTTP-03"]],
  [
    "a page with 200",
    "a gateway page (HTTP 200, text/html)",
    answer("GET", 200, "OK", page, "", "text/html"),
    ["GEN-JSON-01", "USG-HTTP-01"],
  ],
  [
    "a page with 403",
    "a gateway page (HTTP 403, text/html)",
    answer("GET", 403, "Forbidden", page, "", "text/html"),
    ["ERR-ADM-SHAPE-01", "GEN-JSON-01"],
  ],
];

type Case = readonly [kind: string, ...FaultCase, also?: readonly string[]];
const cases: readonly Case[] = [
  ...Object.entries(misbehaviours).flatMap(([kind, causes]) =>
    causes.map(([title, says, how]): Case => [kind, title, says, () => ({ how })]),
  ),
  ...Object.entries(unheard).flatMap(([kind, some]) => some.map((one): Case => [kind, ...one])),
  ...suspicious.map(
    ([title, says, text, also]): Case => ["answer", title, says, () => ({ how: (socket) => socket.write(text) }), also],
  ),
];

/** Whole runs on faults are proved in virtual time (tests/proof/faults.spec.ts); these need the network. */
const wholeOnPush: readonly string[] = ["a reset instead of an answer", "500"];

for (const [kind, title, says, failing, also = []] of cases) {
  const isFault = kind !== "answer";
  const tag = wholeOnPush.includes(title) ? [] : "@slow";

  const judgedWhere = async (
    when: (heard: Heard) => boolean,
    only: readonly RequirementId[] | null = null,
  ): Promise<Judged> => {
    const made = await failing();
    const late_ms = when === everywhere ? deadlines_ms.none : deadlines_ms.some;
    const deadline_ms = kind === "timeout" ? late_ms : deadlines_ms.usual;
    const result = await judged({ failing: made, when, deadline_ms, only });
    if ("instead" in made) await made.instead.close();
    return result;
  };

  for (const [of, only, least] of [
    ["one requirement", ["AUTH-ADM-OWN-02"], 0],
    ["all", null, 20],
  ] as const)
    test(`${kind}: ${title}, everywhere, leaves ${of} inconclusive with its cause`, {
      tag: only ? [] : tag,
    }, async () => {
      const { verdicts, exchanges, exitCode, holds, broken } = await judgedWhere(everywhere, only);
      expect({ exitCode, holds, broken }).toEqual({ exitCode: 3, holds: [], broken: [] });
      expect(exchanges.length).toBeLessThan(30);
      expect([...new Set(exchanges.map(({ fault }) => fault?.kind))]).toEqual([isFault ? kind : undefined]);
      const reasons = verdicts.filter(({ verdict }) => verdict === "inconclusive").map(({ reason }) => reason ?? "");
      expect(reasons.length).toBeGreaterThan(least);
      for (const reason of reasons) {
        if (isFault) expect(reason).toContain(kind);
        expect(reason).toContain(says);
      }
    });

  test(`${kind}: ${title}, three times in one condition between health checks, counts`, { tag }, async () => {
    const { broken, exchanges, exitCode } = await judgedWhere(isOfUnknownId);
    expect(broken.toSorted()).toEqual(["AUTH-ADM-OWN-02", ...also].toSorted());
    expect(exitCode).toBe(1);
    // Each of the three failures is followed by a healthy answer to the owner.
    const failures = exchanges.filter((exchange) => suspicion(exchange) !== null);
    const next = failures.map(({ number }) => exchanges.find((exchange) => exchange.number === number + 1));
    expect(next.map((exchange) => exchange?.answer?.status)).toEqual([200, 200, 200]);
  });

  test(`${kind}: ${title}, every seventh time, breaks nothing`, { tag: "@slow" }, async () => {
    const { broken, exchanges } = await judgedWhere(everySeventh);
    expect(broken).toEqual([]);
    expect(exchanges.filter((exchange) => suspicion(exchange) !== null).length).toBeGreaterThan(1);
    if (isFault) expect(exchanges.filter(({ fault }) => fault?.kind === kind).length).toBeGreaterThan(1);
  });
}

const otherKey = "5b1e7f0c-2a94-4d38-b6c1-0e9f8a7d6c52";
/** A target with the key of a further project. */
const withOther = (role: string, project: string) => ({
  target: (base: string): string =>
    smallTarget(base)
      .replace("plan: paid } }", `plan: paid }, none: { ${project} } }`)
      .replace("SMALL_KEY } }", `SMALL_KEY }, ${role}: { project: none, env: OTHER_KEY } }`),
  environment: { ...smallEnvironment, OTHER_KEY: otherKey },
});

test("a transient fault does not replace a documented failure", async () => {
  let asked = 0;
  const { broken, verdicts } = await judged({
    when: ({ key }) => key === otherKey,
    failing: {
      how: (socket) => {
        asked += 1;
        if (asked === 3) socket.resetAndDestroy();
        else socket.write(serverError(500, "Internal Server Error"));
      },
    },
    ...withOther("unbilled", "id: 9c8e6d4b-11c7-4c0a-b5d1-7a6f5e4d3c33, plan: paid, billingData: missing"),
  });
  expect(broken).toEqual([]);
  expect(verdicts.filter(({ verdict }) => verdict === "inconclusive")).toEqual([]);
  expect(asked).toBeGreaterThan(5);
});

test("what only failing requests could have shown is inconclusive, not withheld", async () => {
  const { verdicts, broken, exitCode } = await judged({
    when: ({ key }) => key === otherKey,
    failing: { how: cut },
    ...withOther("free", "id: 3b1e9c9e-52d3-4a86-9a43-2f3a0b5d6c11, plan: free"),
  });
  // A valid key that is reset three times isn't served; what its answer would have shown isn't known.
  expect({ broken, exitCode }).toEqual({ broken: ["USG-HTTP-01"], exitCode: 1 });
  expect(verdicts.find(({ id }) => id === "CYC-BILL-01")).toMatchObject({
    verdict: "inconclusive",
    reason: expect.stringContaining("reset"),
  });
});

test("a fault without a key is no refusal, and distinguishes no callers", async () => {
  const { broken, holds } = await judged({ when: ({ key }) => key === null, failing: { how: cut } });
  expect(broken).toContain("AUTH-ALL-01");
  expect(broken).toContain("AUTH-ADM-MISS-01");
  expect(holds).toEqual([]);
});
