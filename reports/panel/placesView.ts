// The view of several places: who is fastest from where, who is wrong from where, what was refused where.
import { sum } from "simple-statistics";
import {
  type Block,
  code,
  comparedMoods,
  type Document,
  detail,
  foreign,
  note,
  type Sentence,
  sectionOf,
  type TextSpan,
  type TextTable,
} from "../document/document.ts";
import { fewOf } from "../lists.ts";
import { counted, inMs, numberText, toTenths, whenText } from "../numbers.ts";
import { shown } from "../text.ts";
import { signOf } from "../words.ts";
import { comparedOf } from "./figures.ts";
import type { PanelPlace, PanelPlaces, VendorAtPlace } from "./places.ts";
import { isMixEmpty, placesHeadline, vantageName } from "./placesHeadline.ts";

type PlaceCell = (at: VendorAtPlace, isFastest: boolean) => Sentence;

/** A row for each vendor, a column for each place. */
function placesTable({ vendors, places }: PanelPlaces, caption: string, cellOf: PlaceCell): TextTable {
  return {
    is: "table",
    kind: "few",
    caption,
    fewest: vendors.length,
    heads: ["Vendor", ...places.map(({ vantage }) => vantage ?? "unnamed")],
    rows: vendors.map((name, vendor) => [
      [foreign(name)],
      ...places.map(({ vendors: own, order }) => {
        const at = own[vendor];
        return at ? cellOf(at, order.is === "fastest" && order.vendor === vendor) : ["–"];
      }),
    ]),
  };
}

/** `31 / 48`, in ms; `31 / too few`, where that holds for the p95. */
function latencyCell({ answers, unserved, kind, p50, p95 }: VendorAtPlace, isFastest: boolean): Sentence {
  if (answers === 0) return ["no answer"];
  if (p50 === null) return ["lacks ", foreign(unserved.join(", "))];
  const text = `${inMs(p50.ms)} / ${p95 ? inMs(p95.ms) : "too few"}${kind === "cold" ? ", on new connections" : ""}`;
  return isFastest ? [{ text: `${text}, fastest`, sign: signOf("holds"), tone: "holds" }] : [text];
}

/** Of all answers of a vendor. */
const shareText = (some: number, all: number): string =>
  `${numberText(some)} of ${numberText(all)} (${toTenths((100 * some) / Math.max(1, all))} %)`;

/** `✗ wrong in 12 of 340 (3.5 %), stale in 3 of 340 (0.9 %)`. */
function answersCell({ counts, behind, back }: VendorAtPlace): Sentence {
  const all = comparedOf(counts);
  const wrong = { text: `wrong in ${shareText(counts.wrong, all)}`, sign: signOf("broken"), tone: "broken" as const };
  const faults: TextSpan[] = [
    ...(counts.wrong > 0 ? [wrong] : []),
    ...(counts.stale > 0 ? [`stale in ${shareText(counts.stale, all)}`] : []),
    ...(counts.unsettled > 0 ? [`unsettled in ${shareText(counts.unsettled, all)}`] : []),
    ...(behind ? [`behind in ${shareText(behind.stale, behind.answers)}`] : []),
    ...(back && back.back > 0 ? [`goes back in ${shareText(back.back, back.answers)}`] : []),
  ];
  const first = all === 0 ? ["nothing compared"] : faults.length === 0 ? [`all ${numberText(all)} agree`] : [];
  return [...first, ...faults].flatMap((part, nth) => (nth > 0 ? [", ", part] : [part]));
}

const refusedKinds = ["rate-limited", "refused", "unavailable"] as const;

const isRefusing = ({ counts, absent }: VendorAtPlace): boolean =>
  absent !== null || refusedKinds.some((kind) => counts[kind] > 0);

function refusalsCell({ counts, absent }: VendorAtPlace): Sentence {
  const all = sum(Object.values(counts));
  const parts = refusedKinds.flatMap((kind) => (counts[kind] > 0 ? [`${kind} ${shareText(counts[kind], all)}`] : []));
  const left: Sentence = absent ? [`left out of ${counted(absent.polls, "poll")} (`, foreign(absent.why), ")"] : [];
  if (parts.length === 0 && !absent) return ["none"];
  return [parts.join(", "), ...(parts.length > 0 && absent ? [", "] : []), ...left].filter((part) => part !== "");
}

