// What documents say of the interface, in sections: what changed, what they contradict, add, confirm and leave out.
import {
  type Block,
  code,
  type Document,
  detail,
  foreign,
  type List,
  note,
  type Section,
  type Sentence,
  sectionOf,
  sentenceOf,
  type Tone,
} from "../document/document.ts";
import { fewOf, groupedBy } from "../lists.ts";
import { counted } from "../numbers.ts";
import { shown } from "../text.ts";
import { publishedHeadline } from "./headline.ts";
import type { PublishedReport, ReportedAddition, ReportedChanges, ReportedRequirement } from "./report.ts";

export function publishedDocument(found: PublishedReport): Document {
  const report = shown(found);
  const { changes } = report;
  return {
    kind: `Assay ${report.version}, documents`,
    headline: publishedHeadline(report),
    mood: report.exitCode === 1 ? "broken" : "none",
    icon: "comparison",
    first: documentsIn(report),
    sections: [
      ...(changes ? changeSections(changes) : []),
      contradictedSection(report),
      additionsSection("The documents add", report.more),
      ...quietSections(report),
      notesSection(report),
    ],
    foot: ["Documents are compared with the interface, not with a platform: a contradiction is no breach."],
    more: "The page and the JSON have more.",
  };
}

function documentsIn({ documents, described, undescribed, others, changes }: PublishedReport): readonly Block[] {
  const all = described.length + undescribed.length;
  const more = others > 0 ? `, and ${counted(others, "other")}` : "";
  const earlier = changes ? ` Compared with ${counted(changes.documents.length, "earlier document")}.` : "";
  return [
    note(
      `${counted(documents.length, "document")} (`,
      foreign(versionsIn(documents)),
      `) ${documents.length === 1 ? "describes" : "describe"} ${described.length} of ${all} operations of the ` +
        `interface${more}.${earlier}`,
    ),
  ];
}

/** `OpenAPI 3.1.0`, or `OpenRPC 1.2.6, 3 × OpenAPI 3.0.3` */
const versionsIn = (documents: PublishedReport["documents"]): string =>
  [...groupedBy(documents, ({ version }) => version)]
    .map(([version, { length }]) => (length === 1 ? version : `${length} × ${version}`))
    .join(", ");

const named = ({ id, sentence }: Pick<ReportedRequirement, "id" | "sentence">): Sentence =>
  sentenceOf`${{ text: id, as: "strong" }} ${foreign(sentence)}`;

/** In a sentence that goes on. */
const namedWithin = ({ id, sentence }: Pick<ReportedRequirement, "id" | "sentence">): Sentence =>
  sentenceOf`${{ text: id, as: "strong" }} (${foreign(sentence)})`;

