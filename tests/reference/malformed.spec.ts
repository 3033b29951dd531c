// Does bad input get a well-formed refusal, crash nothing and change no ledger? Bytes on a socket, so that nothing tidies them up.
import { connect } from "node:net";
import { expect, test } from "@playwright/test";
import { parse } from "yaml";
import { type Embedded, startEmbedded } from "../../cli/embedded.ts";

/** What a row may name: a project made for it alone (so that no limiter speaks first), one whose state is watched, control's token. */
interface Stage {
  readonly id: string;
  readonly key: string;
  readonly watched: string;
  readonly token: string;
  readonly paidKey: string;
}

/** The status of the refusal; `any`: some 4xx in the platform's words; `http`: some 4xx or a closed connection, for what is no HTTP. */
type Draws = number | "any" | "http";

interface Row {
  readonly title: string;
  readonly draws: Draws;
  readonly bytes: (stage: Stage) => string | Buffer;
}

const short = (text: string): string =>
  text.length > 120 ? `${text.slice(0, 120)}… (${text.length} characters)` : text;
const row = (title: string, draws: Draws, bytes: Row["bytes"]): Row => ({ title: short(title), draws, bytes });

/** Values divided by white space, or by commas as YAML has them. */
const words = (text: string): string[] => text.trim().split(/\s+/);
const list = ({ raw }: TemplateStringsArray): string[] => parse(`[${raw.join("")}]`) as string[];

const lines = (method: string, target: string, headers: readonly string[] = [], body = ""): string =>
  [`${method} ${target} HTTP/1.1`, "Host: 127.0.0.1", "Connection: close", ...headers, "", body].join("\r\n");
const sized = (method: string, target: string, headers: readonly string[], body: string): string =>
  lines(method, target, [...headers, `Content-Length: ${Buffer.byteLength(body)}`], body);
const filled = (text: string, stage: Stage): string =>
  text.replace(/\{(id|key|KEY|token|watched|paidKey)\}/g, (_, name: string) =>
    name === "KEY" ? stage.key.toUpperCase() : stage[name as keyof Stage],
  );

const usageOf = (id: string): string => `/v0/admin/projects/${id}/usage`;
const unknownId = "77f2c9e1-6d3a-4b58-8e04-c1a5b9d2f630";

const paths = words(`
  / // /// /? /* /v0 /v0/ /v0/admin /v0/admin/projects /v0/admin/projects/ /v0/admin/projects/{id} /v0/admin/projects/{id}/ /v0/admin/projects//usage /v0/admin/projects/usage
  //v0/admin/projects/{id}/usage /v0//admin/projects/{id}/usage /v0/admin/projects//{id}/usage /v0/admin/projects/{id}//usage /v0/admin/projects/{id}/usage/
  /v0/admin/projects/{id}/usage// /v0%2Fadmin/projects/{id}/usage /v0/admin/projects%2F{id}/usage /v0/admin/projects/{id}%2Fusage /v0/admin/projects/{id}/usage%2F
  /v0/admin/projects/{id}%5Cusage /v0/admin/projects/{id}/usage%00 /v0/admin/projects/{id}/usage%zz /v0/admin/projects/{id}/usage% /v0/admin/projects/{id}/usage%20
  /v0/admin/projects/{id}/usage. /v0/admin/projects/{id}/usage;a=1 /v0/admin/projects/{id}/usage/.. /v0/admin/projects/../../x /../../etc/passwd /..%2f..%2fetc/passwd
  /v0/admin/projects/%2e%2e/usage /v0/admin/projects/{id}/usage/more /V0/ADMIN/PROJECTS/{id}/USAGE /v1/admin/projects/{id}/usage /v00/admin/projects/{id}/usage
  /v0/admin/project/{id}/usage /v0/admin/projects/{id}/usages /v0/admin/projects/{id}/Usage /control /control/ /control/x /CONTROL /%63ontrol /__proto__ /constructor
  /v0/admin/projects/{id}/__proto__ /%E2%80%AE /%F0%9F%92%A9 /%C3%28 /favicon.ico http://elsewhere.example/x //elsewhere.example/x
  /${"a".repeat(8_000)} /${"a/".repeat(4_000)} /${"%41".repeat(2_500)} ${"/..".repeat(2_500)} ${"/".repeat(8_000)}
`).map((target) =>
  row(`GET ${target}`, "any", (stage) => lines("GET", filled(target, stage), [`X-Api-Key: ${stage.key}`])),
);

