// Where vendors differ: the value that most gave with its count, and the others with what differs in them.
import Big from "big.js";
import { sum } from "simple-statistics";
import type { Difference, Dissent, PanelReport } from "../../panel/panelReport.ts";
import { commonEndsOf } from "../document/difference.ts";
import {
  code,
  detail,
  foreign,
  type List,
  marked,
  type Section,
  type Sentence,
  sectionOf,
} from "../document/document.ts";
import { fewOf } from "../lists.ts";
import { counted, numberText } from "../numbers.ts";
import { vendorNameIn, vendorNamesIn } from "./figures.ts";

type Values = Difference["values"];

/** Of a text, the characters before, in and after the part in which the texts differ; shortened. */
interface TextParts {
  readonly before: string;
  readonly differs: string;
  readonly after: string;
}

/** So short a text differs as a whole, as `true` does from `false`. */
const shortest_chars = 12;
const context_chars = 6;
const [longest_chars, firstShown_chars, lastShown_chars] = [16, 8, 6] as const;

const shortened = (chars: readonly string[]): string =>
  chars.length <= longest_chars
    ? chars.join("")
    : `${chars.slice(0, firstShown_chars).join("")}…${chars.slice(-lastShown_chars).join("")}`;

/** In the same window for all, so that they can be compared by eye. */
function partsOf(texts: readonly string[]): ReadonlyMap<string, TextParts> {
  const all = texts.map((text) => [...text]);
  const isWhole = texts.length < 2 || all.some(({ length }) => length <= shortest_chars);
  const ends = isWhole ? { head: 0, tail: 0 } : commonEndsOf(all);
  // Where a text only lacks something, a character beside it is marked.
  const isLacking = all.some(({ length }) => length === ends.head + ends.tail);
  const head = Math.max(0, ends.head - Number(isLacking));
  const tail = isLacking && ends.head === 0 ? ends.tail - 1 : ends.tail;
  const middles = all.map((chars) => chars.slice(head, chars.length - tail));
  const isDistinct = new Set(middles.map(shortened)).size === new Set(texts).size;
  return new Map(
    texts.map((text, nth) => {
      const [chars = [], middle = []] = [all[nth], middles[nth]];
      const ahead = chars.slice(Math.max(0, head - context_chars), head).join("");
      const behind = chars.slice(chars.length - tail, chars.length - tail + context_chars).join("");
      const before = head > context_chars ? `…${ahead}` : ahead;
      const after = tail > context_chars ? `${behind}…` : behind;
      return [text, { before, differs: isDistinct ? shortened(middle) : middle.join(""), after }];
    }),
  );
}

/** How one value is shown; what is marked in a text stands between brackets, too, whatever the colours. */
type Showing = (value: string | null, isMarked: boolean) => Sentence;

function showingOf({ is, values }: Difference): Showing {
  const parts = is === "text" ? partsOf(values.flatMap(({ value }) => value ?? [])) : new Map<string, TextParts>();
  return (value, isMarked) => {
    const texts = value === null ? undefined : parts.get(value);
    if (texts === undefined) return [isMarked ? marked(value ?? "missing") : foreign(value ?? "missing")];
    const { before, differs, after } = texts;
    const middle = isMarked ? ["[", marked(differs), "]"] : [foreign(differs)];
    return [...(before ? [foreign(before)] : []), ...middle, ...(after ? [foreign(after)] : [])];
  };
}

/** The trusted vendor's value, or the one that more vendors gave than any other; undefined where they are tied. */
function usualIn(values: Values, reference: number | null): Values[number] | undefined {
  const [first, second] = values;
  const ofReference = values.find(({ vendors }) => reference !== null && vendors.includes(reference));
  return ofReference ?? (first && second && first.vendors.length > second.vendors.length ? first : undefined);
}

/** `+77`, exact however long. */
function signedDifference(value: string, usual: string): string {
  const difference = new Big(value).minus(usual);
  return `${difference.gt(0) ? "+" : ""}${difference.toFixed()}`;
}

/** What stands in brackets after a value: by how much a number differs, and what its vendors' answers are. */
function remarkOn({ value, vendors }: Values[number], usual: string | null, of: Difference & Dissent): string {
  const isComparable = of.is === "number" && value !== null && usual !== null;
  const all = new Set(vendors.map((vendor) => of.standings[vendor]));
  const [standing] = all;
  const remarks = [
    ...(isComparable ? [signedDifference(value, usual)] : []),
    // Beyond 2^53 such values count as equal.
    ...(isComparable && Number(value) === Number(usual) ? ["equal as doubles"] : []),
    ...(all.size === 1 && standing && standing !== "agrees" ? [standing] : []),
  ];
  return remarks.length > 0 ? ` (${remarks.join(", ")})` : "";
}

