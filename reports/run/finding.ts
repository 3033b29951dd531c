// A requirement that is broken: what was sent, what came, where it differs, and what repeats it.
import { starred } from "../../harness/core/json.ts";
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import { gotText } from "../breach.ts";
import { withVariables } from "../curl.ts";
import {
  type Block,
  foreign,
  note,
  paragraph,
  quoting,
  type Section,
  type Sentence,
  sectionOf,
} from "../document/document.ts";
import { linesInSection } from "../document/terminal.ts";
import { fewOf, groupedBy } from "../lists.ts";
import { capped } from "../text.ts";
import { kindOf, words } from "../words.ts";

export type ExchangesByNumber = ReadonlyMap<number, Run["exchanges"][number]>;

/** Their shell lines with the variables that the target file names, where the run knows them. */
export const exchangesByNumber = ({
  exchanges,
  target: { variables },
}: Pick<Run, "exchanges" | "target">): ExchangesByNumber =>
  new Map(
    exchanges.map((exchange) => {
      const curl = variables ? withVariables(exchange.curl, variables) : exchange.curl;
      return [exchange.number, { ...exchange, curl }];
    }),
  );

/** Answers shown beside their breaches on a page; elsewhere the first one. */
const mostAnswersShown = 3;
const mostAlike = 3;
const longestTitle_chars = 1_000;

/** Numbers of the exchanges whose answers are shown: of those that break it in the same way, the first. */
export function answersShown(exchanges: ExchangesByNumber, { breaches }: JudgedRequirement): readonly number[] {
  const wayOf = (here: JudgedRequirement["breaches"]): string =>
    [
      exchanges.get(here[0]?.exchange ?? 0)?.title,
      ...here.map(({ at, got }) => `${starred(at)} ${gotText({ got })}`),
    ].join("\n");
  const ways = groupedBy([...groupedBy(breaches, ({ exchange }) => String(exchange)).values()], wayOf);
  return [...ways.values()].slice(0, mostAnswersShown).map(([[{ exchange }]]) => exchange);
}

/** Why it has its verdict, the answers that break it, and what repeats them. */
export function findingBlocks(exchanges: ExchangesByNumber, requirement: JudgedRequirement): readonly Block[] {
  const { reason, breaches } = requirement;
  const replay = { is: "command", label: "Replay", text: requirement.replay } as const;
  const numbers = [...new Set(breaches.map(({ exchange }) => exchange))];
  const evidence = answersShown(exchanges, requirement).flatMap((number, nth): readonly Block[] => {
    const exchange = exchanges.get(number) ?? null;
    const here = breaches.filter((breach) => breach.exchange === number);
    const label = `Request ${number}: ${capped(exchange?.title ?? "", longestTitle_chars)}`;
    const elsewhere = { answers: numbers.length - 1, places: breaches.length - here.length };
    return [
      {
        is: "evidence",
        breaches: here,
        request: { is: "command", label, text: exchange?.curl ?? "" },
        exchange,
        ...(nth > 0 ? { only: "page" } : { replay }),
        ...(elsewhere.answers > 0 ? { elsewhere } : {}),
      },
      ...(exchange === null ? [{ ...note("The exchange is not in the journal."), only: "page" as const }] : []),
    ];
  });
  return [...(reason === null ? [] : [paragraph(quoting(reason))]), ...(evidence.length > 0 ? evidence : [replay])];
}

type Headed = Parameters<typeof kindOf>[0] & Pick<JudgedRequirement, "id" | "sentence" | "clause">;

const namedSpans = ({ id, sentence, clause }: Omit<Headed, "verdict">): Sentence => [
  foreign(id),
  "  ",
  quoting(sentence),
  "  (",
  foreign(clause),
  ")",
];

/** The verdict in capitals, which stand out where there are no colours. */
export function findingTitle(requirement: Headed): Sentence {
  const kind = kindOf(requirement);
  return [{ text: words[kind].one.toUpperCase(), tone: kind }, "  ", ...namedSpans(requirement)];
}

/** @param group what one answer breaks at one place */
export function findingSection(
  exchanges: ExchangesByNumber,
  [requirement, ...others]: readonly [JudgedRequirement, ...JudgedRequirement[]],
): Section {
  const { shown, rest } = fewOf(others, mostAlike);
  const ids = others.slice(shown.length).map(({ id }) => id);
  return sectionOf(
    findingTitle(requirement),
    ...shown.map((other) => paragraph("also ", ...namedSpans(other))),
    ...(rest > 0 ? [paragraph(`also ${rest} more: ${ids.join(", ")}`)] : []),
    ...findingBlocks(exchanges, requirement),
  );
}

/** At most 12 lines: sentence and clause, request, answer, where it differs from what was expected, and a replay. */
export const brokenLines = (
  run: Pick<Run, "exchanges" | "target">,
  requirement: JudgedRequirement,
): readonly string[] => linesInSection(findingSection(exchangesByNumber(run), [requirement]));
