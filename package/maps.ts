// Maps of what is bundled, for a debugger: they lead to sources of this project that somebody wrote.
import { decode, encode, type SourceMapSegment } from "@jridgewell/sourcemap-codec";

interface SourceMap {
  readonly sources: readonly string[];
  readonly sourcesContent: readonly string[];
  readonly mappings: string;
}

const isOwn = (source: string): boolean => !/(^|\/)node_modules\/|(^|\/)specs\/generated\//.test(source);

/** Without packages and what is generated: nobody debugs them here, and they weigh twice as much as the rest. */
export function mapOfOwnSources(text: string): string {
  const { sources, sourcesContent, mappings, ...map } = JSON.parse(text) as SourceMap;
  const own = [...sources.keys()].filter((nth) => isOwn(sources[nth] ?? ""));
  const places = new Map(own.map((source, nth) => [source, nth]));
  const led = ([column, source, line = 0, start = 0]: SourceMapSegment): SourceMapSegment => {
    const place = source === undefined ? undefined : places.get(source);
    return place === undefined ? [column] : [column, place, line, start];
  };
  // Of several parts in a row that lead nowhere, the first says so.
  const lines = decode(mappings).map((line) =>
    line.map(led).filter((segment, nth, all) => nth === 0 || segment.length > 1 || (all[nth - 1]?.length ?? 0) > 1),
  );
  return JSON.stringify({
    ...map,
    sources: own.map((source) => sources[source]),
    sourcesContent: own.map((source) => sourcesContent[source]),
    names: [],
    mappings: encode(lines),
  });
}
