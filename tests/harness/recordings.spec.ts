// Judging a recording: what breaks, what proves nothing and why, and whose calls they were.
import { createHash } from "node:crypto";
import { expect, test } from "@playwright/test";
import type { GivenKeys } from "../../harness/recordings/callers.ts";
import type { Recorded, RecordedEntry } from "../../harness/recordings/recorded.ts";
import { unmatched } from "../../harness/transport/unmatched.ts";
import { exchangedWith } from "../support/recordedClient.ts";
import { answered, entriesIn, harEntry, harOf, health, host, judged, worldAt } from "../support/recordings.ts";

const request = (id: unknown, change: object = {}): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method: "getIndexerHealth", ...change });
const result = (id: unknown, value = "ok"): string => JSON.stringify({ jsonrpc: "2.0", id, result: value });
const results = (...ids: readonly unknown[]): readonly string[] => ids.map((id) => result(id));
const batch = (ids: readonly unknown[], answers: readonly string[] | string): Recorded =>
  health({
    body: `[${ids.map((id) => (typeof id === "string" ? id : request(id))).join()}]`,
    text: typeof answers === "string" ? answers : `[${answers.join()}]`,
  });
const [missing, whole] = ["a request of a batch without an answer of its own", "a batch that was answered as a whole"];

for (const [title, recorded, expected] of [
  ["in order", batch([1, 2, 3], results(1, 2, 3)), { judged: 3 }],
  ["shuffled", batch([1, 2, 3], results(3, 1, 2)), { judged: 3 }],
  ["with a breach in one", batch([1, 2], [result(1), result(2, "fine")]), { judged: 2, broken: ["IH-OK-01"] }],
  ["one wrong id", batch([1, 2, 3], results(1, 9, 3)), { judged: 3, broken: ["RPC-ENV-03"] }],
  ["one id as a text", batch([1, 2], [result(1), result("2")]), { judged: 2, broken: ["RPC-ENV-03"] }],
  ["two wrong ids", batch([1, 2, 3], results(1, 8, 9)), { judged: 1, unjudged: { [missing]: 2 } }],
  ["one missing", batch([1, 2], [result(1)]), { judged: 1, unjudged: { [missing]: 1 } }],
  ["answered as a whole", batch([1, 2], result(1)), { judged: 0, unjudged: { [whole]: 2 } }],
  ["the same id twice", batch([1, 1, 2], results(1, 1, 2)), { judged: 1, unjudged: { [missing]: 2 } }],
  ["answered twice", batch([1, 2], results(1, 1, 2)), { judged: 1, unjudged: { [missing]: 1 } }],
  ["one id twice, answered once", batch([1, 1, 2], [result(1), result(2)]), { judged: 1, unjudged: { [missing]: 2 } }],
  ["answers that are no objects", batch([1, 2], ["7", "null"]), { judged: 0, unjudged: { [missing]: 2 } }],
  ["a number and a text", batch([1, request("1")], [result("1"), result(1)]), { judged: 2 }],
  ["a notification between", batch([1, request(undefined), 2], [result(2), result(1)]), { judged: 2 }],
  [
    "an answer to a method of others, none to one",
    batch([1, 2, request(5, { method: "x" })], [result(1), result(5, "x")]),
    { judged: 1, unjudged: { [missing]: 1 } },
  ],
  ["a method of others", batch([1, request(2, { method: "x" })], [result(2, "x"), result(1)]), { judged: 1 }],
  ["its answer missing", batch([1, request(2, { method: "x" })], [result(9), result(2, "x")]), { judged: 0 }],
  ["no answer", health({ body: `[${request(1)},${request(2)}]`, answer: { fault: "reset" } }), { judged: 0 }],
] as const)
  test(`a batch: ${title}`, async () => {
    const { report, broken, unjudged } = await judged([recorded]);
    expect({ judged: report.judged, broken, unjudged }).toMatchObject({ broken: [], ...expected });
  });

const largeId = "12345678901234567890";

for (const [title, body, text, found] of [
  ["a large id is echoed", request(1).replace("1,", `${largeId},`), result(1).replace("1,", `${largeId},`), []],
  [
    "a large id in a batch",
    `[${request(1).replace("1,", `${largeId},`)}]`,
    `[${result(1).replace("1,", `${largeId},`)}]`,
    [],
  ],
  ["an id that JavaScript writes otherwise", request(1).replace("1,", "1.0,"), result(1), []],
  ["another id", request(1), result(2), ["RPC-ENV-03"]],
] as const)
  test(`${title}: ids are compared as numbers`, async () => {
    const { broken, report } = await judged([health({ body, text })]);
    expect([report.judged, broken]).toEqual([1, found]);
  });