const ids = words(`
  0 -1 1 1e3 0x10 NaN null undefined true [] {} * :id %7Bid%7D %20 %09 %0A %0D%0A %00 %25 %zz % %C3%28 %FF %F0%9F%92%A9 %E2%80%8B{id} {id}%E2%80%8B {id}0 0{id} {id}%20 %20{id}
  {id}%00 {id}%0A {id}. {id},{id} {id};v=1 %7B{id}%7D urn:uuid:{id} %22{id}%22 {watched} ${unknownId} 00000000-0000-0000-0000-000000000000 ffffffff-ffff-ffff-ffff-ffffffffffff
  gggggggg-gggg-4ggg-8ggg-gggggggggggg 77f2c9e16d3a4b588e04c1a5b9d2f630 77f2c9e1-6d3a-4b58-8e04-c1a5b9d2f63 __proto__ constructor toString hasOwnProperty
  '%20OR%201=1-- %3Cscript%3E $%7B7*7%7D ..%2f..%2f ${"a".repeat(8_000)} ${"%00".repeat(2_000)}
`).map((id) =>
  row(`the id ${id}`, 400, (stage) => lines("GET", usageOf(filled(id, stage)), [`X-Api-Key: ${stage.key}`])),
);

const queries = words(`
  ? ?& ?&&=& ?api-key ?api-key= ?api-key=% ?api-key=%zz ?api-key=%00 ?api-key=%FF%FE ?api-key=%20 ?api-key=null ?api-key=0 ?api-key[]={key} ?api-key[0]={key} ?api-key.x={key}
  ?API-KEY={key} ?Api-Key={key} ?apikey={key} ?api_key={key} ?key={key} ?x-api-key={key} ?api-key={KEY} ?api-key=+{key} ?api-key={key}+ ?api-key=%22{key}%22 ?api-key={key}%00
  ?api-key={key}0 ?api-key={key},{key} ?api-key={id} ?api-key=x&api-key={key} ?api-key=&api-key={key} ?x?api-key={key} ?;api-key={key} ?__proto__=1&constructor=2
  ?api-key=__proto__ ?api-key=constructor #?api-key={key} ?api-key=${"a".repeat(10_000)} ?${"a=1&".repeat(3_000)} ?${"api-key=&".repeat(1_000)}
`).map((query) => row(`the query ${query}`, 401, (stage) => lines("GET", usageOf(stage.id) + filled(query, stage))));

const keyHeaders = [
  ...list`"", " ", "\t", "0", "null", "{}", "é", "\xff\xfe", "'{key}'", "\"{key}\"", "{key},", "{key}, {key}", "{key} {key}", "{key}\t{key}", "Bearer {key}", "{KEY}", "{key}0", "{{key}}",
    "urn:uuid:{key}", "{id}", __proto__, constructor, 00000000-0000-0000-0000-000000000000, "x\r\nX-Api-Key: {key}", "\r\nX-Api-Key: {key}"`.map(
    (value) => `X-Api-Key: ${value}`,
  ),
  ...list`"X-Api_Key: {key}", "Api-Key: {key}", "X-Api-Key-: {key}", "Authorization: Bearer {key}", "Authorization: ApiKey {key}", "Cookie: api-key={key}"`,
  ...["a".repeat(10_000), "é".repeat(10_000), "\u0080".repeat(36), "{key}".repeat(300)].map(
    (value) => `X-Api-Key: ${value}`,
  ),
].map((header) =>
  row(`the key in ${JSON.stringify(header)}`, 401, (stage) =>
    Buffer.from(lines("GET", usageOf(stage.id), [filled(header, stage)]), "latin1"),
  ),
);

const verbs =
  "POST PUT PATCH DELETE OPTIONS TRACE PROPFIND PROPPATCH MKCOL COPY MOVE LOCK UNLOCK SEARCH PURGE REPORT MERGE NOTIFY M-SEARCH LINK SOURCE";
