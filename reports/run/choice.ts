// The exchanges that the page shows, so that it stays small enough to open and to mail.
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import { kindOf, kinds } from "../words.ts";

type Exchange = Run["exchanges"][number];

/** How many exchanges a requirement links to. */
export const mostLinks = (requirement: JudgedRequirement): number => (requirement.verdict === "holds" ? 3 : 12);

/** The exchanges of a requirement, those that break it first. */
export const exchangesOf = ({ breaches, exchanges }: JudgedRequirement): readonly number[] => [
  ...new Set([...breaches.map(({ exchange }) => exchange), ...exchanges]),
];

/** About how much markup exchanges may take: what is left of a page of 5 MB, within bounds. */
const roomFor = (requirements: number): number =>
  Math.min(2_000_000, Math.max(200_000, 4_500_000 - 1_000 * requirements));
/** Markup around each exchange. */
const frame_chars = 600;

/**
 * As far as there is room, exchanges with breaches, then those that requirements link to, worst first, then the others.
 * @param longestBody_chars how much of a body is shown
 */
export function chosenOf({ requirements, exchanges }: Run, longestBody_chars: number): ReadonlySet<number> {
  const byNumber = new Map(exchanges.map((exchange) => [exchange.number, exchange]));
  const worstFirst = [...requirements].sort((a, b) => kinds.indexOf(kindOf(a)) - kinds.indexOf(kindOf(b)));
  const linked = worstFirst.flatMap((requirement) => exchangesOf(requirement).slice(0, mostLinks(requirement)));
  const wanted = new Set([
    ...worstFirst.flatMap(({ breaches }) => breaches.slice(0, 1).map(({ exchange }) => exchange)),
    ...linked,
    ...byNumber.keys(),
  ]);
  const chosen = new Set<number>();
  let room_chars = roomFor(requirements.length);
  for (const number of wanted) {
    const exchange = byNumber.get(number);
    if (!exchange) continue;
    room_chars -= sizeOf(exchange, longestBody_chars);
    if (room_chars < 0) break;
    chosen.add(number);
  }
  return chosen;
}

/** In characters of markup, in which a quotation mark takes six. */
function sizeOf({ curl, answer, fault, title }: Exchange, longestBody_chars: number): number {
  const { body = "", headers = [] } = answer ?? {};
  const texts = [curl, title, title, fault ?? "", body.slice(0, longestBody_chars), ...headers.flat()];
  return texts.reduce((sum, text) => sum + text.length + 5 * (text.match(/["&<>']/g)?.length ?? 0), frame_chars);
}