test("a large number in an answer of a batch is kept as it is", async () => {
  const { kept } = await judged([batch([1], [`{"jsonrpc":"2.0","result":${largeId},"id":1}`])]);
  expect(kept[0]?.answer?.text).toContain(largeId);
});

const { target, keys, ids } = worldAt();
const noHead = {
  method: "POST",
  url: `${host}/`,
  headers: [],
  body: request(1),
  at_ms: 0,
  status: 200,
  answerHeaders: [],
};
const usage = (role: string, change: Partial<Recorded> = {}, of = role): Recorded =>
  health({
    method: "GET",
    url: `${host}/v0/admin/projects/${ids[of]}/usage`,
    headers: [["x-api-key", keys[role] ?? role]],
    body: null,
    ...change,
  });
const refusal = (status: number, message = "Forbidden"): Partial<Recorded> => ({
  answer: answered(JSON.stringify({ statusCode: status, message, error: message }), status),
});
const served = health();
const failing = (
  times: number,
  one: RecordedEntry,
  between: readonly RecordedEntry[] = [served],
): readonly RecordedEntry[] =>
  Array.from({ length: times }, (_, nth) => [{ ...one, sentAt_ms: 1_000 * nth }, ...between]).flat();

const edge = usage("paid", refusal(403, "Blocked"));
const serverError = usage("paid", {
  answer: answered(JSON.stringify({ statusCode: 503, message: "down", error: "Down" }), 503),
});
const page = usage("paid", {
  answer: { status: 502, headers: [["content-type", "text/html"]], body: "<html></html>" },
});
/** As browsers write by themselves what a host wants them to ask by https. */
const redirect = usage("paid", {
  url: `${host.replace("https", "http")}/v0/admin/projects/${ids["paid"]}/usage`,
  answer: { status: 307, headers: [["location", `${host}/`]], body: "" },
});
const cut = health({ body: request(1, { params: {} }), text: result(1).slice(0, 20) });
const edgeLimit = usage("paid", { answer: answered('{"reason":"slow down"}', 429) });
const othersForm = usage("paid", { answer: answered('{"reason":"no"}', 400) });
const other = usage("second", refusal(403, "Blocked"), "paid");

for (const [title, entries, ids] of [
  ["an edge's refusal once", [edge, served], []],
  ["twice", failing(2, edge), []],
  ["three times with served answers between", [served, ...failing(3, edge)], ["ERR-ADM-SHAPE-03"]],
  ["the same entry three times", [served, edge, served, edge, served, edge, served], []],
  ["the same entry in a row, in a form of others", [served, othersForm, othersForm, othersForm, served], []],
  ["three times without any between", [served, ...failing(9, edge, [])], []],
  ["three times of different requests", [...failing(2, edge), ...failing(2, other)], []],
  ["a server error once", [serverError, served], []],
  ["a server error three times", [served, ...failing(3, serverError)], ["USG-HTTP-03"]],
  ["a gateway's page once", [page, served], []],
  ["a cut answer, again and again", [served, ...failing(9, cut)], []],
  ["a cut answer once, as a proxy has seen it", [served, { ...cut, isExact: true as const }, served], []],
  ["again and again", [served, ...failing(3, { ...cut, isExact: true })], ["GEN-JSON-03"]],
  ["an edge's limit, again and again", [served, ...failing(9, edgeLimit)], []],
  ["a redirect to https, again and again", [served, ...failing(9, redirect)], []],
] as const)
  test(`a failure that breaks something: ${title}`, async () => {
    const { broken } = await judged(entries);
    expect(broken).toEqual(expect.arrayContaining([...ids]));
    if (ids.length === 0) expect(broken).toEqual([]);
  });

test("failures that come and go must come more often", async () => {
  const { exchanged, world } = await exchangedWith();
  const fine = exchanged.find(({ url, status }) => url.includes(world.ids["paid"] ?? "none") && status === 200);
  if (!fine) throw new Error("no usage was served");
  const [paid] = await entriesIn(harOf([harEntry(fine)]));
  if (!paid) throw new Error("no entry");
  const refused = { ...paid, ...refusal(403, "Blocked") } as RecordedEntry;
  const flaky = Array.from({ length: 5 }, (_, nth) => [{ ...refused, sentAt_ms: 500 + nth }, served, paid]).flat();
  const { broken, unjudged } = await judged([...flaky, ...failing(3, refused)], world.target);
  expect([broken, Object.keys(unjudged)]).toEqual([
    [],
    [expect.stringMatching(/^a refusal \(403\) whose breach must repeat/)],
  ]);
});

