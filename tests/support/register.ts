// The register's own files, as their authors write them.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { read, root } from "./assay.ts";

type Row = { readonly id: string };

/** The ids of all rows, file by file. */
export const idsIn = (register: "requirements" | "observations"): readonly string[] =>
  readdirSync(join(root, "specs", register))
    .filter((name) => name.endsWith(".yaml"))
    .sort()
    .flatMap((name) => {
      const parsed = parse(read(join("specs", register, name))) as readonly Row[] | { readonly rows: readonly Row[] };
      return ("rows" in parsed ? parsed.rows : parsed).map(({ id }) => id);
    });