/** Without a majority: each value with its vendors. */
function tiedValues(panel: PanelReport, { is, values }: Difference, show: Showing): Sentence {
  const groups = values.flatMap(({ value, vendors }, nth): Sentence => {
    const times = vendors.length > 1 ? ` ×${vendors.length}` : "";
    const names = [" (", foreign(vendorNamesIn(panel, vendors)), ")"];
    return [...(nth > 0 ? [", "] : []), ...show(value, true), ...(times ? [times] : []), ...names];
  });
  const [one, other, ...more] = values.map(({ value }) => value);
  const isApart = is === "number" && typeof one === "string" && typeof other === "string" && more.length === 0;
  return [", no majority: ", ...groups, ...(isApart ? [`, ${new Big(one).minus(other).abs().toFixed()} apart`] : [])];
}

/** `balance: 890880 ×4, delta 890957 (+77)`. */
function differenceSentence(panel: PanelReport, dissent: Dissent, difference: Difference): Sentence {
  const { of, member, values } = difference;
  const show = showingOf(difference);
  const named: Sentence = of === null ? ["balance"] : [foreign(member), " of ", foreign(of)];
  const usual = usualIn(values, panel.reference);
  if (usual === undefined) return [...named, ...tiedValues(panel, difference, show)];
  const others = values
    .filter((one) => one !== usual)
    .flatMap((one): Sentence => {
      const remark = remarkOn(one, usual.value, { ...difference, ...dissent });
      return [", ", foreign(vendorNamesIn(panel, one.vendors)), " ", ...show(one.value, true), remark];
    });
  const trust: Sentence =
    panel.reference === null ? [] : [" (", foreign(vendorNameIn(panel, panel.reference)), ", trusted)"];
  return [...named, ": ", ...show(usual.value, false), ` ×${usual.vendors.length}`, ...trust, ...others];
}

const sentencesOf = (panel: PanelReport, dissent: Dissent): readonly Sentence[] =>
  (dissent.differences ?? []).map((difference) => differenceSentence(panel, dissent, difference));

/** Polls and lines that are shown at once; on the page the rest is folded. */
const mostShown = 8;
const [mostOfPoll, mostOfPollInText] = [5, 2] as const;

/** Told of by its sign, too, for those who don't see colours. */
const listOf = (items: readonly Sentence[]): List => ({ is: "list", sign: "≠", items });

/** The first values of the first polls, where there is little room. */
export function differenceList(panel: PanelReport): List {
  const lines = panel.dissents.flatMap((dissent) =>
    sentencesOf(panel, dissent)
      .slice(0, mostOfPollInText)
      .map((sentence): Sentence => [foreign(dissent.question), ", ", ...sentence]),
  );
  const items = lines.slice(0, mostShown);
  const differing = sum(panel.dissents.map(({ differing: count = 0 }) => count));
  const share = differing > items.length ? `, ${items.length} of ${counted(differing, "value")}` : "";
  return { ...listOf(items), only: "text", label: `Where they differed${share}` };
}

const longestBody_chars = 2_000;

/** What differed in one poll, with all answers folded below. */
function dissentSection(panel: PanelReport, dissent: Dissent): Section {
  const { question, standings, exchanges, differences = [], differing = 0, replay } = dissent;
  const about = panel.questions.find(({ id }) => id === question)?.about ?? "";
  const those = standings.flatMap((standing, nth) =>
    standing === null ? [] : [`${vendorNameIn(panel, nth)} ${standing}`],
  );
  const items = sentencesOf(panel, dissent);
  const unnamed = differing - differences.length;
  const more = counted(differing - mostOfPoll, "more value");
  const answers = exchanges.flatMap((exchange, nth): Section[] => {
    if (exchange === null) return [];
    const curl = detail("As curl", { is: "command", text: exchange.curl });
    return [sectionOf([foreign(vendorNameIn(panel, nth))], curl, { is: "answer", exchange, longestBody_chars })];
  });
  return sectionOf(
    [code(question), " ", { text: about, as: "aside" }],
    listOf(items.slice(0, mostOfPoll)),
    detail(unnamed > 0 ? `${more}, without the last ${numberText(unnamed)}` : more, listOf(items.slice(mostOfPoll))),
    detail(`Answers: ${those.join(", ")}`, { is: "command", text: replay }, { is: "beside", sections: answers }),
  );
}

export function dissentSections(panel: PanelReport): readonly Section[] {
  const all = panel.dissents.map((dissent) => dissentSection(panel, dissent));
  const { shown, rest } = fewOf(all, mostShown);
  return rest > 0 ? [...shown, detail(counted(rest, "more poll"), ...all.slice(shown.length))] : shown;
}
