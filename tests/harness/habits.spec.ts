// Habits of recorders: whatever they do to a sound recording breaks nothing, and what a platform did wrong stays told.
import { gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { canonical, isObject, type Json } from "../../harness/core/json.ts";
import { entryOfLine, type Mapping } from "../../harness/recordings/mapping.ts";
import type { RecordedEntry } from "../../harness/recordings/recorded.ts";
import type { MutantId } from "../../specs/generated/requirements.ts";
import { exchangedWith, ordinaryCalls } from "../support/recordedClient.ts";
import {
  began_ms,
  type Exchanged,
  entriesIn,
  harEntry,
  harOf,
  host,
  judged,
  type World,
} from "../support/recordings.ts";

type Response = Omit<ReturnType<typeof harEntry>["response"], "content"> & {
  readonly content: { readonly size: number; readonly text: string };
};
type Entry = Omit<ReturnType<typeof harEntry>, "response"> & { readonly response: Response };
type Header = Response["headers"][number];
type Habit = (entries: readonly Entry[]) => readonly object[];

/** Ids that some encodings and numbers don't hold, beside an ordinary client's calls. */
const calls = (world: World) => {
  const url = `${host}/?api-key=${world.keys["paid"]}`;
  const headers = [["content-type", "application/json"]] as const;
  const called = [7, "größe-€", 1_700_000_000_000_123].map((id) => ({
    ...{ method: "POST", url, headers },
    body: JSON.stringify({ jsonrpc: "2.0", id, method: "getIndexerHealth" }),
  }));
  const noAccounts = { owner: "11111111111111111111111111111112", limit: 1 };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 8, method: "getTokenAccounts", params: noAccounts });
  return [...ordinaryCalls(world), ...called, { method: "POST", url, headers, body }];
};

/** Figures beyond what JavaScript's numbers hold, which an exact reader finds in order. */
function withLongNumbers(one: Exchanged): Exchanged {
  const text = one.text
    .replace(/"amount":\d+/, '"amount":18446744073709551615')
    .replace(/"creditsLimit":\d+/, '"creditsLimit":9223372036854775807');
  const figure = (name: string): bigint => BigInt(new RegExp(`"${name}":(\\d+)`).exec(text)?.[1] ?? 0);
  const left = figure("creditsLimit") - figure("creditsUsed") + figure("prepaidCreditsUsed");
  return { ...one, text: text.replace(/"creditsRemaining":\d+/, `"creditsRemaining":${left}`) };
}

const made = new Map<string, ReturnType<typeof exchangedWith>>();

/** What a client exchanged with the reference, or a mutant of it; each is made once. */
function exchanged(mutant?: MutantId): ReturnType<typeof exchangedWith> {
  const name = mutant ?? "";
  const known = made.get(name) ?? exchangedWith(mutant, calls, 1);
  made.set(name, known);
  return known;
}

/** What is found in a client's HAR as a recorder of that habit writes it. */
async function found(habit: Habit, mutant?: MutantId) {
  const { exchanged: all, world } = await exchanged(mutant);
  const keys = [...world.target.keys].map(([role, key]) => {
    // The limit is another now.
    const { creditsLimit: _, ...project } = key.project;
    return [role, { ...key, project }] as const;
  });
  const target = { ...world.target, keys: new Map(keys) };
  const entries = (mutant ? all : all.map(withLongNumbers)).map((one) => harEntry(one) as Entry);
  const { broken, report, unjudged } = await judged(await entriesIn(harOf(habit(entries))), target);
  return { broken, judged: report.judged, unjudged };
}

const each =
  (change: (entry: Entry) => object): Habit =>
  (entries) =>
    entries.map(change);
const response = (change: (response: Response) => object): Habit =>
  each((entry) => ({ ...entry, response: { ...entry.response, ...change(entry.response) } }));
const content = (change: (text: string) => object): Habit =>
  response(({ content: { text: own, size } }) => ({ content: { size, ...change(own) } }));
const text = (change: (text: string) => string): Habit => content((own) => ({ text: change(own) }));
const head = (change: (headers: readonly Header[]) => readonly Header[]): Habit =>
  response(({ headers }) => ({ headers: change(headers) }));