const mostWrong = 12;

/** On which questions somebody is wrong. */
function wrongList({ vendors, places }: PanelPlaces): Block {
  const items = places.flatMap((place) =>
    place.vendors.flatMap(({ wrongOn }, vendor) =>
      wrongOn.map(({ question, about, answers }): Sentence => {
        const who: Sentence = [foreign(vendors[vendor] ?? ""), " from ", foreign(vantageName(place))];
        return [...who, ` in ${counted(answers, "answer")}: `, code(question), " ", { text: about, as: "aside" }];
      }),
    ),
  );
  const { shown: first, rest } = fewOf(items, mostWrong);
  const more = rest > 0 ? [[`and ${numberText(rest)} more`]] : [];
  return { is: "list", label: "Wrong", sign: signOf("broken"), items: [...first, ...more] };
}

/** Of all pairs: what the order follows from. */
const leadTable = ({ vendors, places }: PanelPlaces): TextTable => ({
  is: "table",
  caption: "Differences in the same polls, in ms",
  heads: ["From", "Faster", "Slower", "By", "At least", "At most", "Polls"],
  rows: places.flatMap((place) =>
    place.leads.map(({ faster, slower, by_ms, from_ms, to_ms, polls, isRanked }) => [
      vantageName(place),
      vendors[faster] ?? "",
      vendors[slower] ?? "",
      ...(isRanked ? [inMs(by_ms), inMs(from_ms), inMs(to_ms)] : ["too few", "", ""]),
      polls,
    ]),
  ),
});

/** @param pageOf the page of a place, beside this one */
function placeItem(place: PanelPlace, page: string | undefined): Sentence {
  const { nights, rounds, polls, startedAt, endedAt } = place;
  const name = vantageName(place);
  const of = [...(nights > 1 ? [counted(nights, "panel")] : []), counted(rounds, "round"), counted(polls, "poll")];
  const when = `from ${whenText(startedAt)} to ${whenText(endedAt)}`;
  return [page === undefined ? foreign(name) : { text: name, to: page }, `: ${of.join(", ")}, ${when}`];
}

export interface PlacesWords {
  readonly version: string;
  /** Of each place; none where there is none beside this page. */
  readonly pages?: readonly string[];
  /** Panels of the same vendors that asked other calls. */
  readonly left?: number;
}

export const leftPanelsText = (left: number): string =>
  `${counted(left, "panel")} of the same vendors asked other calls, and ${left === 1 ? "is" : "are"} left out.`;

export function placesDocument(found: PanelPlaces, { version, pages = [], left = 0 }: PlacesWords): Document {
  const all = shown(found);
  const { places, exitCode, workload } = all;
  const mix: Sentence = workload === null ? ["all that was asked"] : ["the mix ", foreign(workload)];
  const isQuiet = places.every(({ vendors }) => vendors.every((at) => !isRefusing(at)));
  return {
    kind: `Assay ${version}, panels from several places`,
    headline: placesHeadline(all),
    mood: exitCode === 0 && places.some(({ isUndecided }) => isUndecided) ? "inconclusive" : comparedMoods[exitCode],
    icon: "comparison",
    first: [
      { is: "list", items: places.map((place, nth) => placeItem(place, pages[nth])) },
      ...(left > 0 ? [note(leftPanelsText(left))] : []),
    ],
    sections: [
      sectionOf(
        ["How fast"],
        note(
          "Latency of ",
          ...mix,
          ": p50 / p95, in ms. A vendor is called fastest where it surely answered the same polls faster than each " +
            "other one: these intervals hold at 99 % for all pairs at all places together. Places aren't added up.",
        ),
        isMixEmpty(all.shares)
          ? note("No operation was asked from every place, so that no latencies can be compared.")
          : placesTable(all, "Latency", latencyCell),
        detail("By how much", leadTable(all)),
      ),
      {
        ...sectionOf(["Who is right"], wrongList(all), placesTable(all, "Answers", answersCell)),
        ...(exitCode === 1 ? { tone: "broken" } : {}),
      },
      sectionOf(
        ["What was refused"],
        isQuiet ? note("Nothing, from any place.") : placesTable(all, "Refusals", refusalsCell),
      ),
    ],
    foot: ["Where a vendor is wrong, the page and `panel.json` of that place's panel have its answers."],
  };
}
