// The lint of unspecified behaviours: every body has a schema, or names what stands in its place.
import { isLocated } from "../../specs/build/load.ts";

/** Bodies with neither schema nor observation, and observations that the register lacks, as sentences; [] if none. */
export function unspecifiedProblems(document: unknown, known: ReadonlySet<string>, at = ""): string[] {
  if (Array.isArray(document))
    return document.flatMap((item, index) => unspecifiedProblems(item, known, `${at}/${index}`));
  if (!isLocated(document)) return [];
  const { "x-unspecified": unspecified = [], content } = document;
  const unknown = (unspecified as readonly string[]).filter((id) => !known.has(id));
  const empty = Object.entries(isLocated(content) ? content : {}).filter(
    ([, body]) =>
      isLocated(body) && !("schema" in body) && ((body["x-unspecified"] ?? []) as readonly string[]).length === 0,
  );
  const members = Object.entries(document);
  return [
    ...unknown.map((id) => `${at}: the register has no observation ${id}`),
    ...empty.map(([type]) => `${at}/content/${type}: neither a schema nor an observation`),
    ...members.flatMap(([name, child]) => unspecifiedProblems(child, known, `${at}/${name}`)),
  ];
}
