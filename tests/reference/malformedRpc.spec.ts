// Does a malformed JSON-RPC request get a well-formed refusal, crash nothing and change no ledger? In-process; over sockets what only bytes can say.
import { connect } from "node:net";
import { expect, test } from "@playwright/test";
import { demo } from "../../reference/demo.ts";
import { listen } from "../../reference/http.ts";
import { Chain, wellKnown } from "../../reference/platform/chain.ts";
import { createPlatform } from "../../reference/platform.ts";
import { health, type Json, type MalformedCall, malformedCalls, short } from "../support/malformedCalls.ts";

/** Typed from §7.2. */
const documented: { readonly [errorTable: string]: { readonly [code: number]: string } } = {
  getTokenAccounts: {
    [-32602]: "Invalid request parameters.",
    [-32001]: "Authentication failed. Missing or invalid API key.",
  },
  compression: { [-32602]: "Invalid params", [-32001]: "Unauthorized" },
};
const wordsFor = (code: number, method: string | undefined): string | undefined =>
  method === undefined ? undefined : documented[method === "getTokenAccounts" ? method : "compression"]?.[code];

interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

const isObject = (value: unknown): value is { readonly [member: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a value is an error envelope as §7.2 has it, and nothing more. */
function isRefusal(
  value: unknown,
): value is { readonly id: Json; readonly error: { readonly code: number; readonly message: string } } {
  if (
    !isObject(value) ||
    Object.keys(value).sort().join() !== "error,id,jsonrpc" ||
    value["jsonrpc"] !== "2.0" ||
    !isObject(value["error"])
  )
    return false;
  const { error, id } = value;
  return (
    Number.isInteger(error["code"]) &&
    typeof error["message"] === "string" &&
    error["message"] !== "" &&
    (id === null || typeof id === "string" || typeof id === "number")
  );
}

const allOf = (said: unknown): readonly unknown[] => (Array.isArray(said) ? (said as readonly unknown[]) : []);

/** What is wrong with an answer; null where nothing is. */
function faultOf(
  { status, contentType, body }: Answer,
  { draws, id = null, method, verb }: MalformedCall,
): string | null {
  const got = `HTTP ${status} ${short(body)}`;
  if (status < 200 || status >= 500) return got;
  if (draws === "none") return status === 204 && body === "" ? null : got;
  if (!contentType.startsWith("application/json")) return `${got}, labelled ${contentType}`;
  if (draws === "4xx")
    return status >= 400 && (verb === "HEAD" || /^\{"statusCode":4\d\d,"message":".+","error":".+"\}$/.test(body))
      ? null
      : got;
  const said = JSON.parse(body) as unknown;
  if (draws === "refusals") return allOf(said).length > 0 && allOf(said).every(isRefusal) ? null : got;
  if (draws === "result") return isObject(said) && "result" in said && said["id"] === id ? null : got;
  if (!isRefusal(said) || said.error.code !== draws || said.id !== id)
    return `${got} instead of ${draws} with the id ${JSON.stringify(id)}`;
  const words = wordsFor(draws, method) ?? said.error.message;
  return said.error.message === words ? null : `${got} instead of "${words}"`;
}

/** Good calls are charged, which would hide whether bad ones are. */
const unmetered = { id: "unmetered", rules: { metering: { rpc: "not metered" } } } as const;

/** A platform of its own for each test, on a clock so hasty that no limiter refuses. */
function stage() {
  const { world, keys, ids } = demo();
  let now_ms = Date.now();
  const platform = createPlatform({ world, now_ms: () => (now_ms += 1000), variant: unmetered });
  const ask = async (target: string, init: RequestInit): Promise<Answer> => {
    const response = await platform.fetch(
      new Request(`http://127.0.0.1${target.replaceAll("{key}", keys.paid)}`, init),
    );
    return {
      status: response.status,
      contentType: response.headers.get("content-type") ?? "",
      body: await response.text(),
    };
  };
  return {
    platform,
    key: keys.paid,
    send: ({ target = "/?api-key={key}", verb = "POST", headers = {}, body }: MalformedCall): Promise<Answer> =>
      ask(target, {
        method: verb,
        headers: { "content-type": "application/json", ...headers },
        ...(body.length > 0 ? { body } : {}),
      }),
    /** What good calls and readers of usage are told, and all that stands in a ledger. */
    state: async () => ({
      health: await ask("/?api-key={key}", { method: "POST", body: health }),
      usage: await Promise.all(
        (["paid", "other", "free"] as const).map((role) =>
          ask(`/v0/admin/projects/${ids[role]}/usage?api-key=${keys[role]}`, {}),
        ),
      ),
      ledgers: JSON.stringify(
        world.projects.map(({ ledger, plan, clock, billingData }) => [
          ledger.entries,
          ledger.purchased,
          plan,
          clock,
          billingData,
        ]),
      ),
    }),
  };
}

const served = {
  health: { status: 200, body: '{"jsonrpc":"2.0","result":"ok","id":7}' },
  usage: [{ status: 200 }, { status: 200 }, { status: 200 }],
};

const { compressed } = new Chain();
const tables = malformedCalls({
  owner: wellKnown.owner,
  mint: wellKnown.mint,
  account: compressed[0]?.address ?? "",
  hashOfAnother: compressed[2]?.hash ?? "",
});

for (const [title, calls] of Object.entries(tables)) {
  test(`well-formed answers, and nothing changed: ${title}`, async () => {
    const { send, state } = stage();
    const before = await state();
    expect(before).toMatchObject(served);
    const faults: string[] = [];
    for (const call of calls) {
      const fault = await send(call).then(
        (answer) => faultOf(answer, call),
        (error: unknown) => `crashed: ${String(error)}`,
      );
      if (fault !== null) faults.push(`${call.title}: ${fault}`);
    }
    expect(faults).toEqual([]);
    expect(await state()).toEqual(before);
  });
}

const head = (verb: string, headers: readonly string[], target = "/?api-key={key}"): string =>
  [`${verb} ${target} HTTP/1.1`, "Host: 127.0.0.1", "Connection: close", ...headers, "", ""].join("\r\n");
const sized = (body: string): string =>
  head("POST", ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`]) + body;
const chunked = (chunks: string): string => head("POST", ["Transfer-Encoding: chunked"]) + chunks;
const chunkOf = (body: string): string => `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n`;

/** What is JSON-RPC in no HTTP message, or in a broken one. */
const broken: readonly string[] = [
  ...[
    health,
    `POST / HTTP/1.1\r\n\r\n${health}`,
    head("POST", ["Content-Length: 1000"]) + health,
    head("POST", ["Content-Length: -1"]) + health,
    head("POST", ["Content-Length: x"]) + health,
  ],
  ...[
    head("POST", ["Content-Length: 9", "Content-Length: 10"]) + health,
    head("POST", ["Content-Length: 9", "Transfer-Encoding: chunked"]) + health,
    head("POST", ["Transfer-Encoding: gzip"]) + health,
  ],
  ...["zz\r\n", "-1\r\n{\r\n", "1\r\n{}\r\n0\r\n\r\n", "", chunkOf(health), "FFFFFFFFFFFFFFFFFF\r\n{"].map(chunked),
  ...[
    head("POST", ["Expect: the unexpected", `Content-Length: ${health.length}`]) + health,
    head("POST", [`A: ${"a".repeat(100_000)}`]),
    head("POST", [], `/?api-key=${"a".repeat(100_000)}`),
  ],
];

/** What a socket can carry and a Web request can't. */
const framed: readonly (readonly [bytes: string | Buffer, code: number])[] = [
  [head("POST", []), -32700],
  [head("POST", ["Content-Length: 0"]), -32700],
  [head("POST", [`Content-Length: ${health.length - 1}`]) + health.slice(0, -1), -32700],
  [chunked("0\r\n\r\n"), -32700],
  [chunked(`${[...health.slice(0, -1)].map(chunkOf).join("")}0\r\n\r\n`), -32700],
  [Buffer.concat([Buffer.from(head("POST", ["Content-Length: 3"])), Buffer.from([0xef, 0xbb, 0xbf])]), -32700],
  [Buffer.concat([Buffer.from(head("POST", ["Content-Length: 2"])), Buffer.from([0xc3, 0x28])]), -32700],
];

/** Whatever came back before the connection closed. */
function answerTo(port: number, bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    let heard = "";
    const socket = connect(port, "127.0.0.1", () => socket.end(bytes));
    socket.setEncoding("utf8").setTimeout(10_000, () => socket.destroy(new Error("no answer and no end within 10 s")));
    socket.on("data", (chunk: string) => (heard += chunk));
    socket.on("error", (error: NodeJS.ErrnoException) =>
      ["ECONNRESET", "EPIPE"].includes(error.code ?? "") ? undefined : reject(error),
    );
    socket.on("close", () => resolve(heard));
  });
}

function answerOf(heard: string): Answer | null {
  const [, status, headers = "", body = ""] = /^HTTP\/1\.1 (\d{3})([\s\S]*?)\r\n\r\n([\s\S]*)$/.exec(heard) ?? [];
  return status === undefined
    ? null
    : { status: Number(status), contentType: /\r\ncontent-type: ([^\r]*)/i.exec(headers)?.[1] ?? "", body };
}

/** Asks a listening platform one thing after another; what went wrong, and whether anything changed. */
async function overSockets(ask: (port: number, key: string) => Promise<readonly string[]>): Promise<readonly string[]> {
  const { platform, key, state } = stage();
  const before = await state();
  const { port, close } = await listen(platform, 0);
  const faults = await ask(port, key);
  const after = await fetch(`http://127.0.0.1:${port}/?api-key=${key}`, { method: "POST", body: health });
  expect([await after.text(), await state()]).toEqual([served.health.body, before]);
  await close();
  return faults;
}

test("over sockets: what is no HTTP is refused or hung up on, with nothing changed", async () => {
  const faults = await overSockets(async (port, key) => {
    const answers = await Promise.all(
      broken.map(async (bytes) => ({ bytes, answer: answerOf(await answerTo(port, bytes.replaceAll("{key}", key))) })),
    );
    return answers.flatMap(({ bytes, answer }) =>
      answer && (answer.status < 400 || answer.status > 499)
        ? [`${short(bytes)}: HTTP ${answer.status} ${answer.body}`]
        : [],
    );
  });
  expect(faults).toEqual([]);
});

test("over sockets: bodies that are empty, cut short or no text are refused as no JSON, with nothing changed", async () => {
  const faults = await overSockets(async (port, key) => {
    const answers = framed.map(async ([bytes, draws]) => {
      const answer = answerOf(
        await answerTo(port, Buffer.from(Buffer.from(bytes).toString("latin1").replaceAll("{key}", key), "latin1")),
      );
      return answer ? faultOf(answer, { title: "", draws, body: "" }) : "no answer";
    });
    return (await Promise.all(answers)).flatMap((fault, index) =>
      fault === null ? [] : [`${short(String(framed[index]?.[0]))}: ${fault}`],
    );
  });
  expect(faults).toEqual([]);
});

test("over sockets: every eighth of the malformed calls draws what it draws in-process, with nothing changed", async () => {
  const calls = Object.values(tables).flatMap((all) =>
    all.filter(
      ({ verb, headers, target, body }, nth) =>
        nth % 8 === 0 && !verb && !headers && !target && typeof body === "string",
    ),
  );
  const faults = await overSockets(async (port, key) => {
    const answers = calls.map(async (call) => {
      const answer = answerOf(await answerTo(port, sized(String(call.body)).replace("{key}", key)));
      return answer ? faultOf(answer, call) : "no answer";
    });
    return (await Promise.all(answers)).flatMap((fault, index) =>
      fault === null ? [] : [`${calls[index]?.title}: ${fault}`],
    );
  });
  expect(calls.length).toBeGreaterThan(50);
  expect(faults).toEqual([]);
});

test("there are at least 300 malformed calls, no two alike", () => {
  const all = Object.values(tables).flatMap((calls) =>
    calls.map(({ verb, target, headers, body }) =>
      JSON.stringify([verb, target, headers, Buffer.from(body).toString("latin1")]),
    ),
  );
  expect(all.length).toBeGreaterThanOrEqual(300);
  expect(all.filter((one, index) => all.indexOf(one) !== index).map(short)).toEqual([]);
});
