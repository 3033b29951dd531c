// A line of a history of its own kind: on this night the vendor's documents changed.
import type { Edition } from "../../harness/core/interface.ts";
import { foreign, type List, type Section, type Sentence, sectionOf } from "../document/document.ts";
import { fewOf } from "../lists.ts";
import { counted, countsOf } from "../numbers.ts";
import type { PublishedReport, ReportedAddition, ReportedChanges } from "../published/report.ts";
import { nightFormat } from "./night.ts";
import { nightDay } from "./strips.ts";

export interface DocumentChange extends Pick<ReportedChanges, "appeared" | "disappeared"> {
  readonly format: typeof nightFormat;
  readonly kind: "documents";
  /** When it was seen. */
  readonly at: string;
  readonly target: string;
  readonly interface: Edition;
  readonly requirements: readonly Pick<ReportedChanges["requirements"][number], "id" | "was" | "is" | "isInQuestion">[];
  readonly added: readonly Omit<ReportedAddition, "at">[];
  readonly removed: readonly Omit<ReportedAddition, "at">[];
}

/** Null where nothing changed, or nothing was compared with. */
export function documentChangeOf(
  { changes }: Pick<PublishedReport, "changes">,
  { target, edition, at }: { readonly target: string; readonly edition: Edition; readonly at: Date },
): DocumentChange | null {
  if (!changes) return null;
  const { appeared, disappeared, requirements, added, removed } = changes;
  const named = ({ operation, is, name }: ReportedAddition) => ({ operation, is, name });
  if ([appeared, disappeared, requirements, added, removed].every(({ length }) => length === 0)) return null;
  return {
    ...{
      format: nightFormat,
      kind: "documents",
      at: at.toISOString(),
      target,
      interface: edition,
      appeared,
      disappeared,
    },
    requirements: requirements.map(({ id, was, is, isInQuestion }) => ({ id, was, is, isInQuestion })),
    added: added.map(named),
    removed: removed.map(named),
  };
}

const mostNamed = 4;

/** What the documents contradict now comes first. */
function namesOf(requirements: DocumentChange["requirements"]): string {
  const sorted = requirements.toSorted((a, b) => Number(b.is === "contradicted") - Number(a.is === "contradicted"));
  const { shown, rest } = fewOf(sorted, mostNamed);
  return [...shown.map(({ id }) => id), ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}

/** `2026-11-28: 1 verdict in question (TA-ELT-04), 2 additions` */
function changeItem({ at, requirements, appeared, disappeared, added, removed }: DocumentChange): Sentence {
  const questioned = requirements.filter(({ isInQuestion }) => isInQuestion);
  const others = requirements.filter(({ isInQuestion }) => !isInQuestion);
  const named = (some: DocumentChange["requirements"], what: string): readonly string[] =>
    some.length === 0 ? [] : [`${what} (${namesOf(some)})`];
  const parts = [
    ...named(questioned, `${counted(questioned.length, "verdict")} in question`),
    ...named(others, `${counted(others.length, "requirement")} read otherwise`),
    ...countsOf(
      [appeared.length, "operation more", "operations more"],
      [disappeared.length, "operation less", "operations less"],
      [added.length, "addition"],
      [removed.length, "addition removed", "additions removed"],
    ),
  ];
  return [`${nightDay(at)}: `, foreign(parts.join(", "))];
}

/** Newest first, since documents change before platforms do. */
export function documentChangesSection(changes: readonly DocumentChange[], target: string): Section {
  const items = changes
    .filter((change) => change.target === target)
    .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
    .map(changeItem);
  const list: List = { is: "list", items, fewest: 3 };
  return sectionOf(["The vendor's documents changed"], list);
}