const value = (change: (header: Header) => string): Habit =>
  head((headers) => headers.map((header) => ({ ...header, value: change(header) })));
const without = (name: string): Habit => head((headers) => headers.filter((header) => header.name !== name));
const adding = (name: string, value: string): Habit => head((headers) => [...headers, { name, value }]);
const typed = (type: string): Habit => value((header) => (header.name === "content-type" ? type : header.value));
const inTurn =
  (...habits: readonly Habit[]): Habit =>
  (entries) =>
    habits.reduce<readonly object[]>((all, habit) => habit(all as readonly Entry[]), entries);
const base64 = (bytes: string | Buffer): string => Buffer.from(bytes).toString("base64");
const encoded = (change: (text: string) => string | Buffer) =>
  content((own) => ({ encoding: "base64", text: base64(change(own)), size: Buffer.byteLength(change(own)) }));
const laterBy = (ms: number): Habit =>
  inTurn(
    without("date"),
    each((entry) => ({ ...entry, startedDateTime: new Date(Date.parse(entry.startedDateTime) + ms).toISOString() })),
  );
const inUtf16 = (own: string): Buffer => Buffer.from(`\uFEFF${own}`, "utf16le");
const asLatin1 = (own: string): string => Buffer.from(own).toString("latin1");
/** As Lua's cjson writes numbers. */
const in14Digits = (own: string): string =>
  own.replace(/(?<=[:,[])\d{15,}(?=[,}\]])/g, (number) => Number(number).toPrecision(14));
const preflight = (entry: Entry): object => ({
  ...entry,
  request: { ...entry.request, method: "OPTIONS", postData: undefined },
  response: { ...entry.response, status: 204, content: { size: 0 } },
});

