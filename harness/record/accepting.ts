// Accepting: brings a list of known deviations up to date with a run; all else in the file stays.
import { Document, isMap, parseDocument, YAMLMap, YAMLSeq } from "yaml";
import type { RequirementId } from "../core/interface.ts";
import { canonical, starred } from "../core/json.ts";
import type { Breach } from "../model/verdict.ts";
import { type Deviation, type ExpectedFailure, kindOfGot } from "../targets/deviations.ts";
import type { JudgedRequirement } from "./run.ts";

export type Acceptance = Pick<Deviation, "reason" | "until" | "owner" | "link">;

export interface Accepted {
  readonly text: string;
  readonly added: readonly RequirementId[];
  readonly renewed: readonly RequirementId[];
  readonly removed: readonly RequirementId[];
}

/** Places of numbers that identify a failure. */
const codes = ["status", "/statusCode", "/error/code"];

/** The failure without what differs between runs: indices, amounts and texts. */
function expectationOf({ at, got }: Breach): ExpectedFailure {
  if ("value" in got && typeof got.value === "number" && codes.includes(at)) return { at, value: got.value };
  return { at: starred(at), is: kindOfGot(got) };
}

const expectationsOf = (breaches: readonly Breach[]): readonly ExpectedFailure[] => [
  ...new Map(breaches.map(expectationOf).map((one) => [canonical(one), one])).values(),
];

/** Whose checks show the breach; undefined where its own checks, or the first requests of every run, do. */
function shownBy({ breaches, exchanges }: JudgedRequirement): readonly RequirementId[] | undefined {
  const byOthers = [...new Set(breaches.flatMap(({ causedBy }) => causedBy))];
  return byOthers.length === 0 || breaches.some(({ exchange }) => exchanges.includes(exchange)) ? undefined : byOthers;
}

/**
 * Accepts findings; one without breaches removes the entry of its requirement.
 * @param text undefined where there is no file yet
 * @param acceptance null where entries are only removed
 * @param heading the comment at the top of a new file
 */
export function accept(
  text: string | undefined,
  findings: readonly JudgedRequirement[],
  acceptance: Acceptance | null,
  heading: string,
): Accepted {
  const document = parseDocument(text ?? "");
  const entries = document.contents instanceof YAMLSeq ? document.contents : newList(document, heading, text);
  const done = { added: [] as RequirementId[], renewed: [] as RequirementId[], removed: [] as RequirementId[] };
  for (const finding of findings) {
    const place = entries.items.findIndex((item) => isMap(item) && item.get("requirement") === finding.id);
    const entry = entries.items[place];
    if (finding.breaches.length === 0) {
      if (place < 0) continue;
      entries.items.splice(place, 1);
      done.removed.push(finding.id);
    } else if (!acceptance) {
      throw new Error(`${finding.id} is accepted without a reason`);
    } else if (isMap(entry)) {
      renew(document, entry, finding, acceptance);
      done.renewed.push(finding.id);
    } else {
      entries.items.push(renew(document, new YAMLMap(document.schema), finding, acceptance));
      done.added.push(finding.id);
    }
  }
  return { text: document.toString({ lineWidth: 0 }), ...done };
}

/** Gives a file without a list one; its comments stay. */
function newList(document: Document, heading: string, text: string | undefined): YAMLSeq {
  const entries = new YAMLSeq(document.schema);
  document.commentBefore =
    text === undefined ? ` ${heading}` : [document.commentBefore, document.comment].filter(Boolean).join("\n") || null;
  document.comment = null;
  document.contents = entries;
  return entries;
}

/** Writes an entry; members that exist keep their place and comments. */
function renew(
  document: Document,
  entry: YAMLMap,
  finding: JudgedRequirement,
  { reason, until, owner, link }: Acceptance,
): YAMLMap {
  const expected = expectationsOf(finding.breaches).map((one) => document.createNode(one, { flow: true }));
  const shown = shownBy(finding);
  entry.set("requirement", finding.id);
  entry.set("expect", expected.length === 1 ? expected[0] : document.createNode(expected));
  for (const [name, term] of Object.entries({ reason, owner, link, until }))
    if (term !== undefined) entry.set(name, term);
  if (shown) entry.set("shownBy", document.createNode(shown, { flow: true }));
  else entry.delete("shownBy");
  return entry;
}
