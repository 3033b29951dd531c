// Who goes back: how often a vendor's answers know less than an earlier one of its own, and by how much.
import { sum } from "simple-statistics";
import { intervalOf } from "../../harness/core/interval.ts";
import type { PanelReport } from "../../panel/panelReport.ts";
import { type Block, foreign, note, paragraph, sectionOf, type TextTable } from "../document/document.ts";
import { counted, numberText, toTenths, whenText } from "../numbers.ts";
import { panelAnchors } from "./anchors.ts";
import { slotsIn, vendorNameIn } from "./figures.ts";

type Rated = Pick<PanelReport, "vendors" | "backwards">;

/** How often one vendor goes back. */
export interface BackwardsRate {
  /** Those that could have gone back. */
  readonly answers: number;
  readonly back: number;
  /** Of 95 %, as shares. */
  readonly interval: readonly [least: number, most: number];
  /** By how many slots, of those that show it; null where none does. */
  readonly slots: { readonly median: number; readonly most: number } | null;
  readonly values: number;
  readonly statuses: number;
}

/** In all operations, or in one; null where nothing is known. */
export function backwardsOf({ backwards = [] }: Rated, vendor: number, operation?: string): BackwardsRate | null {
  const own = backwards.filter((one) => one.vendor === vendor && one.operation === (operation ?? one.operation));
  const sumOf = (what: "answers" | "back" | "values" | "statuses"): number => sum(own.map((one) => one[what]));
  const answers = sumOf("answers");
  if (answers === 0) return null;
  const slots = slotsIn(...own.map((one) => one.slots));
  return {
    answers,
    back: sumOf("back"),
    interval: intervalOf(sumOf("back"), answers),
    slots: slots.answers > 0 ? slots : null,
    values: sumOf("values"),
    statuses: sumOf("statuses"),
  };
}

/** Two digits, or a tenth. */
function percentText(share: number): string {
  const percent = 100 * share;
  return percent < 10 || percent > 99 ? toTenths(percent) : String(Math.round(percent));
}

function shareText({ back, answers }: BackwardsRate): string {
  const percent = percentText(back / answers);
  return back > 0 && percent === "0" ? "under 0.1 %" : `${percent} %`;
}

/** `27 to 36 %` */
const intervalText = ({ interval }: BackwardsRate): string => `${interval.map(percentText).join(" to ")} %`;

/** `31 % (27 to 36 %)` */
const rateText = (rate: BackwardsRate): string => `${shareText(rate)} (${intervalText(rate)})`;

const timesText = (times: number): string => (times === 1 ? "once" : counted(times, "time"));

/** What is told of a vendor that goes back. */
function backwardsText(name: string, rate: BackwardsRate): string {
  const { slots, values, statuses } = rate;
  const ways = [
    ...(slots ? [`by ${counted(slots.median, "slot")} in the median, at most ${numberText(slots.most)}`] : []),
    ...(values > 0 ? [`${timesText(values)} to a value that it had replaced`] : []),
    ...(statuses > 0 ? [`${timesText(statuses)} to an earlier status of a bundle`] : []),
  ];
  return [`${name} goes back in ${shareText(rate)} of its answers (${intervalText(rate)})`, ...ways].join(", ");
}

const meaning =
  "Where answers go back, what one has written and already seen may be missing from the next answer. The interface " +
  "doesn't forbid it, so it isn't called wrong.";

interface NamedRate {
  readonly vendor: number;
  readonly name: string;
  readonly rate: BackwardsRate;
}

/** In a cell: on a phone an empty one has no height. */
const none = "none";

/** By vendors, and by operation those that went back. */
function rowsOf(panel: Rated, { vendor, name, rate }: NamedRate): TextTable["rows"] {
  const rowOf = (operation: string, one: BackwardsRate): TextTable["rows"][number] => [
    name,
    operation,
    rateText(one),
    numberText(one.answers),
    one.slots ? `${numberText(one.slots.median)} in the median, at most ${numberText(one.slots.most)}` : none,
    one.values || none,
    one.statuses || none,
  ];
  const operations = (panel.backwards ?? []).filter((one) => one.vendor === vendor).map(({ operation }) => operation);
  const rates = operations.flatMap((operation) => {
    const one = backwardsOf(panel, vendor, operation);
    return one ? [{ operation, one }] : [];
  });
  if (rates.length === 1) return rates.map(({ operation, one }) => rowOf(operation, one));
  return [
    rowOf("all together", rate),
    ...(rate.back > 0 ? rates.map(({ operation, one }) => rowOf(operation, one)) : []),
  ];
}

function nightRates(nights: readonly PanelReport[]): TextTable {
  const [latest] = nights;
  const vendors = latest?.vendors ?? [];
  return {
    is: "table",
    only: "page",
    kind: "matrix",
    caption: "Going back, night by night",
    isCaptionShown: true,
    heads: ["When", ...vendors.map(({ name }) => name)],
    rows: nights.map((night) => {
      const rates = vendors.map((_, vendor) => backwardsOf(night, vendor));
      return [whenText(night.startedAt), ...rates.map((rate) => (rate ? rateText(rate) : ""))];
    }),
  };
}

/** @param nights that were pooled, the latest first */
export function backwardsSections(panel: Rated, nights: readonly PanelReport[] = []): readonly Block[] {
  const all = panel.vendors.flatMap((_, vendor): NamedRate[] => {
    const rate = backwardsOf(panel, vendor);
    return rate ? [{ vendor, name: vendorNameIn(panel, vendor), rate }] : [];
  });
  const shareOf = ({ rate }: NamedRate): number => rate.back / rate.answers;
  const sorted = all.toSorted((a, b) => shareOf(b) - shareOf(a));
  const back = sorted.filter(({ rate }) => rate.back > 0);
  if (all.length === 0) return [];
  if (back.length === 0)
    return [paragraph(`Nobody went back, in ${counted(sum(all.map(({ rate }) => rate.answers)), "answer")}.`)];
  const heads = ["Vendor", "Operation", "Goes back", "Answers", "Slots", "Values", "Statuses"];
  const rows = sorted.flatMap((one) => rowsOf(panel, one));
  // Few go back in each way.
  const shown = heads.flatMap((head, at) => (rows.every((row) => row[at] === none) ? [] : [{ head, at }]));
  const table: TextTable = {
    is: "table",
    kind: "few",
    caption: "Who goes back",
    heads: shown.map(({ head }) => head),
    rows: rows.map((row) => shown.map(({ at }) => row[at] ?? "")),
  };
  const items = back.map(({ name, rate }) => [foreign(backwardsText(name, rate))]);
  const section = sectionOf(
    ["Who goes back"],
    { is: "list", items },
    note(meaning),
    { ...table, only: "page" },
    { ...table, only: "markdown" },
    ...(nights.length > 1 ? [nightRates(nights)] : []),
  );
  return [{ ...section, id: panelAnchors.back }];
}
