// Violations of the tree's rules that stand for now, each to be removed from notYet.yaml with what violates.
import { expect } from "@playwright/test";
import { parse } from "yaml";
import { read } from "../support/assay.ts";

const notYet = parse(read("tests/tree/notYet.yaml")) as { readonly [rule: string]: readonly string[] };

/** Nothing is found that isn't listed under the rule, by `nameOf`, and nothing is listed that isn't found. */
export function expectNone(rule: string, found: readonly string[], nameOf = (one: string): string => one): void {
  const listed = notYet[rule] ?? [];
  expect({
    found: found.filter((one) => !listed.includes(nameOf(one))),
    nowFixed: listed.filter((one) => !found.map(nameOf).includes(one)),
  }).toEqual({ found: [], nowFixed: [] });
}
