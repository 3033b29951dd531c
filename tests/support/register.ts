// The files of the specs, as their authors write them.
import { readdirSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { parse } from "yaml";
import { read, root } from "./assay.ts";

type Row = { readonly id: string };

const filesIn = (folder: string): readonly unknown[] =>
  readdirSync(join(root, "specs", folder))
    .filter((name) => name.endsWith(".yaml"))
    .sort()
    .map((name) => parse(read(join("specs", folder, name))) as unknown);

/** The ids of all rows, file by file. */
export const idsIn = (register: "requirements" | "observations"): readonly string[] =>
  (filesIn(register) as readonly (readonly Row[] | { readonly rows: readonly Row[] })[]).flatMap((file) =>
    ("rows" in file ? file.rows : file).map(({ id }) => id),
  );

type RestFile = { readonly [verb: string]: { readonly operationId: string; readonly tags: readonly string[] } };
type RpcFile = { readonly method: string; readonly feature: string };

/** Operations of the REST endpoints, and methods of JSON-RPC. */
export const describedOperations = {
  rest: (filesIn("rest") as readonly RestFile[]).flatMap((file) =>
    Object.values(file).map(({ operationId, tags: [feature = ""] }) => ({ id: operationId, feature })),
  ),
  rpc: (filesIn("rpc") as readonly RpcFile[]).map(({ method, feature }) => ({ id: method, feature })),
};

export const describedFeatures = [
  ...new Set([...describedOperations.rest, ...describedOperations.rpc].map(({ feature }) => feature)),
];

/** A file below specs/; what stands beside a reference replaces members of what it names. */
export function specAt(path: string): unknown {
  const followed = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(followed);
    if (typeof node !== "object" || node === null) return node;
    const { $ref, ...members } = node as { readonly $ref?: string };
    const own = Object.fromEntries(Object.entries(members).map(([name, member]) => [name, followed(member)]));
    return $ref === undefined ? own : { ...(specAt(normalize(join(dirname(path), $ref))) as object), ...own };
  };
  return followed(parse(read(join("specs", path))));
}