const methods = words(verbs).flatMap((method) => [
  row(`${method} of the usage`, 405, ({ id, key }) => lines(method, usageOf(id), [`X-Api-Key: ${key}`])),
  row(`${method} of control`, method === "POST" ? 400 : 404, ({ token }) =>
    lines(method, "/control", [`X-Assay-Control: ${token}`]),
  ),
]);

const bodiesOnGet = ["{}", "null", "{", "\0", "a=1", "é".repeat(1_000), "x".repeat(1_000_000)].flatMap((body) => [
  row(`GET of another project with the body ${body}`, 400, ({ key }) =>
    sized("GET", usageOf(unknownId), [`X-Api-Key: ${key}`], body),
  ),
  row(`GET without a key, with the body ${body}`, 401, ({ id }) =>
    sized("GET", usageOf(id), ["Content-Type: application/json"], body),
  ),
]);

/** What a forged command would do to the project that is watched. */
const forged = '{"do":"consume","project":"{watched}","product":"rpc","credits":"5"}';
const adding = (members: string): string => forged.replace(/}$/, `,${members}}`);

const tokens = [
  ...list`"", "\t", "{token}0", "0{token}", "{token},{token}", "Bearer {token}", "'{token}'", "{watched}", "{key}", "{paidKey}", "null", __proto__, "x\r\nX-Assay-Control: {token}"`,
  "a".repeat(10_000),
]
  .map((value) => `X-Assay-Control: ${value}`)
  .concat(
    list`"X-Assay_Control: {token}", "Authorization: Bearer {token}", "Cookie: x-assay-control={token}", "X-Api-Key: {token}", "X-None: 0"`,
  )
  .map((header) =>
    row(`the token in ${JSON.stringify(header)}`, 401, (stage) =>
      sized("POST", "/control", [filled(header, stage)], filled(forged, stage)),
    ),
  );

const command = (title: string, body: string): Row =>
  row(title, 400, (stage) => sized("POST", "/control", [`X-Assay-Control: ${stage.token}`], filled(body, stage)));

const texts = [
  ...list`"", " ", "null", "true", "0", "\"\"", "[]", "{}", "[{}]", "{", "}", "{\"do\"}", "{'do':'consume'}", "do=consume", "<do/>", "--- do", "NaN", "\0", "\ufeff"`,
  ...[
    `[${forged}]`,
    forged + forged,
    `${forged},`,
    `${forged}\0`,
    `//\n${forged}`,
    JSON.stringify(forged),
    forged.slice(0, -1),
    forged.replace(':"5', ':"5\n'),
  ],
  ...words(
    '"do":"readLedger" "project":"x" "credits":"-5" "product":"none" "times":1e400 "times":01 "times":0x1 "pool":"prepaid","times":1000',
  ).map(adding),
  ...words("__proto__ constructor prototype toString hasOwnProperty").flatMap((name) => [
    adding(`"${name}":{"times":3}`),
    `{"${name}":${forged}}`,
    forged.replace("rpc", name),
  ]),
  ...[
    "[".repeat(100_000),
    "[".repeat(100_000) + "]".repeat(100_000),
    `${'{"do":'.repeat(50_000)}1${"}".repeat(50_000)}`,
    "9".repeat(1_000_000),
    `"${"x".repeat(1_000_000)}"`,
  ],
].map((text) => command(`control: ${JSON.stringify(text)}`, text));

type Fields<V> = { readonly [field: string]: V };

