// Does each way in which an answer can fail to come get its name, never green, and broken only by the register's amendment 4?
import { expect, test } from "@playwright/test";
import { suspicion } from "../../harness/transport/answers.ts";
import type { Fault } from "../../harness/transport/exchange.ts";
import { answer, certificateFile, deadPort, everywhere, faulty, type Heard } from "../support/faultyPlatform.ts";
import { at, type Failing, type Instead, type Judged, judged } from "../support/judgedFaults.ts";
import { type Cause, misbehaviours } from "../support/misbehaviours.ts";
import { smallEnvironment, smallTarget, vendorKey } from "../support/vendor.ts";

/** Long enough for any answer of a healthy server in a busy process, short enough to wait for often. */
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

/** Before a request is heard a platform can't tell whose it is, so these fail on the way to another address. */
const unheard: {
  readonly [Kind in "refused" | "dns" | "tls" | "proxy" | "other"]: readonly Omit<FaultCase, "kind">[];
} = {
  refused: [
    {
      title: "a port where nobody listens",
      says: "ECONNREFUSED",
      failing: () => instead(deadPort().then((port) => at(`http://127.0.0.1:${port}`))),
    },
  ],
  dns: [
    {
      title: "a name that nobody has",
      says: "nowhere.invalid",
      failing: () => ({ instead: at("https://nowhere.invalid") }),
    },
  ],
  tls: [
    {
      title: "a certificate that nobody vouches for",
      says: "SELF_SIGNED_CERT",
      failing: () => instead(withCertificate((port) => `https://localhost:${port}`)),
    },
    {
      title: "a good certificate of another host",
      says: "ERR_TLS_CERT_ALTNAME_INVALID",
      failing: () =>
        instead(withCertificate((port) => `https://127.0.0.1:${port}`, { SSL_CERT_FILE: certificateFile })),
    },
    {
      title: "a plain server where TLS is spoken",
      says: "wrong version number",
      failing: async () => {
        // It answers whatever it hears, as plain servers do.
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
      title: "a proxy that lets nobody through",
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

/** One prepared condition: the owner asks for a project that isn't there. Its requirement is AUTH-ADM-OWN-02. */
const asksForUnknownId = ({ path, key }: Pick<Heard, "path" | "key">): boolean =>
  path.includes("e0a5c3d2-94b7-4f16-8d3c-7b6a5f4e3d21") && key === vendorKey;
const everySeventh = ({ nth }: Heard): boolean => nth % 7 === 0;

test("the small good platform draws no finding", async () => {
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

  test(`${kind}: ${title}, three times in one condition between healthy controls, breaks that condition's requirement alone`, async () => {
    const { broken, exchanges, exitCode } = await judgedCase(one, asksForUnknownId);
    expect({ broken, exitCode }).toEqual({ broken: ["AUTH-ADM-OWN-02"], exitCode: 1 });
    expectThreeDraws(exchanges);
  });

  test(`${kind}: ${title}, every seventh time, breaks nothing`, { tag: "@slow" }, async () => {
    const { broken, exchanges } = await judgedCase(one, everySeventh);
    expect(broken).toEqual([]);
    expect(exchanges.filter(({ fault }) => fault?.kind === kind).length).toBeGreaterThan(1);
  });
}

/** Each draw of the condition is followed by a healthy answer to its owner. */
function expectThreeDraws(exchanges: Judged["exchanges"]): void {
  const draws = exchanges.filter((exchange) => suspicion(exchange) !== null);
  const behind = draws.map(({ number }) => exchanges.find((exchange) => exchange.number === number + 1));
  expect(behind.map((exchange) => exchange?.answer?.status)).toEqual([200, 200, 200]);
}

const page = "<html><body>Please wait</body></html>";
const serverError = (status: number, error: string): string =>
  answer("GET", status, error, JSON.stringify({ statusCode: status, message: "Internal server error", error }));

/** Answers that a gateway may give in the platform's place; `also` is what they break besides, once they count. */
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

  test(`${title}, three times in one condition between healthy controls, counts`, async () => {
    const { broken, exchanges, exitCode } = await judged({ failing, when: asksForUnknownId });
    expect(broken.toSorted()).toEqual(["AUTH-ADM-OWN-02", ...also].toSorted());
    expect(exitCode).toBe(1);
    expectThreeDraws(exchanges);
  });

  test(`${title}, every seventh time, breaks nothing`, { tag: "@slow" }, async () => {
    expect((await judged({ failing, when: everySeventh })).broken).toEqual([]);
  });
}

test("a passing fault is not taken for the answer of a condition that fails as documented", async () => {
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

test("what only a failing condition could have shown is inconclusive, never withheld in silence", async () => {
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
  // A good key that draws a reset three times between healthy controls isn't served; what its answer would have shown stays open.
  expect({ broken, exitCode }).toEqual({ broken: ["USG-HTTP-01"], exitCode: 1 });
  expect(verdicts.find(({ id }) => id === "CYC-BILL-01")).toMatchObject({
    verdict: "inconclusive",
    reason: expect.stringContaining("not exercised: reset"),
  });
});

test("failing for those without a key is no refusal, and tells nobody apart", async () => {
  const { broken, holds } = await judged({
    when: ({ key }) => key === null,
    failing: { how: (socket) => socket.resetAndDestroy() },
  });
  expect(broken).toContain("AUTH-ALL-01");
  expect(broken).toContain("AUTH-ADM-MISS-01");
  expect(holds).toEqual([]);
});
