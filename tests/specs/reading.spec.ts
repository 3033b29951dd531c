// docs/READING.md, which holds what the tree cites, and the ids and links of each page in docs/.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { read, root } from "../support/assay.ts";
import { idsIn } from "../support/register.ts";

const anchors = new Set([...read("docs/READING.md").matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id = ""]) => id));

test("docs/READING.md has 20 amendments, 38 traps and 10 statements about one document", () => {
  const count = (start: string): number => [...anchors].filter((name) => name.startsWith(start)).length;
  expect([count("amendment-"), count("t-"), [...anchors].filter((name) => /^i\d+$/.test(name)).length]).toEqual([
    20, 38, 10,
  ]);
});

const known = new Set([...idsIn("requirements"), ...idsIn("observations")]);
const pages = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md") && name !== "INTERFACE.md");

for (const page of pages)
  test(`docs/${page} names only ids of the register, and links only what is there`, () => {
    const text = read(`docs/${page}`);
    const ids = text.match(/\b(?:OBS-[A-Z]+(?:-[A-Z0-9]+)*|[A-Z]{2,}(?:-[A-Z0-9]+)+-\d\d)\b/g) ?? [];
    // INV is the example of an area of one's own.
    expect(ids.filter((id) => !known.has(id) && !/^(?:OBS-)?AREA|^INV-/.test(id))).toEqual([]);
    const links = [...text.matchAll(/\]\((?:([\w./-]+\.md))?#([^)]+)\)/g)];
    const isThere = (file: string, name: string): boolean => read(file).includes(`<a id="${name}"></a>`);
    const broken = links.filter(([, file, name = ""]) => !isThere(`docs/${file ?? page}`, name));
    expect(broken.map(([link]) => link)).toEqual([]);
  });