/** Those after which everything is judged as before. */
const harmless: { readonly [title: string]: Habit } = {
  none: (entries) => entries,
  "plain text labelled base64": content((own) => ({ encoding: "base64", text: own })),
  "base64 labelled plain": text(base64),
  "base64 of base64": encoded(base64),
  "base64 in lines": content((own) => ({ encoding: "base64", text: base64(own).replace(/.{76}/g, "$&\r\n") })),
  "base64 for addresses": content((own) => ({ encoding: "base64", text: Buffer.from(own).toString("base64url") })),
  "a text of JSON": text(JSON.stringify),
  "UTF-16": encoded(inUtf16),
  "UTF-8 read as Latin-1": text(asLatin1),
  "Latin-1 in base64": encoded((own) => Buffer.from(own, "latin1")),
  "characters replaced": text((own) => own.replaceAll(/[^ -~]/g, "\uFFFD")),
  "characters escaped": text((own) =>
    own.replaceAll(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`),
  ),
  "a mark before the text": text((own) => `\uFEFF${own}`),
  "a mark before the bytes": encoded((own) => `\uFEFF${own}`),
  "a mark as Latin-1": text((own) => asLatin1(`\uFEFF${own}`)),
  "a compression undone whose header stays": adding("content-encoding", "gzip"),
  "a compression that stays without its header": encoded(gzipSync),
  "compressed bytes as Latin-1": content((own) => ({ size: 1, text: gzipSync(own).toString("latin1") })),
  "parsed and written again": text((own) => (own === "" ? "" : JSON.stringify(JSON.parse(own)))),
  "in lines": text((own) => (own === "" ? "" : JSON.stringify(JSON.parse(own), null, 2).replaceAll("\n", "\r\n"))),
  "sorted members": text((own) => (own === "" ? "" : canonical(JSON.parse(own)))),
  "fractions of 0": text((own) => own.replaceAll(/(?<=[:,[])\d{1,15}(?=[,}\]])/g, "$&.0")),
  "14 digits of a number": text(in14Digits),
  "long numbers as texts": text((own) => own.replaceAll(/(?<=[:,[])\d{17,}(?=[,}\]])/g, '"$&"')),
  "no header": head(() => []),
  "one header": head((headers) => headers.filter(({ name }) => name === "content-length")),
  "headers in capitals": head((headers) =>
    headers.map(({ name, value: own }) => ({ name: name.replaceAll(/\b\w/g, (one) => one.toUpperCase()), value: own })),
  ),
  "headers in another order": head((headers) => headers.toReversed()),
  "headers twice": head((headers) => [...headers, ...headers]),
  "headers joined by commas": value(({ value: own }) => `${own}, ${own}`),
  "headers joined by line ends": value(({ value: own }) => `${own}\n${own}`),
  "headers with spaces": value(({ value: own }) => ` ${own} `),
  "no challenge": without("www-authenticate"),
  "no type": without("content-type"),
  "a type in an own word": typed("x-unknown"),
  "an empty type": typed(""),
  "a charset": typed("application/json; charset=iso-8859-1"),
  "a type beside the header's": content((own) => ({ mimeType: "text/plain", text: own })),
  "a length of other bytes": adding("content-length", "7"),
  "chunks that were joined": adding("transfer-encoding", "chunked"),
  "pseudo-fields": adding(":status", "200"),
  "a clock without a zone": laterBy(14 * 3_600_000),
  "no clock": laterBy(-began_ms),
  "times in seconds": each((entry) => ({ ...entry, startedDateTime: entry.startedDateTime.replace(/\.\d+/, "") })),
  "no latency": each((entry) => ({ ...entry, time: 0 })),
  "an unknown latency": each((entry) => ({ ...entry, time: -1 })),
  "words of a status": response(() => ({ statusText: "whatever" })),
  "entries in another order": (entries) => entries.toReversed(),
  "an answer out of a cache": inTurn(
    each((entry) => ({ ...entry, _fromCache: "disk" })),
    laterBy(90 * 86_400_000),
  ),
  "preflights between": (entries) => entries.flatMap((entry) => [preflight(entry), entry]),
};

/** Those after which nothing can be judged, and why. */
const destructive: readonly (readonly [title: string, habit: Habit, reason: RegExp])[] = [
  ["no body", content(() => ({ size: 100 })), /isn't recorded completely/],
  ["an empty body", content(() => ({ size: 100, text: "" })), /isn't recorded completely/],
  ["half of a body", text((own) => own.slice(0, own.length / 2)), /isn't recorded completely/],
  ["half in base64", encoded((own) => own.slice(0, own.length / 2)), /ends too early|isn't JSON as it was recorded/],
  ["{} in place of a body", text(() => "{}"), /isn't in a form of the interface/],
  ["null in place of a body", text(() => "null"), /isn't in a form of the interface/],
  ["compressed bytes as UTF-8", content((own) => ({ size: 1, text: gzipSync(own).toString() })), /wrote as a text/],
  ["HTML", content((own) => ({ size: 1, text: own.replaceAll('"', "&quot;") })), /isn't JSON as it was recorded/],
  ["no status", response(() => ({ status: 0 })), /no complete answer/],
  ["an interim status", response(() => ({ status: 100 })), /an interim answer/],
  ["a revalidated answer", response(() => ({ status: 304 })), /had before/],
  ["a service worker's", response(() => ({ _fetchedViaServiceWorker: true })), /service worker/],
];

/** Defects of a type, a member, a text and a number of items. */
const defects = [
  "USG-FLD-01.string",
  "USG-KEYS-02.no-webhooks",
  "ERR-CMP-32602.detail",
  "TA-LIM-01.off-by-one",
] as const satisfies readonly MutantId[];

const plain: Habit = (entries) => entries;
/** Of two requests in three each time they are sent, beside others that are served: so failures count. */
const steadily =
  (habit: Habit): Habit =>
  (entries) =>
    Array.from({ length: 5 }, (_, time) =>
      laterBy(3_600_000 * time)(entries).flatMap((entry, nth) => (nth % 3 !== 1 ? habit([entry as Entry]) : entry)),
    ).flat();

for (const [title, habit] of Object.entries(harmless)) {
  test(`a recorder's habit breaks nothing, and all is judged: ${title}`, async () => {
    const { judged: all } = await found(plain);
    const { broken, judged: ours } = await found(habit);
    expect([broken, ours]).toEqual([[], all]);
  });
  test(`what the platform did is told under the habit: ${title}`, async () => {
    for (const mutant of defects) expect((await found(habit, mutant)).broken, mutant).toContain(mutant.split(".")[0]);
  });
}

