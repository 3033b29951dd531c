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
import { groupedBy } from "../lists.ts";
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

/** `getTokenAccounts result.total` */
function placeOf({ operation, part, at }: { readonly [member in "operation" | "part" | "at"]: string }): string {
  const path = at.slice(1).replaceAll("/*", "[]").replaceAll("/", ".");
  const isNamed = !["operation", "result", "error"].includes(part);
  return [operation, ...(isNamed ? [part] : []), ...(path === "" ? [] : [path])].join(" ");
}

const where = (at: string | null): Sentence => (at === null ? [] : [" (", foreign(at), ")"]);

/** What is shown of one requirement: by text its first place, by the page each. */
interface Shown {
  readonly title: Sentence;
  readonly places: readonly Sentence[];
  /** What follows from all of them. */
  readonly outcome?: Sentence;
}

function placesSection(title: string, tone: Tone, requirements: readonly Shown[]): Section {
  const items = requirements.map(({ title: name, places: [first = [], ...more], outcome = [] }) => {
    const further = more.length > 0 ? `, and at ${counted(more.length, "more place")}` : "";
    return sentenceOf`${name}: ${first}${further}${outcome.length > 0 ? ". " : ""}${outcome}`;
  });
  const sections = requirements.map(
    ({ title: name, places, outcome }): Section => ({
      ...sectionOf(name, { is: "list", items: places }, ...(outcome ? [note(...outcome)] : [])),
      only: "page",
    }),
  );
  const list: List = { is: "list", items, fewest: 20, only: "text" };
  return { ...sectionOf([`${title} (${items.length})`], list, ...sections), tone };
}

function contradictedSection({ requirements }: PublishedReport): Section {
  const found = requirements.filter(({ is }) => is === "contradicted");
  return placesSection(
    "Contradicted",
    "broken",
    found.map((requirement) => ({
      title: named(requirement),
      places: requirement.points.filter(({ is }) => is === "contradicted").map(contradiction),
    })),
  );
}

function contradiction(point: ReportedRequirement["points"][number]): Sentence {
  const ours = sentenceOf`the interface ${code(point.ours)}${where(point.oursAt)}`;
  const theirs = sentenceOf`the document ${code(point.theirs ?? "")}${where(point.theirsAt)}`;
  return sentenceOf`${code(placeOf(point))}: ${ours}, ${theirs}`;
}

type Changed = ReportedChanges["requirements"][number];

function changeSections({ requirements, appeared, disappeared, added, removed }: ReportedChanges): readonly Section[] {
  const operations = [
    ...appeared.map((operation) => sentenceOf`${code(operation)} is described now.`),
    ...disappeared.map((operation) => sentenceOf`${code(operation)} is no longer described.`),
  ];
  const inQuestion = requirements.filter((changed) => changed.isInQuestion).map(shownChange);
  const others = requirements.filter((changed) => !changed.isInQuestion).map(shownChange);
  return [
    placesSection("Changed, with verdicts in question", "warned", inQuestion),
    placesSection("Changed otherwise", "none", others),
    sectionOf(["Operations"], { is: "list", items: operations }),
    additionsSection("Added since", added),
    additionsSection("Removed since", removed),
  ];
}

const textOr = (text: string | null): Sentence => (text === null ? ["nothing"] : [code(text)]);

function shownChange(changed: Changed): Shown {
  const { was, is, verdict, points } = changed;
  const states = was === is ? is : `${was} before, ${is} now`;
  return {
    title: named(changed),
    places: points.map((point) => {
      const at = point.is === null ? `was ${point.line}` : point.line;
      return sentenceOf`${code(placeOf(point))}: ${textOr(point.was)} before, ${textOr(point.is)} now${where(at)}`;
    }),
    outcome: [`Documents: ${states}.${verdict === undefined ? "" : ` Its last verdict: ${verdict}.`}`],
  };
}

const manyOf: { readonly [Kind in ReportedAddition["is"]]: string } = {
  parameter: "parameters",
  member: "members",
  code: "codes",
  status: "statuses",
};

function additionsSection(title: string, additions: readonly ReportedAddition[]): Section {
  const items = [...groupedBy(additions, ({ operation }) => operation)].map(([operation, of]) => {
    const kinds = [...groupedBy(of, ({ is }) => is)].flatMap(
      ([is, all], nth): Sentence => [
        `${nth > 0 ? "; " : ""}${all.length === 1 ? is : manyOf[all[0].is]} `,
        code(all.map(({ name }) => name).join(", ")),
      ],
    );
    return sentenceOf`${code(operation)}: ${kinds}${where(of[0].at)}`;
  });
  return sectionOf([`${title} (${additions.length})`], { is: "list", items, fewest: 20 });
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
    note(`${counted(beyond, "further requirement")} are about behaviour, which such documents can't describe.`),
  ];
}

const notesSection = ({ notes, undescribed }: PublishedReport): Section =>
  sectionOf(["Notes"], {
    is: "list",
    items: [
      ...notes.map((text) => [foreign(text)]),
      ...(undescribed.length > 0 ? [sentenceOf`Not described: ${code(undescribed.join(", "))}`] : []),
    ],
  });
