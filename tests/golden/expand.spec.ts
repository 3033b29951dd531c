// Golden lists that break a rule of their form, and what is said about them.
import { expect, test } from "@playwright/test";
import { parse } from "yaml";
import { expand, type GoldenList } from "./expand.ts";
import { expanded } from "./lists.ts";

const bases = `
bases:
  health:
    clause: §4.3
    request: { method: getIndexerHealth, role: paid, id: 1 }
    status: 200
    headers: { content-type: application/json }
    body: { jsonrpc: "2.0", id: 1, result: ok }
    expect: { holds: [IH-OK-01, RPC-ENV-01, RPC-ENV-03] }
exchanges:
- title: The health of an indexer
`;

const rest = "expect: { broken: [], holds: [] }";
/** The list with one exchange, of these lines. */
const listWith = (...lines: readonly string[]): unknown => parse(bases + lines.map((line) => `  ${line}\n`).join(""));
const errorsOf = (...lines: readonly string[]): readonly string[] => expanded(listWith(...lines)).errors;

const changing = (change: string): readonly string[] => ["from: health", `change: { ${change} }`, rest];
const changeErrors = (change: string): readonly string[] => errorsOf(...changing(change));

function changedBody(change: string): unknown {
  const [{ body, text } = {}] = expand(listWith(...changing(change)) as GoldenList).exchanges;
  return text ?? body;
}

test("An exchange derives from a base of its list", () => {
  expect(errorsOf("from: health", rest)).toEqual([]);
  expect(errorsOf("from: healthy", rest)).toEqual([
    "base health: nothing is derived from it",
    "The health of an indexer: from names no base: healthy",
  ]);
});

test("A change names a place that exists, or adds a member to an object", () => {
  expect(changeErrors("/body/took_ms: 3")).toEqual([]);
  for (const [place, change] of [
    ["/body/result/value", "3"],
    ["/body/error/code", "3"],
    ["/body/error", "{ absent: true }"],
    ["/body/error", "{ renamed: fault }"],
    ["/request/params/0", "3"],
  ])
    expect(changeErrors(`${place}: ${change}`)).toEqual([`The health of an indexer: ${place} does not exist`]);
});

test("A change changes something", () => {
  for (const [place, change] of [
    ["/body/result", "/body/result: ok"],
    ["/status", "/status: 200"],
    ["/body/result", "/body/result: { renamed: result }"],
    // The answer echoes the changed id anyway.
    ["/body/id", "/request/id: 2, /body/id: 2"],
  ] as const)
    expect(changeErrors(change)).toEqual([`The health of an indexer: ${place} changes nothing`]);
});

test("A list has no unknown keys", () => {
  const [first] = errorsOf("from: health", "breaks: []", rest);
  expect(first).toContain("must NOT have unevaluated properties");
  expect(errorsOf("from: health", "status: 404", rest)).not.toEqual([]);
  expect(changeErrors("/result: ok")).not.toEqual([]);
  expect(errorsOf("from: health", "expect: { holds: [] }")).not.toEqual([]);
  expect(errorsOf("clause: §4.3", rest)).not.toEqual([]);
});

test("A changed exchange fits the schema too", () => {
  const misfits = [
    "/request/role: nobody",
    "/request/key: header",
    "/status: 42",
    "/headers/content-type: 1",
    "/headers: { absent: true }",
  ];
  for (const change of misfits) expect(changeErrors(change)).not.toEqual([]);
});

test("An exchange has holds if its base has none", () => {
  const list = parse(bases.replace(/^ *expect: .*\n/m, "")) as GoldenList;
  const exchanges = [{ title: "The health of an indexer", from: "health", expect: { broken: [] } }];
  expect(expanded({ ...list, exchanges }).errors).toEqual([
    "The health of an indexer: neither it nor its base has holds",
  ]);
});

test("A change replaces, adds, removes and renames", () => {
  expect(changedBody("/body/result: null")).toEqual({ jsonrpc: "2.0", id: 1, result: null });
  expect(changedBody("/body/error: null")).toEqual({ jsonrpc: "2.0", id: 1, result: "ok", error: null });
  expect(changedBody("/body/result: { absent: true }")).toEqual({ jsonrpc: "2.0", id: 1 });
  expect(JSON.stringify(changedBody("/body/id: { renamed: Id }"))).toBe('{"jsonrpc":"2.0","Id":1,"result":"ok"}');
});

test("A changed request id is echoed, a text replaces the body, and a literal keeps its notation", () => {
  expect(changedBody("/request/id: two")).toEqual({ jsonrpc: "2.0", id: "two", result: "ok" });
  expect(changedBody("/text: ok")).toBe("ok");
  expect(changedBody('/body/id: { literal: "1.0" }')).toBe('{"jsonrpc":"2.0","id":1.0,"result":"ok"}');
});

test("An exchange without holds inherits those of its base", () => {
  const list = listWith("from: health", "expect: { broken: [RPC-ENV-01], notExercised: [IH-OK-01] }") as GoldenList;
  expect(expand(list).exchanges[0]?.holds).toEqual(["RPC-ENV-03"]);
});