test("the answer to another recent request isn't judged, unless it comes again and again", async () => {
  const crossed = health({ id: 2, text: result(1) });
  const first = health({ body: request(1, { params: {} }) });
  const { broken, unjudged } = await judged([first, crossed, health({ id: 3 })]);
  expect([broken, unjudged]).toEqual([[], { "the answer to another request (HTTP 200)": 1 }]);
  expect((await judged([health({ id: 3 }), health({ id: 2, text: result(7) })])).broken).toEqual(["RPC-ENV-03"]);
});

test("a recording never verifies", async () => {
  const { judge, report } = await judged([health(), health({ id: 2 })]);
  for (const { id } of target.interface.requirements) expect(judge.verdictOn(id).verdict).toBe("withheld");
  expect(judge.verdictOn("IH-OK-01").reasons).toEqual([{ kind: "recorded", exchanges: 2 }]);
  expect(judge.verdictOn("CYC-PRES-01").reasons).toEqual([{ kind: "recorded", exchanges: 0 }]);
  expect(judge.verdictOn("IH-LAG-01").reasons).toEqual([{ kind: "onlyByCheck" }]);
  expect(report).toMatchObject({ exchanges: 2, judged: 2, operations: [{ operation: "getIndexerHealth" }] });
});

test("other hosts are counted by name, but no more than leave room for other reasons", async () => {
  const at = (url: string): Recorded => health({ url });
  const few = await judged(["https://a.example/", "https://b.example/", "https://a.example/", "data:,"].map(at));
  const of = (name: string): string => `${unmatched.host} (${name})`;
  expect(few.unjudged).toEqual({ [of("a.example")]: 2, [of("b.example")]: 1, [of("data:")]: 1 });
  const names = Array.from({ length: 300 }, (_, nth) => at(`https://h${nth}.example/`));
  const many = await judged([...names, health({ answer: { fault: "reset: closed" } })]);
  expect(many.unjudged).toMatchObject({ [unmatched.host]: 250, "no complete answer: connection reset": 1 });
});

test("paths are counted by their form, and names of reasons leave room for others", async () => {
  const get = (path: string): Recorded => health({ method: "GET", url: `${host}${path}`, body: null });
  const projects = Array.from({ length: 300 }, (_, nth) => get(`/v0/admin/projects/project-${nth}/usage/`));
  const word = (nth: number): string => [...String(nth)].map((digit) => "abcdefghij"[Number(digit)]).join("");
  const paths = Array.from({ length: 300 }, (_, nth) => get(`/${word(nth)}`));
  const few = await judged(projects);
  expect(Object.keys(few.unjudged)).toEqual([
    "GET /v0/admin/projects/…/usage/ isn't getProjectUsage: its path has no slash at the end",
  ]);
  const many = await judged([...paths, health({ answer: { fault: "reset: closed" } })]);
  expect(many.unjudged).toMatchObject({ [unmatched.path]: 250, "no complete answer: connection reset": 1 });
});

test("an answer without any header lacks none", async () => {
  const { broken, report } = await judged(await entriesIn(harOf([harEntry({ ...noHead, text: result(1) })])));
  expect([broken, report.judged]).toEqual([[], 1]);
});

for (const [title, url, location, times] of [
  ["from http to https", "http://acme.example/", "https://acme.example/", 4],
  ["to another host", `${host}/`, "//login.example/", 4],
  ["within the host", `${host}/`, "/rpc", undefined],
] as const)
  test(`a redirect ${title}, again and again, ${times ? "breaks nothing" : "is judged"}`, async () => {
    const answer = answered("", 308, [["location", location]]);
    const { unjudged } = await judged(failing(4, health({ url, answer }), [health({ body: request(9) })]));
    expect(unjudged["a redirect to another origin (HTTP 308)"]).toBe(times);
  });

