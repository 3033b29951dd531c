// Which tests take too much processor time.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { parse } from "yaml";
import { read, root } from "./assay.ts";
import { beyond, type Took } from "./dearTests.ts";

const took = (file: string, seconds: number, isFirst = false): Took => ({ file, title: "it holds", seconds, isFirst });

test("more than a second is told, but for what a file loads, and files that are listed", () => {
  const all = [
    took("a.spec.ts", 1.1),
    took("b.spec.ts", 2.9, true),
    took("c.spec.ts", 3.1, true),
    took("d.spec.ts", 9),
  ];
  expect(beyond(all, new Set(["d.spec.ts"]), 1).map(({ file }) => file)).toEqual(["a.spec.ts", "c.spec.ts"]);
  expect(beyond(all, new Set(), 3).map(({ file }) => file)).toEqual(["d.spec.ts"]);
});

test("each file that is listed is there, and has a reason", () => {
  const listed = Object.entries(parse(read("tests/dear.yaml")) as { readonly [file: string]: string });
  expect(listed.filter(([file, why]) => !existsSync(join(root, "tests", file)) || why.length < 20)).toEqual([]);
});
