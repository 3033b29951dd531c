// Does k6 send what it is told, when it is told, and is every quiet failure of it heard?
import { readdirSync } from "node:fs";
import type { IncomingMessage, RequestListener } from "node:http";
import { gunzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { Inconclusive } from "../../harness/core/outcomes.ts";
import { redactorOf, Secret } from "../../harness/core/secret.ts";
import type { TimedWireRequest } from "../../harness/transport/timedRequests.ts";
import type { WireAnswer, WireRequest } from "../../harness/transport/wire.ts";
import { WireFault } from "../../harness/transport/wireFault.ts";
import { k6Generator, latest_ms, timedAnswersOf } from "../../load/k6/generator.ts";
import type { ScheduleRecord } from "../../load/k6/orders.ts";
import { runK6 } from "../../load/k6/process.ts";
import { emptyFolder } from "../support/assay.ts";
import { k6, k6That } from "../support/k6.ts";
import { vendor, vendorKey } from "../support/vendor.ts";

const redact = redactorOf([new Secret("paid", vendorKey)]);

const get = (url: string, more: Partial<WireRequest> = {}): WireRequest => ({
  method: "GET",
  url,
  headers: [["accept", "application/json"]],
  ...more,
});
const timedRequest = (at_ms: number, connection: number, request: WireRequest): TimedWireRequest => ({
  at_ms,
  connection,
  request,
});
const answered = (outcome: unknown): WireAnswer => {
  if (outcome instanceof WireFault) throw outcome;
  return outcome as WireAnswer;
};

interface Heard {
  readonly at_ms: number;
  readonly socket: number;
  readonly request: IncomingMessage;
  readonly body: Buffer;
}

/** A platform that notes what it hears, and answers as it is told. */
async function noting(
  answer: RequestListener,
): Promise<{ readonly base: string; readonly heard: readonly Heard[]; close(): Promise<void> }> {
  const heard: Heard[] = [];
  const sockets = new Map<object, number>();
  const { base, close } = await vendor((request, response) => {
    const at_ms = performance.now();
    sockets.set(request.socket, sockets.get(request.socket) ?? sockets.size);
    const chunks: Buffer[] = [];
    request
      .on("data", (chunk: Buffer) => chunks.push(chunk))
      .on("end", () => {
        heard.push({ at_ms, socket: sockets.get(request.socket) ?? -1, request, body: Buffer.concat(chunks) });
        answer(request, response);
      });
  });
  return { base, heard, close };
}

const hello: RequestListener = (_request, response) =>
  void response.writeHead(200, { "content-type": "text/plain", "X-Said": "yes" }).end("hé");

test("requests leave as they stand, at their times, and answers come back in the order of the rounds", async () => {
  const { base, heard, close } = await noting(hello);
  const timedRequests = [
    timedRequest(300, 0, get(`${base}/b?api-key=${vendorKey}`)),
    timedRequest(0, 1, {
      method: "POST",
      url: `${base}/a`,
      headers: [["content-type", "application/json"]],
      body: '{"é":1}',
    }),
    timedRequest(600, 1, {
      method: "POST",
      url: `${base}/c`,
      headers: [
        ["content-encoding", "gzip"],
        ["user-agent", "assay"],
      ],
      body: "squeezed",
    }),
  ];
  const timedAnswers = await k6Generator(k6(), { redact }).fire(timedRequests);
  await close();
  expect(heard.map(({ request }) => `${request.method} ${request.url}`)).toEqual([
    "POST /a",
    `GET /b?api-key=${vendorKey}`,
    "POST /c",
  ]);
  expect(heard[0]?.body.toString()).toBe('{"é":1}');
  expect(gunzipSync(heard[2]?.body ?? "").toString()).toBe("squeezed");
  expect(heard[2]?.request.headers["user-agent"]).toBe("assay");
  for (const [nth, { sent_ms, received_ms, outcome }] of timedAnswers.entries()) {
    const at_ms = timedRequests[nth]?.at_ms ?? 0;
    expect(sent_ms - at_ms).toBeGreaterThanOrEqual(-1);
    expect(sent_ms - at_ms).toBeLessThan(latest_ms + 50);
    expect(received_ms).toBeGreaterThan(sent_ms);
    expect(answered(outcome).status).toBe(200);
    expect(Object.fromEntries(answered(outcome).headers)["x-said"]).toBe("yes");
    expect(new TextDecoder().decode(answered(outcome).body)).toBe("hé");
  }
  // By the clock of who was asked, as far apart as they were to be sent.
  const [first = 0, , third = 0] = heard.map(({ at_ms }) => at_ms);
  expect(Math.abs(third - first - 600)).toBeLessThan(latest_ms);
});

test("twelve at once leave within 190 ms, each on a connection of its own", async () => {
  const { base, heard, close } = await noting(hello);
  const timedAnswers = await k6Generator(k6(), { redact }).fire(
    Array.from({ length: 12 }, (_, nth) => timedRequest(0, nth, get(base))),
  );
  await close();
  const arrived = heard.map(({ at_ms }) => at_ms);
  const sent = timedAnswers.map(({ sent_ms }) => sent_ms);
  expect(Math.max(...arrived) - Math.min(...arrived)).toBeLessThan(190);
  expect(Math.max(...sent) - Math.min(...sent)).toBeLessThan(190);
  expect(new Set(heard.map(({ socket }) => socket)).size).toBe(12);
});

test("rounds of one connection share it where they don't overlap; others never do", async () => {
  const { base, heard, close } = await noting(hello);
  await k6Generator(k6(), { redact }).fire([
    timedRequest(0, 7, get(base)),
    timedRequest(200, 7, get(base)),
    timedRequest(400, 3, get(base)),
  ]);
  await close();
  expect(heard.map(({ socket }) => socket)).toEqual([0, 0, 1]);
});

test("no redirect is followed, no cookie kept, and a body comes as it is", async () => {
  const { base, heard, close } = await noting(
    (_request, response) =>
      void response.writeHead(302, { location: "/elsewhere", "set-cookie": "a=1" }).end(Buffer.from([0xff, 0xfe, 0])),
  );
  const [first] = await k6Generator(k6(), { redact }).fire([
    timedRequest(0, 0, get(base)),
    timedRequest(200, 0, get(base)),
  ]);
  await close();
  expect(answered(first?.outcome).status).toBe(302);
  expect([...answered(first?.outcome).body]).toEqual([0xff, 0xfe, 0]);
  expect(heard.map(({ request }) => request.url)).toEqual(["/", "/"]);
  expect(heard[1]?.request.headers.cookie).toBeUndefined();
});

test("what kept an answer away is named as it is everywhere", async () => {
  const closed = await vendor(hello);
  await closed.close();
  const { base, close } = await vendor((request, response) => {
    if (request.url === "/reset") request.socket.resetAndDestroy();
    else if (request.url === "/cut")
      response.writeHead(200, { "content-length": "100" }).write("half", () => request.socket.destroy());
    else if (request.url === "/garbage") request.socket.end("no HTTP at all\r\n\r\n");
  });
  const paths = ["/reset", "/cut", "/garbage", "/silence"];
  const urls = [...paths.map((path) => base + path), closed.base, "http://nobody.invalid/"];
  const timedAnswers = await k6Generator(k6(), { redact, deadline_ms: 1_000 }).fire(
    urls.map((url, nth) => timedRequest(0, nth, get(url))),
  );
  await close();
  expect(timedAnswers.map(({ outcome }) => (outcome as WireFault).kind)).toEqual([
    "reset",
    "truncated",
    "protocol",
    "timeout",
    "refused",
    "dns",
  ]);
});

test("an answer of any status is an answer", async () => {
  const { base, close } = await vendor(
    (request, response) => void response.writeHead(Number(request.url?.slice(1))).end(),
  );
  const timedAnswers = await k6Generator(k6(), { redact }).fire(
    [200, 404, 429, 503].map((status, nth) => timedRequest(0, nth, get(`${base}/${status}`))),
  );
  await close();
  expect(timedAnswers.map(({ outcome }) => answered(outcome).status)).toEqual([200, 404, 429, 503]);
});

test("two headers of one name are more than k6 can send", async () => {
  const failure = k6Generator({ path: "/nowhere", version: "2.2.0" }, { redact }).fire([
    timedRequest(
      0,
      0,
      get("http://127.0.0.1/", {
        headers: [
          ["X-Api-Key", "a"],
          ["x-api-key", "b"],
        ],
      }),
    ),
  ]);
  await expect(failure).rejects.toThrow(Inconclusive);
});

const told = (nth: number, called_ms: number): readonly [number, ScheduleRecord] => [
  nth,
  {
    nth,
    called_ms,
    sent_ms: called_ms,
    received_ms: called_ms + 5,
    answer: { status: 200, headers: {}, body_base64: "", errorCode: 0, error: "" },
  },
];
const two = [timedRequest(0, 0, get("http://127.0.0.1/")), timedRequest(100, 0, get("http://127.0.0.1/"))];
const whole = { iterations: 1, droppedIterations: 0, requests: 2 };

test("a generator that sent too late, dropped something or told too little is no witness", () => {
  const onTime = new Map([told(0, 3), told(1, 100 + latest_ms)]);
  expect(timedAnswersOf(two, onTime, whole, redact)).toHaveLength(2);
  expect(() => timedAnswersOf(two, new Map([told(0, 3), told(1, 101 + latest_ms)]), whole, redact)).toThrow(
    /saturated: a request was sent 91 ms after its time/,
  );
  expect(() => timedAnswersOf(two, onTime, { ...whole, droppedIterations: 1 }, redact)).toThrow(/dropped 1/);
  expect(() => timedAnswersOf(two, new Map([told(0, 3)]), whole, redact)).toThrow(/told of 1 of 2 requests/);
  expect(() => timedAnswersOf(two, new Map(), { iterations: 0, droppedIterations: 0, requests: 0 }, redact)).toThrow(
    Inconclusive,
  );
});

test("k6 that can't keep up is found out", async () => {
  const { base, close } = await vendor(hello);
  // To be sent before anything can be.
  await expect(k6Generator(k6(), { redact }).fire([timedRequest(-2_000, 0, get(base))])).rejects.toThrow(/saturated/);
  await close();
});

test("an uncaught error of a script is heard, though k6 exits 0", async () => {
  const orders = {
    timedRequests: [
      {
        at_ms: 0,
        connection: 0,
        method: "GET",
        url: "http://127.0.0.1:9/",
        headers: {},
        body_base64: `%%${vendorKey}`,
      },
    ],
    deadline_ms: 1_000,
    lead_ms: 10,
  };
  const failure = runK6(k6(), { script: "schedule", orders, within_ms: 20_000, redact, onRecord: () => {} });
  await expect(failure).rejects.toThrow(Inconclusive);
  await expect(failure).rejects.toThrow(/k6's script failed: .*illegal base64/);
});

const summary = '{"summary":{"iterations":1,"droppedIterations":0,"requests":1}}';
for (const [name, line, says] of [
  ["crashes", "echo 'panic: oh' >&2; exit 2", /exit code 2: panic: oh/],
  ["is killed", "kill -9 $$", /ended with a signal/],
  ["ends without a word", "exit 0", /without a summary/],
  [
    "says an error and exits 0",
    `echo '{"level":"error","msg":"Uncaught (in promise) ${vendorKey}"}'; echo '${summary}'`,
    /script failed: Uncaught \(in promise\) <key:paid>/,
  ],
  ["says what is no JSON", `echo 'what?'; echo '${summary}'`, /script failed: what\?/],
  [
    "says a record that is none",
    `echo '{"level":"info","source":"console","msg":"{"}'; echo '${summary}'`,
    /script failed/,
  ],
  ["tells of fewer requests than were asked for", `echo '${summary}'`, /told of 0 of 1 requests/],
] as const) {
  test(`k6 that ${name} is inconclusive`, async () => {
    const failure = k6Generator(k6That(line), { redact }).fire([timedRequest(0, 0, get("http://127.0.0.1:9/"))]);
    await expect(failure).rejects.toThrow(Inconclusive);
    await expect(failure).rejects.toThrow(says);
  });
}

test("k6 that never ends is stopped, and one that isn't there is told", async () => {
  const job = {
    script: "schedule",
    orders: { timedRequests: [], deadline_ms: 1, lead_ms: 1 },
    within_ms: 300,
    redact,
    onRecord: () => {},
  } as const;
  await expect(runK6(k6That("exec sleep 30"), job)).rejects.toThrow("k6 was stopped: it took longer than 0.3 s");
  await expect(runK6({ path: "/nowhere/k6", version: "2.2.0" }, job)).rejects.toThrow(/couldn't be started/);
});

/** What a key looks like when it comes back. */
const echoed = [
  vendorKey,
  [...Buffer.from(vendorKey)].map((byte) => `%${byte.toString(16)}`).join(""),
  Buffer.from(vendorKey).toString("base64"),
];

test("no key is in what is said of a failure, in whatever form it comes back", async () => {
  const failures = echoed.map((form) =>
    k6Generator(k6That(`echo '${form}' >&2; echo '{"level":"error","msg":"Get ${form}: refused"}'; exit 1`), { redact })
      .fire([timedRequest(0, 0, get("http://127.0.0.1:9/"))])
      .then(() => "", String),
  );
  for (const [nth, said] of (await Promise.all(failures)).entries()) {
    expect(said).toContain("<key:paid>");
    expect(said.toLowerCase()).not.toContain(echoed[nth]?.slice(12, -12).toLowerCase());
  }
});

test("k6 writes no file, and is told no key but by what it reads", async () => {
  const [folder, closed] = [emptyFolder(), await vendor(hello)];
  await closed.close();
  // k6 says the whole address of a request that failed.
  const request = { method: "GET", url: `${closed.base}/?api-key=${vendorKey}`, headers: {}, body_base64: null };
  const records: ScheduleRecord[] = [];
  await runK6(k6(), {
    script: "schedule",
    orders: { timedRequests: [{ at_ms: 0, connection: 0, ...request }], deadline_ms: 1_000, lead_ms: 10 },
    within_ms: 20_000,
    redact,
    onRecord: (record) => records.push(record as ScheduleRecord),
    settings: { TMPDIR: folder, HOME: folder, XDG_CONFIG_HOME: folder },
  });
  expect(records.map(({ answer }) => answer.errorCode)).toEqual([1212]);
  expect(readdirSync(folder, { recursive: true })).toEqual([]);
});

test("no key of ours is in k6's environment", async () => {
  process.env["SMALL_KEY"] = vendorKey;
  const failure = k6Generator(k6That("env >&2; exit 1"), { redact: (text) => text }).fire([
    timedRequest(0, 0, get("http://127.0.0.1:9/")),
  ]);
  await expect(failure).rejects.toThrow(/K6_NO_USAGE_REPORT=true/);
  await failure.catch((error: unknown) => expect(String(error)).not.toContain(vendorKey));
});
