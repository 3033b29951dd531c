// The live page: what its readers get, and who may read it.
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "@playwright/test";
import type { Recorded } from "../../harness/recordings/recorded.ts";
import { type LiveFinding, mostListed } from "../../proxy/livePage.ts";
import { linesOf, liveExchange, livePage, liveState } from "../support/livePage.ts";
import { health, host } from "../support/recordings.ts";

const answered = async (url: string, headers: Readonly<Record<string, string>> = {}) => {
  const asked = request(url, { headers }).end();
  const answer = await new Promise<IncomingMessage>((done) => asked.once("response", done));
  return { status: answer.statusCode, headers: answer.headers, text: await text(answer) };
};

/** What a reader gets until a text has come. */
async function heardUntil(url: string, last: string): Promise<string> {
  const asked = request(`${url}/events`).end();
  const answer = await new Promise<IncomingMessage>((done) => asked.once("response", done));
  let heard = "";
  for await (const chunk of answer.setEncoding("utf8")) {
    heard += chunk as string;
    if (heard.includes(last)) break;
  }
  return heard;
}

test("readers get the last state at once, then each that follows", async ({ page }) => {
  const { url, show, close } = await livePage();
  show({ findings: [], counts: [] });
  await page.goto(url);
  await expect(page.locator("h1")).toHaveText("Nothing judged yet");
  for (let forwarded = 100; forwarded <= 200; forwarded += 1) show({ forwarded });
  await expect(page.locator("h1")).toHaveText("1 requirement broken");
  await expect(page.locator("#counts")).toHaveText("7 passed3 broken2 not judged");
  await expect(page.locator("#forwarded")).toHaveText("200 requests forwarded");
  await expect(page).toHaveTitle("1 requirement broken · acme");
  await expect(page.locator("#operations")).toHaveText("getAsset10");
  const many = Array.from({ length: 7 }, (_, at) => ({ ...liveState.findings[0], id: `USG-0${at}` }) as LiveFinding);
  show({ findings: many });
  await expect(page.locator("#rest")).toHaveText("2 more");
  await expect(page.locator("#findings > li")).toHaveCount(5);
  await close();
  await expect(page.locator("#lost")).toContainText("Connection lost");
});

test("exchanges come in at the top, up to a bound, and leave what a reader has open in its place", async ({ page }) => {
  const { url, show, close } = await livePage();
  const reason = "a JSON-RPC method that isn't in the interface";
  const unjudged = { kind: "unjudged", calls: [{ title: "", unjudged: reason, held: [], broken: [] }] };
  await page.setViewportSize({ width: 390, height: 700 });
  show({}, ...Array.from({ length: mostListed + 1 }, (_, at) => liveExchange(at + 1)));
  const heard = await heardUntil(url, `"number":${mostListed + 1},`);
  expect(heard.match(/"number":/g)).toHaveLength(mostListed);
  await page.goto(url);
  const rows = page.locator("#exchanges > li");
  await expect(rows).toHaveCount(mostListed);
  await expect(page.locator("#earlier")).toHaveText(/^1 earlier exchange isn't listed/);
  const first = rows.first();
  await expect(first).toContainText(/getAsset<br>.*<i>201<\/i>.*20012 ms✗ brokenUSG-01 Usage is <b>whole<\/b>/);
  await first.locator("summary").press("Enter");
  await expect(first).toContainText("Passed:USG-02 Usage is there (§2.2)");
  const place = await first.boundingBox();
  const findings = liveState.findings.flatMap((finding) => [finding, { ...finding, id: "USG-02" }]);
  for (const number of [202, 203]) show({ forwarded: number, findings }, liveExchange(number, unjudged));
  await expect(page.locator("#newer")).toHaveText("2 newer exchanges: show");
  expect(await first.boundingBox()).toEqual(place);
  await page.locator("#newer").press("Enter");
  await expect(rows).toHaveCount(mostListed);
  await expect(page.locator("#findings > li")).toHaveCount(2);
  await expect(rows.nth(0)).toContainText(`– not judged: ${reason}`);
  await expect(rows.nth(2).locator("details")).toHaveAttribute("open");
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  await close();
});

test("what a platform answers is shown as text, and the page runs only its own script", async ({ page }) => {
  const errors: string[] = [];
  page.on("console", (message) => errors.push(message.text()));
  const { url, show, close } = await livePage();
  show({}, liveExchange(1));
  await page.goto(url);
  const finding = page.locator("#findings > li");
  await expect(finding).toContainText("Usage is <b>whole</b> (§2.1)✗ broken · USG-01 · 3 times, first at ");
  for (const place of [finding, page.locator("#exchanges > li")])
    for (const shown of [
      "getAsset<br>",
      "/<i>credits</i>",
      liveState.findings[0]?.expected,
      liveState.findings[0]?.got,
    ])
      await expect(place).toContainText(shown ?? "");
  await expect(page).toHaveTitle("1 requirement broken · acme");
  expect(await page.locator("br, i, img, u").count()).toBe(0);
  expect(errors).toEqual([]);
  const policy = (await answered(url)).headers["content-security-policy"];
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']{44}'; script-src 'sha256-[^']{44}';/);
  expect(policy).not.toContain("unsafe");
  await close();
});

