// Citations of clauses: each resolves to an anchor of docs/INTERFACE.md, and the page is what the specs generate.
import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { parse } from "yaml";
import { linkOf } from "../../reports/clauses.ts";
import {
  anchorsIn,
  clauseAnchor,
  clausesIn,
  readInterface,
  unresolvedIn,
  withMethods,
} from "../../specs/build/clauses.ts";
import { interfaceFile, interfacePage, observationRows, requirementRows } from "../../specs/build/interface.ts";
import { clauseAnchors } from "../../specs/generated/clauses.ts";
import { golden } from "../golden/lists.ts";
import { read } from "../support/assay.ts";
import { schemaProblems } from "../support/standards.ts";

const yaml = (path: string): unknown => parse(read(path));

interface Citing {
  readonly clause: string;
}
const interfaceClauses = readInterface();
const anchors = anchorsIn(interfaceClauses);
const registerRows: readonly (Citing & { readonly id: string })[] = [...requirementRows(), ...observationRows()];

test("the clauses fit their schema, and each is there once", () => {
  expect(schemaProblems("specs/clauses.schema.json", yaml("specs/clauses.yaml"))).toEqual([]);
  const { clauses, sources } = interfaceClauses;
  expect(anchors.size).toBe(clauses.length + sources.length);
});

test("a method whose clause isn't listed brings it, behind its section", () => {
  const [before, listed, after] = ["§4.3", "§4.3 sendBundle", "§5"].map((clause) => ({
    clause,
    title: "t",
    text: "x\n",
  }));
  if (!before || !listed || !after) throw new Error("no clauses");
  const own = { clause: "§4.3 getTotal", title: "getTotal", text: "The sum.\n" };
  const methods = [
    { method: "sendBundle", clause: "§4.3 sendBundle", summary: "Listed already." },
    { method: "getTotal", clause: "§4.3 getTotal", summary: "The sum." },
  ];
  expect(withMethods([before, listed, after], methods)).toEqual([before, listed, own, after]);
});

test("each clause cited by a requirement or an observation resolves to an anchor", () => {
  const unresolved = registerRows.flatMap(({ id, clause }) =>
    unresolvedIn(clause, anchors).map((one) => `${id}: ${one}`),
  );
  expect(unresolved).toEqual([]);
});

test("each clause cited by a golden exchange resolves to an anchor", () => {
  expect(golden.length).toBeGreaterThan(500);
  const cited = new Set(golden.map(({ clause }) => clause));
  expect([...cited].flatMap((clause) => unresolvedIn(clause, anchors))).toEqual([]);
});

for (const { clause, unresolved } of yaml("tests/fixtures/clauses/unresolved.yaml") as readonly (Citing & {
  readonly unresolved: readonly string[];
})[])
  test(`a citation of "${clause}" resolves all but ${unresolved.join(", ")}`, () =>
    expect(unresolvedIn(clause, anchors)).toEqual(unresolved));

for (const [citation, clauses] of [
  ["§2.1", ["§2.1"]],
  ["§2.1 (derived)", ["§2.1"]],
  ["§4.2, §1.2, §9", ["§4.2", "§1.2", "§9"]],
  ["§5.5 vs §7.2", ["§5.5", "§7.2"]],
  ["§2.1 rule 2", ["§2.1 rule 2"]],
  ["§5 rule 6, §7.2", ["§5.6", "§7.2"]],
  ["§2.5, §4.3 getBundleStatuses", ["§2.5", "§4.3 getBundleStatuses"]],
  ["RFC 8259 §8.1, §4; RFC 7493", ["RFC 8259", "RFC 7493"]],
  ["draft-ietf-httpapi-ratelimit-headers (work in progress; read at -11)", ["draft-ietf-httpapi-ratelimit-headers"]],
] as const)
  test(`a citation of "${citation}" names ${clauses.join(" and ")}`, () =>
    expect(clausesIn(citation)).toEqual(clauses));

test("an anchor follows from its clause by rule", () => {
  const cited = ["Intro", "§2.1", "§2.1 rule 1", "§4.3 sendBundle", "RFC 9110", "JSON-RPC 2.0"];
  expect(cited.map(clauseAnchor)).toEqual([
    "intro",
    "s2.1",
    "s2.1-rule-1",
    "s4.3-sendBundle",
    "rfc-9110",
    "json-rpc-2.0",
  ]);
});

test("the generated table has the anchors of each citation in the register", () => {
  expect(Object.keys(clauseAnchors).sort()).toEqual([...new Set(registerRows.map(({ clause }) => clause))].sort());
  expect(Object.values(clauseAnchors).filter((all) => all.length === 0)).toEqual([]);
  expect(clauseAnchors["§5.5 vs §7.2"]).toEqual(["s5.5", "s7.2"]);
});

test("a clause's link is absolute where the repository has an address, and there is none otherwise", () => {
  const [base, clauses] = ["https://assay.example/blob/main/", { file: "docs/INTERFACE.md", anchors: clauseAnchors }];
  expect(linkOf(clauses, "§2.1", base)).toBe("https://assay.example/blob/main/docs/INTERFACE.md#s2.1");
  expect([linkOf(clauses, "§2.1", null), linkOf(clauses, "<b>", base), linkOf(clauses, "constructor", base)]).toEqual([
    null,
    null,
    null,
  ]);
});

test("docs/INTERFACE.md is what `npm run docs` writes", () => {
  const isCurrent = readFileSync(interfaceFile, "utf8") === interfacePage();
  expect(isCurrent, "run `npm run docs` and commit docs/INTERFACE.md").toBe(true);
});

test("docs/INTERFACE.md has an anchor for each clause, requirement and observation, and no link leads nowhere", () => {
  const page = interfacePage();
  const ids = [...page.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id = ""]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining([...anchors, ...registerRows.map(({ id }) => id)]));
  const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, id = ""]) => id);
  expect(links.filter((id) => !ids.includes(id))).toEqual([]);
});

test("docs/INTERFACE.md names each mutant and each benign variant", () => {
  const page = interfacePage();
  const named = requirementRows().flatMap(({ id, mutants, benign }) =>
    [...Object.keys(mutants ?? {}), ...Object.keys(benign ?? {})].map((slug) => `| \`${id}.${slug}\` |`),
  );
  expect(named.length).toBeGreaterThan(600);
  expect(named.filter((row) => !page.includes(row))).toEqual([]);
});