/** `getTokenAccounts result.token_accounts[].amount`, `sendBundle request[0]` */
function placeOf({ operation, part, at, keyword }: Pick<StatedPoint, "operation" | "part" | "at" | "keyword">): string {
  const path = at
    .split("/")
    .slice(1)
    .map((step) => (step === "*" ? "[]" : /^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join("");
  // Answers of methods are named by where they begin.
  if (part === "result" || part === "error") return `${operation} ${path === "" ? "answer" : path.slice(1)}`;
  if (part === "operation") return keyword === "id" ? `${operation} request.id` : operation;
  return `${operation} ${part}${path}`;
}

type StatedPoint = ReportedRequirement["points"][number];

const where = (at: string | null): Sentence => (at === null ? [] : [" (", foreign(at), ")"]);

/** What is shown of one requirement: by text its first place, by the page each. */
interface Shown {
  readonly requirement: Pick<ReportedRequirement, "id" | "sentence">;
  readonly places: readonly Sentence[];
  /** What follows from all of them. */
  readonly outcome?: Sentence;
}

function placesSection(title: string, tone: Tone, all: readonly Shown[]): Section {
  const items = all.map(({ requirement, places: [first = [], ...more], outcome = [] }) => {
    const further = more.length > 0 ? `, and at ${counted(more.length, "more place")}` : "";
    return sentenceOf`${namedWithin(requirement)}: ${first}${further}${outcome.length > 0 ? ". " : ""}${outcome}`;
  });
  const sections = all.map(
    ({ requirement, places, outcome }): Section => ({
      ...sectionOf(named(requirement), { is: "list", items: places }, ...(outcome ? [note(...outcome)] : [])),
      only: "page",
    }),
  );
  const list: List = { is: "list", items, only: "text" };
  return { ...sectionOf([`${title} (${items.length})`], list, ...sections), tone };
}

function contradictedSection({ requirements }: PublishedReport): Section {
  const found = requirements.filter(({ is }) => is === "contradicted");
  return placesSection(
    "Contradicted",
    "broken",
    found.map((requirement) => ({
      requirement,
      places: requirement.points.filter(({ is }) => is === "contradicted").map(contradiction),
    })),
  );
}

function contradiction(point: StatedPoint): Sentence {
  const ours = sentenceOf`${code(point.ours)} by the interface${where(point.oursAt)}`;
  const theirs = sentenceOf`${code(point.theirs ?? "")} by the document${where(point.theirsAt)}`;
  return sentenceOf`${code(placeOf(point))}: ${ours}, ${theirs}`;
}

type Changed = ReportedChanges["requirements"][number];

function changeSections(changes: ReportedChanges): readonly Section[] {
  const { requirements, appeared, disappeared, forms, added, removed } = changes;
  const operations = [
    ...appeared.map((operation) => sentenceOf`${code(operation)} is described now.`),
    ...disappeared.map((operation) => sentenceOf`${code(operation)} is no longer described.`),
    ...forms.map((operation) => sentenceOf`Of ${code(operation)} another part of the envelope is described.`),
  ];
  // What the documents now contradict says most.
  const inQuestion = requirements
    .filter((changed) => changed.isInQuestion)
    .toSorted((a, b) => Number(b.is === "contradicted") - Number(a.is === "contradicted"));
  const others = requirements.filter((changed) => !changed.isInQuestion);
  return [
    sectionOf(["Operations"], { is: "list", items: operations }),
    placesSection("Changed, with verdicts in question", "warned", inQuestion.map(shownChange)),
    placesSection("Changed otherwise", "none", others.map(shownChange)),
    additionsSection("Added since", added),
    additionsSection("Removed since", removed),
  ];
}

const textOr = (text: string | null): Sentence => (text === null ? ["nothing"] : [code(text)]);

const past = { confirmed: "confirmed it", contradicted: "contradicted it", silent: "said nothing of it" } as const;
const present = { confirmed: "confirm it", contradicted: "contradict it", silent: "say nothing of it" } as const;

function shownChange(changed: Changed): Shown {
  const { was, is, verdict, points, isInQuestion } = changed;
  const elsewhere = isInQuestion && is === "confirmed" ? " elsewhere" : "";
  const states = was === is ? `still ${present[is]}${elsewhere}` : `${past[was]} before, and ${present[is]} now`;
  return {
    requirement: changed,
    places: points.map((point) => {
      const at = point.is === null ? `was ${point.line}` : point.line;
      return sentenceOf`${code(placeOf(point))}: ${textOr(point.was)} before, ${textOr(point.is)} now${where(at)}`;
    }),
    outcome: [`The documents ${states}.${verdict === undefined ? "" : ` Last verdict: ${verdict}.`}`],
  };
}

const manyOf: { readonly [Kind in ReportedAddition["is"]]: string } = {
  parameter: "parameters",
  member: "members",
  code: "codes",
  status: "statuses",
};

function additionsSection(title: string, additions: readonly ReportedAddition[]): Section {
  const groups = groupedBy(additions, ({ operation, is }) => `${operation} ${is}`);
  const items = [...groups.values()].map((of) => {
    const [{ operation, is, at }] = of;
    const names = code(of.map(({ name }) => name).join(", "));
    return sentenceOf`${code(operation)}: ${of.length === 1 ? is : manyOf[is]} ${names}${where(at)}`;
  });
  return sectionOf([`${title} (${additions.length})`], { is: "list", items });
}

/** Confirmed and silent requirements, folded on the page and counted in text. */
function quietSections({ requirements, beyond }: PublishedReport): readonly Block[] {
  const tableOf = (is: "confirmed" | "silent", title: string): readonly Block[] => {
    const rows = requirements
      .filter((requirement) => requirement.is === is)
      .map(({ id, sentence, points, places }) => {
        const saying = points.filter((point) => point.is === is);
        return [
          id,
          [foreign(sentence)],
          `${is === "silent" ? 0 : saying.length} of ${places}`,
          [foreign(saying[0]?.theirsAt ?? "")],
        ] as const;
      });
    const caption = `${title} (${rows.length})`;
    return [
      detail(caption, { is: "table", caption, heads: ["Requirement", "Sentence", "Places", "First at"], rows }),
      { ...note(`${caption}.`), only: "text" },
    ];
  };
  return [
    ...tableOf("confirmed", "Confirmed"),
    ...tableOf("silent", "Silent"),
    note(
      `${counted(beyond, "further requirement")} aren't compared: most are about behaviour, which no schema describes.`,
    ),
  ];
}

const notesSection = ({ notes, undescribed }: PublishedReport): Section =>
  sectionOf(["Notes"], {
    is: "list",
    items: [
      ...notes.map((text) => [foreign(text)]),
      ...(undescribed.length > 0 ? [sentenceOf`Not described: ${fewNames(undescribed)}`] : []),
    ],
  });

const mostNamed = 5;

function fewNames(names: readonly string[]): Sentence {
  const { shown: some, rest } = fewOf(names, mostNamed);
  return sentenceOf`${code(some.join(", "))}${rest > 0 ? ` and ${rest} more` : ""}`;
}