for (const [title, habit, reason] of destructive)
  test(`a recorder's habit breaks nothing, however often, and is named: ${title}`, async () => {
    const { broken, unjudged } = await found(steadily(habit));
    expect(broken).toEqual([]);
    expect(Object.keys(unjudged)).toContainEqual(expect.stringMatching(reason));
  });

/** What a platform itself may do wrong, as a proxy sees it. */
const seen: readonly (readonly [title: string, habit: Habit, id: string])[] = [
  ["a mark before the bytes", text((own) => `\uFEFF${own}`), "GEN-JSON-03"],
  ["base64", text(base64), "GEN-JSON-03"],
  ["half of a body", encoded((own) => own.slice(0, own.length / 2)), "GEN-JSON-03"],
  ["no type", without("content-type"), "GEN-JSON-01"],
  ["no challenge", without("www-authenticate"), "EXT-HTTP-01"],
  ["characters replaced", text((own) => own.replaceAll(/[^ -~]/g, "?")), "RPC-ENV-02"],
  ["14 digits of a number", text(in14Digits), "RPC-ENV-03"],
  ["an old cycle", laterBy(90 * 86_400_000), "CYC-NOW-01"],
];

for (const [title, habit, id] of seen)
  test(`what breaks nothing in a recording does where a proxy has seen it: ${title}`, async () => {
    const { exchanged: all, world } = await exchanged();
    const entries = await entriesIn(harOf(steadily(habit)(all.map((one) => harEntry(one) as Entry))));
    expect((await judged(entries, world.target)).broken).toEqual([]);
    const exact = entries.map(
      (entry): RecordedEntry =>
        "unread" in entry ? entry : { ...entry, answer: { ...entry.answer, lacksHeaders: false }, isExact: true },
    );
    expect((await judged(exact, world.target)).broken).toContain(id);
  });

const mapping: Mapping = {
  ...{ time: "/time", method: "/method", url: "/url", requestHeaders: "/headers", requestBody: "/sent" },
  ...{ status: "/status", responseHeaders: "/answerHeaders", responseBody: "/body", headers: "all" },
};

/** What is found in JSON lines whose bodies are JSON rather than texts. */
async function foundInLines(change: (body: Json) => unknown, mutant?: MutantId) {
  const { exchanged: all, world } = await exchanged(mutant);
  const entries = all.flatMap(({ at_ms, body, text: own, ...rest }) => {
    const bodies = {
      sent: body === undefined ? null : (JSON.parse(body) as Json),
      body: own && change(JSON.parse(own) as Json),
    };
    return entryOfLine(JSON.stringify({ ...rest, ...bodies, time: at_ms }), mapping) ?? [];
  });
  const { broken, report } = await judged(entries, world.target);
  return { broken, judged: report.judged };
}

const isNull = (value: unknown): boolean => value === null;
const isEmpty = (value: unknown): boolean =>
  isNull(value) || value === "" || (typeof value === "object" && Object.keys(value ?? {}).length === 0);
const dropping = (isDropped: (value: unknown) => boolean) => (body: Json) =>
  JSON.parse(JSON.stringify(body), (_, value: Json) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, member]) => !isDropped(member))) : value,
  ) as unknown;
/** As a type with all members of envelopes and pages is written. */
const withNulls = (body: Json): unknown => {
  if (!isObject(body) || !Object.hasOwn(body, "jsonrpc")) return body;
  const { result } = body;
  const isPage = isObject(result) && Object.hasOwn(result, "token_accounts");
  return { result: null, error: null, ...body, ...(isPage ? { result: { cursor: null, ...result } } : {}) };
};

for (const [title, change] of [
  ["as they were", (body: Json) => body],
  ["without what is null", dropping(isNull)],
  ["without what is empty", dropping(isEmpty)],
  ["with null for what is missing", withNulls],
] as const) {
  test(`bodies that a recorder has parsed break nothing: ${title}`, async () => {
    const { judged: all } = await foundInLines((body) => body);
    expect(await foundInLines(change)).toEqual({ broken: [], judged: all });
  });
  test(`what the platform did is told in bodies that a recorder has parsed: ${title}`, async () => {
    for (const mutant of defects)
      expect((await foundInLines(change, mutant)).broken, mutant).toContain(mutant.split(".")[0]);
  });
}