const rpc = (...requests: readonly object[]): Partial<Recorded> => {
  const [first = {}, ...others] = requests.map((request) => ({ jsonrpc: "2.0", id: 1, ...request }));
  return { body: JSON.stringify(others.length > 0 ? [first, ...others] : first) };
};
const secret = "zz-0123456789-zz";

for (const [title, change, line, why] of [
  ["a call", {}, { request: "getIndexerHealth", status: "200", kind: "holds" }, ""],
  [
    "parameters, without keys",
    rpc({ method: "getCompressedBalance", params: { address: "abc", token: "not seen elsewhere", apiKey: secret } }),
    { about: '{"address":"abc","token":"<key:someone>","apiKey":"<key:someone>"}', kind: "broken" },
    "",
  ],
  [
    "an unknown method",
    rpc({ method: "getFoo", params: [secret] }),
    { request: "getFoo", about: "", kind: "unjudged" },
    "the JSON-RPC method getFoo: not in the interface",
  ],
  [
    "a notification",
    rpc({ id: undefined, method: "getIndexerHealth" }),
    { request: "getIndexerHealth", kind: "unjudged" },
    "a JSON-RPC notification (without an id)",
  ],
  [
    "another path, whose long words may be keys",
    { method: "DELETE", url: `${host}/v2/${secret}/a?b=${secret}&auth=c`, body: null },
    { request: "DELETE /v2/…/a?b=…&auth=<key:someone>", kind: "unjudged" },
    "DELETE /v2/…/a isn't an operation of the interface",
  ],
  [
    "a preflight",
    { method: "OPTIONS", body: null },
    { request: "OPTIONS /", kind: "unjudged" },
    "OPTIONS / isn't an operation of the interface",
  ],
  [
    "a WebSocket, without its key",
    { method: "GET", url: `${host}/?api-key=${secret}`, body: null, answer: { status: 101, headers: [], body: null } },
    { request: "GET /?api-key=<key:someone>", status: "101", kind: "unjudged" },
    "a WebSocket connection, whose messages aren't judged",
  ],
  [
    "a batch",
    rpc({ method: "getIndexerHealth" }, { id: 2, method: "getFoo" }),
    { request: "batch of 2", about: "getIndexerHealth, getFoo", kind: "unjudged" },
    "a batch that was answered as a whole; 1 request of the batch that isn't an operation of the interface",
  ],
  [
    "a client that leaves",
    { answer: { fault: "the client disconnected: its answer wasn't complete" } },
    { request: "getIndexerHealth", status: "no answer", kind: "unjudged" },
    "no complete answer: the client disconnected",
  ],
] as const)
  test(`a line says what was asked, what came and why it isn't judged: ${title}`, async () => {
    const [shown] = await linesOf([health(change)]);
    expect(shown).toMatchObject({ number: 1, latency_ms: 5, ...line });
    expect(shown?.calls.flatMap(({ unjudged }) => unjudged || []).join("; ")).toBe(why);
    expect(JSON.stringify(shown)).not.toContain(secret);
  });

test("only addresses of this machine are served", async () => {
  const { url, close } = await livePage();
  const { port } = new URL(url);
  for (const [host, status] of [
    [`127.0.0.1:${port}`, 200],
    [`localhost:${port}`, 200],
    [`evil.example:${port}`, 403],
    [`127.0.0.1.evil.example:${port}`, 403],
  ] as const)
    expect([host, (await answered(url, { host })).status]).toEqual([host, status]);
  expect((await answered(`${url}/events`, { host: "evil.example" })).status).toBe(403);
  expect((await answered(`${url}/else`)).status).toBe(404);
  await close();
});

test("so many readers are served, and one more is refused", async () => {
  const { url, close } = await livePage();
  const open = async (): Promise<IncomingMessage> => {
    const asked = request(`${url}/events`).end();
    return new Promise((done) => asked.once("response", done));
  };
  const readers = await Promise.all(Array.from({ length: 20 }, open));
  expect(readers.map(({ statusCode }) => statusCode)).toEqual(readers.map(() => 200));
  expect((await answered(`${url}/events`)).text).toContain("too many pages are open");
  for (const reader of readers) reader.resume();
  await close();
});

test("a reader that takes nothing is let go", async () => {
  const { url, show, close } = await livePage();
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write(`GET /events HTTP/1.1\r\nHost: ${new URL(url).host}\r\n\r\n`);
  await once(socket, "readable");
  const closed = once(socket, "close");
  const large = setInterval(() => show({ notice: `${performance.now()}${"x".repeat(8_000_000)}` }), 50);
  await new Promise((done) => setTimeout(done, 1_500));
  clearInterval(large);
  socket.resume();
  await closed;
  await close();
});
