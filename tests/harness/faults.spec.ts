// Faults: each is classified, never verifies anything, and breaks a requirement only by amendment 4.
import { expect, test } from "@playwright/test";
import { suspicion } from "../../harness/transport/answers.ts";
import type { Fault } from "../../harness/transport/exchange.ts";
import { answer, certificateFile, deadPort, everywhere, faulty, type Heard } from "../support/faultyPlatform.ts";
import { at, type Failing, type Instead, type Judged, judged } from "../support/judgedFaults.ts";
import { type Cause, misbehaviours } from "../support/misbehaviours.ts";
import { smallEnvironment, smallTarget, vendorKey } from "../support/vendor.ts";

/** Long enough for a healthy server in a busy process, short enough to wait for often. */
const shortDeadline_ms = 400;
const longDeadline_ms = 10_000;

interface FaultCase {
  readonly kind: Fault["kind"];
  readonly title: string;
  readonly says: string;
  readonly failing: () => Promise<Failing> | Failing;
}

const instead = async (made: Promise<Instead>): Promise<Failing> => ({ instead: await made });
const sent =
  (kind: Fault["kind"]) =>
  ({ title, says, how }: Cause): FaultCase => ({ kind, title, says, failing: () => ({ how }) });

async function withCertificate(
  origin: (port: number) => string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Instead> {
  const server = await faulty({ isSecure: true });
  return at(origin(server.port), environment, server);
}

/** Faults before a request is received can't depend on it, so these requests go to another address. */
const unheard: {
  readonly [Kind in "refused" | "dns" | "tls" | "proxy" | "other"]: readonly Omit<FaultCase, "kind">[];
} = {
  refused: [
    {
      title: "a closed port",
      says: "ECONNREFUSED",
      failing: () => instead(deadPort().then((port) => at(`http://127.0.0.1:${port}`))),
    },
  ],
  dns: [
    {
      title: "a host name that does not exist",
      says: "nowhere.invalid",
      failing: () => ({ instead: at("https://nowhere.invalid") }),
    },
  ],
  tls: [
    {
      title: "an untrusted certificate",
      says: "SELF_SIGNED_CERT",
      failing: () => instead(withCertificate((port) => `https://localhost:${port}`)),
    },
    {
      title: "a trusted certificate of another host",
      says: "ERR_TLS_CERT_ALTNAME_INVALID",
      failing: () =>
        instead(withCertificate((port) => `https://127.0.0.1:${port}`, { SSL_CERT_FILE: certificateFile })),
    },
    {
      title: "a plain server where TLS is spoken",
      says: "wrong version number",
      failing: async () => {
        // As plain servers do, whatever they receive.
        const server = await faulty({ greeting: "HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n" });
        return { instead: at(`https://127.0.0.1:${server.port}`, {}, server) };
      },
    },
    {
      title: "certificates that can't be read",
      says: "/nowhere.pem (ENOENT)",
      failing: () => ({ instead: at("https://localhost:1", { SSL_CERT_FILE: "/nowhere.pem" }) }),
    },
  ],
  proxy: [
    {
      title: "a proxy that refuses",
      says: "Proxy response (407)",
      failing: async () => {
        const server = await faulty({
          when: everywhere,
          how: (socket) => socket.end("HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n"),
        });
        return { instead: at("https://vendor.example", { HTTPS_PROXY: `http://127.0.0.1:${server.port}` }, server) };
      },
    },
    {
      title: "a proxy variable that holds no address",
      says: "HTTPS_PROXY holds no address",
      failing: () => ({ instead: at("https://vendor.example", { HTTPS_PROXY: "http://:x:" }) }),
    },
  ],
  other: [
    {
      title: "a request that we can't send",
      says: "UND_ERR_INVALID_ARG",
      failing: () => {
        const { wire, close } = at("http://127.0.0.1:1");
        return {
          instead: { wire: (request, signal) => wire({ ...request, headers: [["x-bad", "a\nb"]] }, signal), close },
        };
      },
    },
  ],
};

const faults: readonly FaultCase[] = [
  ...(Object.entries(misbehaviours) as [Fault["kind"], readonly Cause[]][]).flatMap(([kind, causes]) =>
    causes.map(sent(kind)),
  ),
  ...(Object.entries(unheard) as [Fault["kind"], readonly Omit<FaultCase, "kind">[]][]).flatMap(([kind, cases]) =>
    cases.map((one) => ({ ...one, kind })),
  ),
];

const judgedCase = async (
  { kind, failing }: Pick<FaultCase, "kind" | "failing">,
  when: (heard: Heard) => boolean,
): Promise<Judged> => {
  const made = await failing();
  const result = await judged({
    failing: made,
    when,
    deadline_ms: kind === "timeout" ? shortDeadline_ms : longDeadline_ms,
  });
  if ("instead" in made) await made.instead.close();
  return result;
};

/** One prepared condition: the owner requests an unknown project, which is about AUTH-ADM-OWN-02. */
const isOfUnknownId = ({ path, key }: Pick<Heard, "path" | "key">): boolean =>
  path.includes("e0a5c3d2-94b7-4f16-8d3c-7b6a5f4e3d21") && key === vendorKey;
const everySeventh = ({ nth }: Heard): boolean => nth % 7 === 0;

test("the healthy platform of these tests has no findings", async () => {
  const { broken, exitCode, verdicts } = await judged({ failing: { how: () => undefined }, when: () => false });
  expect({ broken, exitCode }).toEqual({ broken: [], exitCode: 0 });
  expect(verdicts.filter(({ verdict }) => verdict === "inconclusive")).toEqual([]);
});

for (const one of faults) {
  const { kind, title, says } = one;

  test(`${kind}: ${title}, everywhere, is inconclusive with its cause`, async () => {
    const { verdicts, exchanges, exitCode, holds, broken } = await judgedCase(one, everywhere);
    expect({ exitCode, holds, broken }).toEqual({ exitCode: 3, holds: [], broken: [] });
    expect([...new Set(exchanges.map(({ fault }) => fault?.kind))]).toEqual([kind]);
    const reasons = verdicts.filter(({ verdict }) => verdict === "inconclusive").map(({ reason }) => reason ?? "");
    expect(reasons.length).toBeGreaterThan(20);
    for (const reason of reasons) {
      expect(reason).toContain(kind);
      expect(reason).toContain(says);
    }
  });

  test(`${kind}: ${title}, three times in one condition between health checks, breaks one requirement`, async () => {
    const { broken, exchanges, exitCode } = await judgedCase(one, isOfUnknownId);
    expect({ broken, exitCode }).toEqual({ broken: ["AUTH-ADM-OWN-02"], exitCode: 1 });
    expectThreeFailures(exchanges);
  });

  test(`${kind}: ${title}, every seventh time, breaks nothing`, { tag: "@slow" }, async () => {
    const { broken, exchanges } = await judgedCase(one, everySeventh);
    expect(broken).toEqual([]);
    expect(exchanges.filter(({ fault }) => fault?.kind === kind).length).toBeGreaterThan(1);
  });
}

/** Each of the three failures is followed by a healthy answer to the owner. */
function expectThreeFailures(exchanges: Judged["exchanges"]): void {
  const failures = exchanges.filter((exchange) => suspicion(exchange) !== null);
  const next = failures.map(({ number }) => exchanges.find((exchange) => exchange.number === number + 1));
  expect(next.map((exchange) => exchange?.answer?.status)).toEqual([200, 200, 200]);
}

const page = "<html><body>Please wait</body></html>";
const serverError = (status: number, error: string): string =>
  answer("GET", status, error, JSON.stringify({ statusCode: status, message: "Internal server error", error }));

/** Answers that a gateway may give instead of the platform; `also`: what else they break once they count. */
const suspicious = [
  { title: "500", says: "a server error (HTTP 500)", text: serverError(500, "Internal Server Error"), also: [] },
  {
    title: "502 as text",
    says: "a server error (HTTP 502)",
    text: answer("GET", 502, "Bad Gateway", "upstream gone", "", "text/plain"),
    also: ["GEN-JSON-01", "USG-HTTP-03"],
  },
  {
    title: "503",
    says: "a server error (HTTP 503)",
    text: serverError(503, "Service Unavailable"),
    also: ["USG-HTTP-03"],
  },
  {
    title: "a page with 200",
    says: "a gateway page (HTTP 200, text/html)",
    text: answer("GET", 200, "OK", page, "", "text/html"),
    also: ["GEN-JSON-01", "USG-HTTP-01"],
  },
  {
    title: "a page with 403",
    says: "a gateway page (HTTP 403, text/html)",
    text: answer("GET", 403, "Forbidden", page, "", "text/html"),
    also: ["ERR-ADM-SHAPE-01", "GEN-JSON-01"],
  },
];

for (const { title, says, text, also } of suspicious) {
  const failing: Failing = { how: (socket) => socket.write(text) };

  test(`${title}, everywhere, is inconclusive with its cause`, async () => {
    const { verdicts, exitCode, holds, broken } = await judged({ failing, when: everywhere });
    expect({ exitCode, holds, broken }).toEqual({ exitCode: 3, holds: [], broken: [] });
    for (const { reason, verdict } of verdicts) if (verdict === "inconclusive") expect(reason).toContain(says);
  });

  test(`${title}, three times in one condition between health checks, counts`, async () => {
    const { broken, exchanges, exitCode } = await judged({ failing, when: isOfUnknownId });
    expect(broken.toSorted()).toEqual(["AUTH-ADM-OWN-02", ...also].toSorted());
    expect(exitCode).toBe(1);
    expectThreeFailures(exchanges);
  });

  test(`${title}, every seventh time, breaks nothing`, { tag: "@slow" }, async () => {
    expect((await judged({ failing, when: everySeventh })).broken).toEqual([]);
  });
}

test("a transient fault does not replace a documented failure", async () => {
  const unbilledKey = "5b1e7f0c-2a94-4d38-b6c1-0e9f8a7d6c52";
  let asked = 0;
  const { broken, verdicts } = await judged({
    when: ({ key }) => key === unbilledKey,
    failing: {
      how: (socket) => {
        asked += 1;
        if (asked === 3) socket.resetAndDestroy();
        else socket.write(serverError(500, "Internal Server Error"));
      },
    },
    target: (base) =>
      smallTarget(base)
        .replace(
          "plan: paid } }",
          "plan: paid }, none: { id: 9c8e6d4b-11c7-4c0a-b5d1-7a6f5e4d3c33, plan: paid, billingData: missing } }",
        )
        .replace("SMALL_KEY } }", "SMALL_KEY }, unbilled: { project: none, env: UNBILLED_KEY } }"),
    environment: { ...smallEnvironment, UNBILLED_KEY: unbilledKey },
  });
  expect(broken).toEqual([]);
  expect(verdicts.filter(({ verdict }) => verdict === "inconclusive")).toEqual([]);
  expect(asked).toBeGreaterThan(5);
});

test("what only failing requests could have shown is inconclusive, not withheld", async () => {
  const freeKey = "5b1e7f0c-2a94-4d38-b6c1-0e9f8a7d6c52";
  const { verdicts, broken, exitCode } = await judged({
    when: ({ key }) => key === freeKey,
    failing: { how: (socket) => socket.resetAndDestroy() },
    target: (base) =>
      smallTarget(base)
        .replace("plan: paid } }", "plan: paid }, none: { id: 3b1e9c9e-52d3-4a86-9a43-2f3a0b5d6c11, plan: free } }")
        .replace("SMALL_KEY } }", "SMALL_KEY }, free: { project: none, env: FREE_KEY } }"),
    environment: { ...smallEnvironment, FREE_KEY: freeKey },
  });
  // A valid key that is reset three times isn't served; what its answer would have shown isn't known.
  expect({ broken, exitCode }).toEqual({ broken: ["USG-HTTP-01"], exitCode: 1 });
  expect(verdicts.find(({ id }) => id === "CYC-BILL-01")).toMatchObject({
    verdict: "inconclusive",
    reason: expect.stringContaining("not exercised: reset"),
  });
});

test("a fault without a key is no refusal, and distinguishes no callers", async () => {
  const { broken, holds } = await judged({
    when: ({ key }) => key === null,
    failing: { how: (socket) => socket.resetAndDestroy() },
  });
  expect(broken).toContain("AUTH-ALL-01");
  expect(broken).toContain("AUTH-ADM-MISS-01");
  expect(holds).toEqual([]);
});