const { good, optional, wrong } = parse(String.raw`
good:
  - do: makeProject
    plan: { name: business, kind: paid, creditsLimit: 1000 }
    billingAnchor: "2024-06-15"
    createdOn: "2024-06-01"
    standsAt: "2025-03-20T12:00:00Z"
    invoicing: monthly
    prepaid: "100"
    admin: enabled
    keys: [&key { value: c0ffee00-1111-4222-8333-444455556666 }]
  - { do: moveClock, project: "{watched}", to: "2025-04-20T12:00:00Z" }
  - { do: consume, project: "{watched}", product: rpc, credits: "5", times: 3, pool: regular }
  - { do: stream, project: "{watched}", stream: streamGrpc, bytes: 1000 }
  - { do: deliverWebhooks, project: "{watched}", count: 10 }
  - { do: setBillingData, project: "{watched}", present: false }
  - { do: readLedger, project: "{watched}" }
optional: [createdOn, invoicing, prepaid, admin, times, pool]
wrong:
  do: ["", MakeProject, "makeProject ", constructor, __proto__, 1]
  project: ["", x, __proto__, constructor, ${unknownId}, 77F2C9E1-6D3A-4B58-8E04-C1A5B9D2F630, "{watched} ", "{watched}\0", 1]
  to: &instants ["", now, 1742472000000, "2025-03-20", "2025-03-20T12:00:00", "2025-03-20T12:00:00+01:00", "2025-03-20T12:00:00.000Z", "2025-02-30T00:00:00Z", "2025-13-01T00:00:00Z",
    "2025-03-20T24:00:00Z", "2025-03-20T12:60:00Z", "2025-03-20t12:00:00z", "2025-03-20T12:00:00Z "]
  standsAt: *instants
  billingAnchor: &days ["", 15, "2025-02-29", "2025-02-30", "2025-04-31", "2025-13-01", "2025-00-10", "2025-01-00", 15-06-2024, 2024-6-15, "2024-06-15T00:00:00Z", "+002024-06-15"]
  createdOn: *days
  credits: &amounts [5, -5, "-5", "+5", "", "1e3", "0x10", "NaN", Infinity, "1.", ".5", "1,000", " 1", "5\n", "1.0000000000001", "1234567890123456", "٥"]
  prepaid: *amounts
  product: ["", RPC, rpcs, __proto__, 1, [rpc]]
  times: [0, -1, 1.5, 1001, 1000000000, "3", true]
  pool: ["", both, 1]
  stream: ["", rpc, streamgrpc, 1]
  bytes: [0, -1, 1.5, 1.0e+13, 1.0e+300, "5", true]
  count: [0, -1, 1.5, 100001, 1000000000, "5", true]
  present: ["true", "", 1, 0]
  plan: [business, {}, { name: b, kind: paid }, { name: b, kind: gratis, creditsLimit: 1 }, { name: "", kind: paid, creditsLimit: 1 }, { name: 1, kind: paid, creditsLimit: 1 },
    { name: b, kind: paid, creditsLimit: -1 }, { name: b, kind: paid, creditsLimit: 1.5 }, { name: b, kind: paid, creditsLimit: 1.0e+13 }, { name: b, kind: paid, creditsLimit: "1" },
    { name: b, kind: paid, creditsLimit: null }, { name: b, kind: paid, creditsLimit: 1, more: 1 }]
  invoicing: [weekly, "", 1]
  admin: ["on", "", true]
  keys: [key, *key, [null], [{}], [*key, *key], [*key, *key, *key, *key, *key, *key], [{ value: "" }], [{ value: x }], [{ value: C0FFEE00-1111-4222-8333-444455556666 }], [{ value: 1 }],
    [{ value: "{paidKey}" }], [*key, { value: "{paidKey}" }], [{ value: c0ffee00-1111-4222-8333-444455556666, more: 1 }],
    [{ value: c0ffee00-1111-4222-8333-444455556666, allowedAddresses: [] }], [{ value: c0ffee00-1111-4222-8333-444455556666, allowedAddresses: [""] }]]
`) as {
  readonly good: readonly Fields<unknown>[];
  readonly optional: readonly string[];
  readonly wrong: Fields<readonly unknown[]>;
};

const fields = good.flatMap((whole) => {
  const [name, text, names] = [String(whole["do"]), JSON.stringify(whole), Object.keys(whole)];
  const spoilt = (field: string, value: unknown): Row =>
    command(
      `${name}, ${field}: ${value === undefined ? "missing" : JSON.stringify(value)}`,
      JSON.stringify({ ...whole, [field]: value }),
    );
  return [
    ...names.filter((field) => !optional.includes(field)).map((field) => spoilt(field, undefined)),
    ...names.flatMap((field) => [null, [], ...(wrong[field] ?? [])].map((value) => spoilt(field, value))),
    ...["note", "__proto__"].map((field) =>
      command(`${name} with a further ${field}`, text.replace(/}$/, `,"${field}":1}`)),
    ),
  ];
});

const raw = (bytes: string): Row =>
  row(JSON.stringify(bytes), "http", (stage) => Buffer.from(filled(bytes, stage), "latin1"));
