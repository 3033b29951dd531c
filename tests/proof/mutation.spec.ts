// Tests of the mutation of the judge: what is edited, the switch, the sample, and the survivors that are argued
import { runInNewContext } from "node:vm";
import { expect, test } from "@playwright/test";
import { transformSync } from "esbuild";
import { intervalOf } from "../../harness/core/interval.ts";
import { allEdits, areas } from "../../proof/mutation/areas.ts";
import { editsOf } from "../../proof/mutation/edits.ts";
import { JudgeOrder } from "../../proof/mutation/order.ts";
import { shuffled } from "../../proof/mutation/sample.ts";
import { argued, complaintsOf } from "../../proof/mutation/survivors.ts";
import { switched, switchName } from "../../proof/mutation/switched.ts";
import { tableOf } from "../../proof/mutation/table.ts";
import { PublishedDocument } from "../../proof/publishedTable.ts";

const changesIn = (text: string): readonly string[] =>
  editsOf("some.ts", text).map(({ original, mutated }) => `${original} → ${mutated}`);

const changes: readonly (readonly [what: string, text: string, changes: readonly string[]])[] = [
  ["a comparison", "f = a < b;", ["f = a < b → undefined", "a < b → a <= b", "a < b → a >= b"]],
  ["a choice", "f = a ? b : c;", ["f = a ? b : c → undefined", "a ? b : c → b", "a ? b : c → c"]],
  ["a condition", "if (a) b();", ["a → true", "a → false", "b() → undefined"]],
  ["what may be absent", "const f = a ?? b;", ["a ?? b → a", "a ?? b → b"]],
  ["numbers", "const f = 120_000;", ["120_000 → 120001"]],
  ["members of an array", "const f = [a, b];", ["a → ", "b → "]],
  ["what a function returns", "const f = () => a;", ["a → undefined"]],
  ["what skips the rest", "for (const a of b) continue;", ["continue; → "]],
  ["a method that has an opposite", "const f = a?.some(g);", ["?.some → .every"]],
  ["a filter", "const f = a.filter(b);", ["b → () => true"]],
  ["the ends of a pattern", "const f = /^a$/;", ["/^a$/ → /a$/", "/^a$/ → /^a/"]],
  ["no type", "type F = 1 | 'a'; const f = a as 'b';", []],
  ["no text for people", "const f = `so ${a < b} far`; const g = 'so far';", []],
  ["no names of members", "const f = { 'a': b };", []],
  ["nothing that values are assigned to", "[a, b] = c;", ["[a, b] = c → undefined"]],
];

for (const [what, text, expected] of changes)
  test(`of edits: ${what}`, () => {
    expect(changesIn(text)).toEqual(expected);
  });

const source = `
  const served = (all: readonly number[], most: number): readonly number[] | number => {
    const found: number[] = [];
    for (const one of [...all, 3]) {
      if (one > most) continue;
      else if (one === 5) found.push(one);
      found.push(one);
    }
    return found.some((one) => one === 3) ? found.length : found;
  };
  result = served([5, 9], 5);
`;

/** What the source yields with one edit, or with none. */
function yielded(isOn: (original: string, mutated: string) => boolean): unknown {
  const edits = editsOf("some.ts", source);
  const text = switched(
    source,
    edits.map((one, id) => [one, id]),
  );
  const { code } = transformSync(text, { loader: "ts" });
  const isEdited = (id: number): boolean => isOn(edits[id]?.original ?? "", edits[id]?.mutated ?? "");
  return runInNewContext(`${code}; result`, { [switchName]: isEdited });
}

const single: readonly (readonly [form: string, original: string, mutated: string, yields: unknown])[] = [
  ["no edit", "none", "none", 3],
  ["an expression", "one > most", "one >= most", 1],
  ["a statement before `else`", "continue;", "", 4],
  ["a member of an array", "3", "", [5, 5]],
  ["a method", ".some", ".every", [5, 5, 3]],
];

for (const [form, original, mutated, yields] of single)
  test(`one build holds all edits, and the switch turns on ${form}`, () => {
    expect(yielded((from, to) => from === original && to === mutated)).toEqual(yields);
  });

test("an edit's key changes with the statement that holds it, and with no other", () => {
  const keysOf = (text: string): readonly string[] => editsOf("some.ts", text).map(({ key }) => key);
  const [one, other] = ["const f = (a) => a < 1;", "const g = 2;"];
  expect(keysOf(`${other}\n${one}`)).toEqual([...keysOf(other), ...keysOf(one)]);
  expect(keysOf(one.replace("1", "3")).filter((key) => keysOf(one).includes(key))).toEqual([]);
});

test("each edit of the judge has its own key, and each area has some", () => {
  const edits = allEdits();
  expect(new Set(edits.map(({ key }) => key)).size).toBe(edits.length);
  expect([...new Set(edits.map(({ area }) => area))]).toEqual(Object.keys(areas));
});

