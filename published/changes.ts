// What changed from one edition of documents to the next, in terms of requirements.
import type { DocumentAddition, PublishedComparison, StatedRequirement } from "./comparison.ts";
import type { DocumentLine } from "./documents.ts";
import type { Point } from "./points.ts";

/** What the documents said at one place, and what they say now. */
export interface ChangedPoint extends Pick<Point["statement"], "operation" | "part" | "at" | "keyword"> {
  /** Null where they said nothing. */
  readonly was: string | null;
  readonly is: string | null;
  /** Where it stands now, or stood. */
  readonly line: DocumentLine | null;
}

export interface ChangedRequirement extends Pick<StatedRequirement, "id" | "sentence" | "clause" | "is"> {
  readonly was: StatedRequirement["is"];
  readonly points: readonly ChangedPoint[];
  /** Whether its verdict may soon be another: documents contradict it where they didn't, or no longer confirm it. */
  readonly isInQuestion: boolean;
}

export interface PublishedChanges {
  readonly requirements: readonly ChangedRequirement[];
  /** Operations that are described now, or no longer. */
  readonly appeared: readonly string[];
  readonly disappeared: readonly string[];
  /** Operations of whose envelopes more or less is described than before. */
  readonly forms: readonly string[];
  readonly added: readonly DocumentAddition[];
  readonly removed: readonly DocumentAddition[];
}

export function publishedChanges(was: PublishedComparison, is: PublishedComparison): PublishedChanges {
  const names = ({ described }: PublishedComparison): readonly string[] => described.map(({ operation }) => operation);
  const isUnspoken = unspokenIn(was, is);
  const spoken = (stated: StatedRequirement): StatedRequirement => ({
    ...stated,
    points: stated.points.filter((point) => !isUnspoken(point)),
  });
  return {
    requirements: is.requirements.flatMap((now) => {
      const found = was.requirements.find(({ id }) => id === now.id);
      if (!found) return [];
      const [before, after] = [spoken(found), spoken(now)];
      const points = changedPoints(before.points, after.points);
      return points.length > 0 ? [changedRequirement(before, after, points)] : [];
    }),
    appeared: names(is).filter((name) => !names(was).includes(name)),
    disappeared: names(was).filter((name) => !names(is).includes(name)),
    forms: is.described.flatMap(({ operation, below }) => {
      const before = was.described.find((other) => other.operation === operation)?.below ?? null;
      return before !== null && below !== null && before !== below ? [operation] : [];
    }),
    added: is.more.filter((one) => !was.more.some((other) => isSame(one, other))),
    removed: was.more.filter((one) => !is.more.some((other) => isSame(one, other))),
  };
}

const isSame = (one: DocumentAddition, other: DocumentAddition): boolean =>
  one.operation === other.operation && one.is === other.is && one.name === other.name;

function changedRequirement(
  before: StatedRequirement,
  { id, sentence, clause, is, points: now }: StatedRequirement,
  points: readonly ChangedPoint[],
): ChangedRequirement {
  const keys = (list: readonly Point[], state: Point["is"]) => list.filter((point) => point.is === state).map(keyOf);
  const contradicted = keys(before.points, "contradicted");
  const confirmed = keys(now, "confirmed");
  const isInQuestion =
    keys(now, "contradicted").some((key) => !contradicted.includes(key)) ||
    keys(before.points, "confirmed").some((key) => !confirmed.includes(key));
  return { id, sentence, clause, was: before.is, is, points, isInQuestion };
}

const keyOf = ({ statement: { operation, part, at, keyword } }: Point): string =>
  JSON.stringify([operation, part, at, keyword]);

/** What one of both doesn't describe because it leaves the envelope out, which changes nothing within. */
function unspokenIn(was: PublishedComparison, is: PublishedComparison) {
  const belowIn = ({ described }: PublishedComparison, name: string): string | null =>
    described.find(({ operation }) => operation === name)?.below ?? null;
  return ({ statement: { operation, part, at, keyword } }: Point): boolean => {
    const [before, now] = [belowIn(was, operation), belowIn(is, operation)];
    if (part !== "result" || before === null || now === null || before === now) return false;
    const below = before.length > now.length ? before : now;
    return !at.startsWith(below) || (at === below && keyword === "present");
  };
}

/** By place, whatever file describes it: a folder may be laid out anew. */
function changedPoints(before: readonly Point[], now: readonly Point[]): readonly ChangedPoint[] {
  const keys = [...new Set([...before, ...now].map(keyOf))];
  const isContradicted = (key: string): boolean =>
    now.some((point) => point.is === "contradicted" && keyOf(point) === key);
  // What is contradicted now comes first.
  const sorted = keys.toSorted((a, b) => Number(isContradicted(b)) - Number(isContradicted(a)));
  return sorted.flatMap((key) => {
    const [old, current] = [before, now].map((list) => list.filter((point) => keyOf(point) === key));
    const [was, is] = [textOf(old ?? []), textOf(current ?? [])];
    const [any] = [...(current ?? []), ...(old ?? [])];
    if (!any || was === is) return [];
    const { operation, part, at, keyword } = any.statement;
    return [{ operation, part, at, keyword, was, is, line: any.line }];
  });
}

/** Of each document that says something, once. */
const textOf = (points: readonly Point[]): string | null =>
  [...new Set(points.flatMap(({ theirs }) => theirs ?? []))].sort().join("; ") || null;