const posted = (header: string, body: string): Row =>
  raw(lines("POST", "/control", ["X-Assay-Control: {token}", header], body));

const garbage = [
  ...list`"", "\r\n\r\n", "GET", "GET /", "GET /\r\n\r\n", "garbage\r\n\r\n", "get / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/9.9\r\nHost: a\r\n\r\n", "GET / HTTP/1\r\n\r\n",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n", "{\"jsonrpc\":\"2.0\"}", "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
    "\x16\x03\x01\0\xc8\x01\0\0\xc4", "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", "GET / HTTP/1.1\r\nHost: [\r\n\r\n", "GET / HTTP/1.1\r\nHost: a:99999\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "GET / HTTP/1.1\r\nHost: a/b?c\r\n\r\n", "GET / HTTP/1.1\r\nHost: é\r\n\r\n", "GET / HTTP/1.1\nHost: a\n\n"`.map(
    raw,
  ),
  ...["\0".repeat(1_000), "\n".repeat(10_000), "A".repeat(100_000), lines("GET", `/${"a".repeat(100_000)}`)].map(raw),
  ...list`"v0", "?", "\\v0", "/v0 /admin", "/v0\t", "/é", "/\0", "http://[/x", "http://", "http://a:b@c:99999/"`.map(
    (target) => raw(lines("GET", target)),
  ),
  ...["FOO", "TRACK", "GET,POST", "GÉT", "X".repeat(5_000)].map((method) => raw(lines(method, "/"))),
  ...list`"A", ": x", "A : x", "A A: x", "A: a\r\n b", "A: a\0b", "A: a\rb", "A: a\nb", "Connection: upgrade\r\nUpgrade: websocket"`.map(
    (header) => raw(lines("GET", "/", [header])),
  ),
  ...["A: ", "X-Api-Key: ", ""].map((name) => raw(lines("GET", "/", [`${name}${"a".repeat(100_000)}`]))),
  ...list`"1000", "10", "-1", "x", "1e2", "0x10", "99999999999999999999", "2, 2", "", "2\r\nContent-Length: 3", "2\r\nTransfer-Encoding: chunked"`.map(
    (length) => posted(`Content-Length: ${length}`, forged),
  ),
  ...list`"zz\r\n{}\r\n", "2\r\n{}\r\n", "-2\r\n{}\r\n0\r\n\r\n", "2\r\n{}0\r\n\r\n", "FFFFFFFFFFFFFFFFFF\r\n{}", "2;a=b\0\r\n{}\r\n0\r\n\r\n", ""`.map(
    (chunks) => posted("Transfer-Encoding: chunked", chunks),
  ),
  ...list`"Transfer-Encoding: gzip", "Transfer-Encoding: chunked, chunked", "Expect: the unexpected", "Content-Encoding: gzip"`.map(
    (header) => posted(header, "0\r\n\r\n"),
  ),
];

const tables = {
  "paths that lead nowhere": paths,
  "ids that aren't the key's project": ids,
  "keys in odd queries": queries,
  "keys in odd headers": keyHeaders,
  "methods and bodies that the interface doesn't have": [...methods, ...bodiesOnGet],
  "control without its token": tokens,
  "control with texts that are no command": texts,
  "control with a field missing, wrong, out of range or too many": fields,
  "what is no HTTP": garbage,
};

interface Answer {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

/** Whatever came back before the connection closed; null where that is nothing. */
function answerTo(port: number, bytes: string | Buffer): Promise<Answer | null> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.end(bytes));
    socket.setEncoding("utf8").setTimeout(10_000, () => socket.destroy(new Error("no answer and no end within 10 s")));
    socket.on("data", (chunk: string) => (text += chunk));
    socket.on("error", (error: NodeJS.ErrnoException) =>
      ["ECONNRESET", "EPIPE"].includes(error.code ?? "") ? undefined : reject(error),
    );
    socket.on("close", () => {
      const [, status, headers = "", body = ""] = /^HTTP\/1\.1 (\d{3})([\s\S]*?)\r\n\r\n([\s\S]*)$/.exec(text) ?? [];
      resolve(status === undefined ? null : { status: Number(status), headers, body });
    });
  });
}

