/** @jsxImportSource hono/jsx */
// One requirement: verdict and sentence on one line, the evidence below it.
import type { TriedCheck } from "../../harness/model/verdict.ts";
import type { JudgedRequirement } from "../../harness/record/run.ts";
import { answeredText } from "../breach.ts";
import { anchorOf, linkOf } from "../clauses.ts";
import type { Described } from "../described.ts";
import { type Block, type List, note, type Sentence, type TextSpan } from "../document/document.ts";
import { blocksIn } from "../document/page.tsx";
import { counted, numberText } from "../numbers.ts";
import { capped } from "../text.ts";
import { kindOf, words } from "../words.ts";
import { exchangesOf, mostLinks } from "./choice.ts";
import { answersShown, type ExchangesByNumber, findingBlocks } from "./finding.ts";

/** Where requirements find their evidence. */
export interface Material {
  readonly clauses: Described["clauses"];
  readonly exchanges: ExchangesByNumber;
  /** Numbers of the exchanges on the page. */
  readonly chosen: ReadonlySet<number>;
  /** By requirement, the mutants that it finds. */
  readonly mutants: ReadonlyMap<string, readonly string[]>;
}

const mostMutants = 8;
const mostChecks = 4;
const mostNumbers = 5;
const longestRequests_chars = 240;

interface RequirementProps {
  readonly requirement: JudgedRequirement;
  readonly material: Material;
  readonly isOpen: boolean;
}

export function RequirementBlock({ requirement, material, isOpen }: RequirementProps) {
  const { id, sentence, clause } = requirement;
  const kind = kindOf(requirement);
  return (
    <details class={`row requirement ${kind}`} data-kind={kind} open={isOpen}>
      <summary>
        <span class="verdict">
          <span aria-hidden="true">{words[kind].sign}</span> {words[kind].one}
        </span>
        <code class="id">{id}</code>
        <span class="sentence">{sentence}</span>
        <span class="clause">{clause}</span>
      </summary>
      <div class="evidence" id={id}>
        {blocksIn(evidenceOf(requirement, material), id, 4)}
      </div>
    </details>
  );
}

const basisWords = {
  explicit: "stated in the interface",
  entailed: "entailed by the interface: it follows from the interface's words",
  implied: "implied by the interface",
  external: "required by another standard",
} as const;

function evidenceOf(requirement: JudgedRequirement, material: Material): readonly Block[] {
  const { id, clause, checks = [], level, basis } = requirement;
  const mutants = material.mutants.get(id) ?? [];
  const rest = mutants.length - mostMutants;
  const brokenBy =
    `Broken by ${counted(mutants.length, "mutant")} of the reference: ${mutants.slice(0, mostMutants).join(", ")}` +
    (rest > 0 ? ` and ${rest} more` : "");
  return [
    ...findingBlocks(material.exchanges, requirement),
    checkList(checks),
    exchangeList(requirement, material),
    note(`${level}, ${basisWords[basis]}: `, clauseSpan(clause, material.clauses)),
    ...(mutants.length > 0 ? [note(brokenBy)] : []),
  ];
}

/** With the place of its text: a link once Assay has an address, until then the file and anchor in its repository. */
function clauseSpan(clause: string, clauses: Described["clauses"]): TextSpan {
  const anchor = anchorOf(clauses, clause);
  const link = linkOf(clauses, clause);
  if (link !== null) return { text: clause, to: link };
  return { text: anchor === null ? clause : `${clause} (${anchor})` };
}

/** What a check says, worst first. */
const checkWords = {
  broken: words.broken.one,
  inconclusive: words.inconclusive.one,
  withheld: words.withheld.one,
  held: words.holds.one,
};
const severity = Object.keys(checkWords);
const worstFirst = (a: TriedCheck, b: TriedCheck): number => severity.indexOf(a.is) - severity.indexOf(b.is);
const aside = (text: string): Sentence => [{ text, as: "aside" }];

/** The checks of the requirement, worst first. */
function checkList(checks: readonly TriedCheck[]): List {
  const shown = checks.toSorted(worstFirst).slice(0, mostChecks);
  const rest = checks.length - shown.length;
  const items = shown.map(({ requests, is }): Sentence => {
    const asked = capped(requests.join(", then "), longestRequests_chars) || "several steps";
    return [`${checkWords[is]}: `, { text: asked }];
  });
  return {
    is: "list",
    label: checks.length === 1 ? "Check" : "Checks",
    items: rest > 0 ? [...items, aside(`and ${numberText(rest)} more`)] : items,
  };
}

/** Links to further exchanges on the page, and the numbers of others. */
function exchangeList(requirement: JudgedRequirement, { exchanges, chosen }: Material): List {
  const shown = answersShown(exchanges, requirement);
  const numbers = exchangesOf(requirement).filter((number) => !shown.includes(number));
  const linked = numbers
    .flatMap((number) => (chosen.has(number) ? (exchanges.get(number) ?? []) : []))
    .slice(0, mostLinks(requirement));
  const others = numbers.filter((number) => exchanges.has(number) && !linked.some((one) => one.number === number));
  const lost = numbers.filter((number) => !exchanges.has(number));
  const what = linked.length > 0 ? `${numberText(others.length)} more` : counted(others.length, "exchange");
  const listed = `${others.slice(0, mostNumbers).join(", ")}${others.length > mostNumbers ? ", …" : ""}`;
  return {
    is: "list",
    label: "Exchanges",
    items: [
      ...linked.map((exchange): Sentence => {
        const { number, title } = exchange;
        return [{ text: `${number}. ${title} → ${answeredText(exchange)}`, to: `#exchange-${number}` }];
      }),
      ...(others.length > 0 ? [aside(`${what} in run.json: ${listed}`)] : []),
      ...(lost.length > 0 ? [aside(`${counted(lost.length, "exchange")} not in the journal`)] : []),
    ],
  };
}
