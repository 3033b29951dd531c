// Where the documents give no schema, do they say which open points stand in its place? What nobody speaks of would be forgotten.
type Node = { readonly [keyword: string]: unknown };

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value);

/** Bodies without a schema that name no open point, and open points that aren't in the register, as sentences; [] for a sound document. */
export function unspokenProblems(document: unknown, known: ReadonlySet<string>, at = ""): string[] {
  if (Array.isArray(document))
    return document.flatMap((item, index) => unspokenProblems(item, known, `${at}/${index}`));
  if (!isNode(document)) return [];
  const { "x-unspecified": open = [], content } = document;
  const strangers = (open as readonly string[])
    .filter((id) => !known.has(id))
    .map((id) => `${at}: the register has no open point ${id}`);
  const silent = Object.entries(isNode(content) ? content : {}).filter(
    ([, body]) =>
      isNode(body) && !("schema" in body) && ((body["x-unspecified"] ?? []) as readonly string[]).length === 0,
  );
  const children = Object.entries(document).flatMap(([name, child]) => unspokenProblems(child, known, `${at}/${name}`));
  return [
    ...strangers,
    ...silent.map(([type]) => `${at}/content/${type}: neither a schema nor an open point`),
    ...children,
  ];
}