/** What is wrong with an answer to bad input; null where nothing is. */
function faultOf(answer: Answer | null, draws: Draws): string | null {
  if (!answer) return draws === "http" ? null : "no answer";
  const { status, headers, body } = answer;
  const got = `HTTP ${status} ${body.slice(0, 200)}`;
  if (status < 400 || status > 499) return got;
  if (draws === "http") return null;
  if (draws !== "any" && status !== draws) return `${got} instead of HTTP ${draws}`;
  if (!/\r\ncontent-type: application\/json/i.test(headers)) return `${got}, not labelled JSON`;
  try {
    const said = JSON.parse(body) as Fields<unknown>;
    const isRefusal =
      said["statusCode"] === status &&
      [said["message"], said["error"]].every((text) => typeof text === "string" && text !== "");
    return isRefusal ? null : `${got}, not the shape of a refusal`;
  } catch {
    return `${got}, no JSON`;
  }
}

/** Control, asked as one should. */
async function ordered(
  { base, control }: Embedded,
  order: Fields<unknown>,
): Promise<{ readonly project?: string; readonly ledger?: unknown }> {
  const response = await fetch(`${base}/control`, {
    method: "POST",
    headers: { "x-assay-control": control.token.open() },
    body: JSON.stringify(order),
  });
  expect(response.status, JSON.stringify(order)).toBe(200);
  return (await response.json()) as { readonly project?: string; readonly ledger?: unknown };
}

async function made(platform: Embedded): Promise<{ readonly id: string; readonly key: string }> {
  const key = crypto.randomUUID();
  const { project = "" } = await ordered(platform, { ...good[0], keys: [{ value: key }] });
  return { id: project, key };
}

/** All that bad input could change: what the paid project is served, the watched ledger and clock, how many entries there are in any ledger. */
async function stateOf(platform: Embedded, watched: string) {
  const served = await fetch(platform.base + usageOf(platform.ids.paid), {
    headers: { "X-Api-Key": platform.keys.paid },
  });
  const { clock, billingData } = platform.world.project(watched) ?? {};
  const entries = platform.world.projects.map(({ ledger }) => ledger.entries.length).filter((count) => count > 0);
  return {
    status: served.status,
    usage: await served.text(),
    ...(await ordered(platform, { do: "readLedger", project: watched })),
    clock,
    billingData,
    entries,
  };
}

for (const [title, rows] of Object.entries(tables)) {
  test(`refused, with nothing changed: ${title}`, async () => {
    const platform = await startEmbedded(0);
    const { id: watched } = await made(platform);
    await ordered(platform, { do: "consume", project: watched, product: "das", credits: "12.345", times: 7 });
    const before = await stateOf(platform, watched);
    expect(before).toMatchObject({ status: 200, ledger: { used: "86.415" } });
    // The paid project serves five reads in a second: a sixth is waited for.
    const nothingChanged = (): Promise<void> =>
      expect.poll(() => stateOf(platform, watched), { intervals: [250] }).toEqual(before);
    const faults: string[] = [];
    for (const [index, { title, draws, bytes }] of rows.entries()) {
      const projects = platform.world.projects.length;
      const stage = {
        ...(await made(platform)),
        watched,
        token: platform.control.token.open(),
        paidKey: platform.keys.paid,
      };
      const fault = faultOf(await answerTo(platform.port, bytes(stage)), draws);
      if (fault !== null) faults.push(`${title}: ${fault}`);
      if (platform.world.projects.length !== projects + 1) faults.push(`${title}: made a project`);
      if (index % 25 === 24) await nothingChanged();
    }
    await nothingChanged();
    await platform.close();
    expect(faults).toEqual([]);
  });
}

test("every command that is spoilt here is obeyed where it isn't", async () => {
  const platform = await startEmbedded(0);
  const { id } = await made(platform);
  for (const whole of good)
    await ordered(platform, JSON.parse(JSON.stringify(whole).replaceAll("{watched}", id)) as Fields<unknown>);
  await platform.close();
});

test("there are at least 150 bad requests, no two alike", () => {
  const titles = Object.entries(tables).flatMap(([table, rows]) => rows.map(({ title }) => `${table}: ${title}`));
  expect(titles.length).toBeGreaterThanOrEqual(150);
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
});