test("a sample is the same each time, and a smaller one is the first part of a larger one", () => {
  const edits = editsOf("some.ts", source).map((edit) => ({ ...edit, area: "some" }));
  const order = shuffled(edits).map(({ key }) => key);
  expect(shuffled([...edits].reverse()).map(({ key }) => key)).toEqual(order);
  expect(order).not.toEqual(edits.map(({ key }) => key));
});

const orderFile = "proof/mutation/order.ts";

/** Judges of one edit of a file, which is reached while modules load, or in their run; others don't reach it. */
const judgesOf = (judges: readonly (readonly [name: string, ms: number, how: "loading" | "reached" | null])[]) => {
  const [edit] = editsOf(orderFile, "const f = 1;").map((one) => ({ ...one, area: "some" }));
  if (!edit) throw new Error("there is no edit");
  const ids = (is: boolean): ReadonlySet<number> => new Set(is ? [0] : []);
  const coverage = judges.map(([name, duration_ms, how]) => ({
    ...{ file: "tests/proof/mutation.spec.ts", name, duration_ms, asked: 1 },
    ...{ loading: ids(how === "loading"), reached: ids(how === "reached") },
  }));
  return new JudgeOrder([edit], coverage).judgesOf(edit, 0, 1_000).map(({ name }) => name);
};

test("an edit is judged by whose run reaches it, and by whose modules have it as they load", () => {
  expect(
    judgesOf([
      ["a", 10, "reached"],
      ["b", 20, "loading"],
      ["c", 30, null],
    ]),
  ).toEqual(["a", "b"]);
});

test("quick judges come first, and one that takes too long leaves its time to others", () => {
  const judges = [["slow", 900, "reached"] as const, ["quick", 50, "reached"] as const];
  expect(judgesOf([...judges, ["slower", 1_200, "reached"]])).toEqual(["quick", "slow"]);
  expect(judgesOf([["slow", 990, "reached"], ...judges])).toEqual(["quick", "slow"]);
});

test("intervals are Wilson's", () => {
  const rounded = (some: number, all: number) => intervalOf(some, all).map((one) => Number(one.toFixed(4)));
  expect(rounded(0, 10)).toEqual([0, 0.2775]);
  expect(rounded(9, 10)).toEqual([0.5958, 0.9821]);
  expect(rounded(180, 200)).toEqual([0.8506, 0.9343]);
});

test("an argued survivor counts as one, and what comes after an edit that wasn't tried doesn't count", () => {
  const edits = editsOf("some.ts", source).map((edit) => ({ ...edit, area: "some" }));
  const order = shuffled(edits);
  const outcome = (nth: number, killedBy: string | null) => ({
    key: order[nth]?.key ?? "",
    killedBy,
    how: "",
    judges: 1,
  });
  const tried = [outcome(0, "tests/golden.spec.ts › a"), outcome(1, null), outcome(2, "mutant: A"), outcome(3, null)];
  const known = new Map([...tried, outcome(5, "mutant: A")].map((one) => [one.key, one]));
  const [row = []] = tableOf(edits, known, new Set([tried[1]?.key ?? ""])).rows;
  expect(row.slice(1)).toEqual([edits.length, 4, 2, "50.0 %", "15.0 to 85.0 %", 1, 1, 1, 0, 1]);
});

test("each survivor that is argued is an edit of the code as it is, argued once and in a sentence", () => {
  const all = argued();
  expect(complaintsOf(all, allEdits())).toEqual([]);
  expect(all.length).toBeGreaterThan(0);
});

test("arguments are refused for what the code doesn't have, twice, and without a reason", () => {
  const edits = editsOf("some.ts", "const f = a < b;").map((edit) => ({ ...edit, area: "some" }));
  const sound = { file: "some.ts", on: "const f = a < b;", original: "a < b", mutated: "a <= b" };
  const reason = "No two of them are ever equal, as each is made once.";
  expect(complaintsOf([{ ...sound, reason }], edits)).toEqual([]);
  const complaints = complaintsOf(
    [
      { ...sound, mutated: "a > b", reason },
      { ...sound, reason: "equal" },
      { ...sound, reason },
    ],
    edits,
  );
  expect(complaints.map((one) => one.replace(/^.*: /, ""))).toEqual([
    "the code has no such edit",
    "the reason is no sentence",
    "argued twice",
  ]);
});

test("of every area at least 200 edits were tried, or all, 90 % were killed, and the others are argued", () => {
  const rows = new PublishedDocument("proof.md")
    .tableBy("proof/mutation/table.ts")
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(2)
    .map((line) => line.split("|").map((cell) => cell.trim()));
  expect(rows.map(([, area]) => area)).toEqual(Object.keys(areas));
  for (const [, area, edits, tried, killed, , , , open] of rows) {
    expect(Number(tried), area).toBeGreaterThanOrEqual(Math.min(200, Number(edits)));
    expect(Number(killed) / Number(tried), area).toBeGreaterThanOrEqual(0.9);
    expect(Number(open), area).toBe(0);
  }
});