test("what is nested too deeply is counted, and names of reasons are bounded", async () => {
  const deep = `${"[".repeat(513)}${"]".repeat(513)}`;
  const answering = (id: number, value: string) =>
    health({ body: request(id), text: result(id).replace('"ok"', value) });
  // A name of 20,000 letters is in the pointer of each number below it.
  const long = `{"${"a".repeat(20_000)}":[${Array(1_100).fill("1.0").join(",")}]}`;
  const { unjudged, report } = await judged([
    health({ body: request(1).replace("}", `,"params":${deep}}`) }),
    answering(2, deep.slice(2, -2)),
    answering(3, deep.slice(1, -1)),
    answering(4, long),
  ]);
  expect(unjudged).toEqual({ "a request or an answer nested too deeply, or with too long names, to be read": 3 });
  expect(report.judged).toBe(1);
  const word = (nth: number): string => `e${nth.toString(36)}`;
  const faults = Array.from({ length: 300 }, (_, nth) => health({ answer: { fault: word(nth) } }));
  const many = (await judged(faults)).unjudged;
  expect([Object.keys(many).length, many["other reasons"]]).toEqual([101, 200]);
});

test("a header that wasn't recorded isn't missed, and one that was is judged", async () => {
  const lacking = { status: 200, headers: [], body: result(1) };
  const of = async (answer: object) => (await judged([health({ answer: { ...lacking, ...answer } })])).broken;
  expect(await of({ lacksHeaders: true })).toEqual([]);
  expect(await of({ lacksHeaders: true, headers: [["content-type", "text/plain"]] })).toEqual(["GEN-JSON-01"]);
});

const hashOf = (key: string): string => createHash("sha256").update(key).digest("hex");
const given = (role: "free" | "paid"): GivenKeys => new Map([[hashOf(keys[role] ?? ""), { role }]]);

test("credits of a project that our control made aren't taken for calls", async () => {
  const { exchanged, world } = await exchangedWith();
  const own = exchanged.find(({ url, status }) => url.includes(world.ids["paid"] ?? "none") && status === 200);
  const document = JSON.parse(own?.text ?? "{}") as { readonly credits: object };
  const text = JSON.stringify({ ...document, credits: { ...document.credits, walletApi: 1 } });
  const of = async (key: string) =>
    (await judged([usage("paid", { headers: [["x-api-key", key]], answer: answered(text) })])).broken;
  expect(await of(keys["paid"] ?? "")).toContain("MET-WAL-06");
  expect(await of("<key:made>")).not.toContain("MET-WAL-06");
});

test.describe("who asked", () => {
  /** Of a free plan, with an invoice that such a plan has none of. */
  let breach: Recorded;
  test.beforeAll(async () => {
    const { exchanged, world } = await exchangedWith();
    const own = exchanged.find(({ url, status }) => url.includes(world.ids["free"] ?? "none") && status === 200);
    const document = JSON.parse(own?.text ?? "{}") as { readonly creditCycle: object; subscriptionDetails: object };
    const cycle = { start: "2026-01-02", end: "2026-02-02" };
    const details = { ...document.subscriptionDetails, billingCycle: cycle };
    breach = usage("free", { answer: answered(JSON.stringify({ ...document, subscriptionDetails: details })) });
  });
  const unknown = { ...target, keys: worldAt(host, []).target.keys };
  const [first, second] = [keys["free"] ?? "", "b05c3f72-e84d-4196-a2d7-1f9b6c40e8a3"];
  const project = { plan: "free", id: ids["free"] } as const;
  for (const [title, judging, more, change, found] of [
    ["a key of the environment", target, new Map(), {}, true],
    ["no key that is known", unknown, new Map(), {}, false],
    ["the hash of a key", unknown, given("free"), {}, true],
    [
      "a hash with what is known of its project",
      unknown,
      new Map([[hashOf(first), { role: "other", project }]]),
      {},
      true,
    ],
    ["the hash of a key of a paid plan's", unknown, new Map([[hashOf(first), { role: "paid" }]]), {}, false],
    ["a key in the query", target, new Map(), { headers: [], query: `?api-key=${first}` }, true],
    ["the same key twice", target, new Map(), { query: `?api-key=${first}` }, true],
    ["two keys", target, new Map(), { query: `?api-key=${second}` }, false],
    ["no key", target, new Map(), { headers: [] }, false],
  ] as const)
    test(`${title}: CYC-BILL-01 is ${found ? "broken" : "silent"}`, async () => {
      const { query = "", ...rest } = change as { readonly query?: string };
      const entry = { ...breach, ...rest, url: `${breach.url}${query}` };
      const { judge } = await judged([entry], judging, more as GivenKeys);
      expect(judge.verdictOn("CYC-BILL-01").verdict).toBe(found ? "broken" : "withheld");
    });
});
