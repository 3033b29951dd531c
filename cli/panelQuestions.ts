// The questions of a panel, and which vendors they can be put to: those of one chain.
import { realClock } from "../harness/core/clock.ts";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { formed } from "../harness/core/schema.ts";
import { readYamlFile } from "../harness/core/yamlFile.ts";
import type { Target } from "../harness/targets/target.ts";
import type { Attendance } from "../panel/attendance.ts";
import { meaningOf } from "../panel/meaning.ts";
import { type PanelMember, type Reply, repliesTo } from "../panel/polling.ts";
import {
  distinctQuestions,
  listQuestions,
  namedQuestions,
  type PolledQuestion,
  pickedQuestions,
  sampleQuestions,
} from "../panel/questions.ts";
import { type Workload, workloadQuestions } from "../panel/workload.ts";
import { readSchema } from "./readSchema.ts";

export interface PanelVendor {
  readonly file: string;
  readonly target: Target;
}

/** More than a day apart: no vendor is so far behind. */
const otherChain_slots = 216_000;

/**
 * The place of the one vendor that is of another chain than all others, by the slots of the first answers; null where
 * all are of one.
 * @throws CommandLineError where none stands alone: nothing says who is elsewhere
 */
function otherChainIn(vendors: readonly PanelVendor[], replies: readonly Reply[]): number | null {
  const known = replies
    .map(({ vendor, exchange }) => ({ vendor, slot: meaningOf(exchange, 1)?.slot ?? Number.NaN }))
    .filter(({ slot }) => Number.isFinite(slot))
    .sort((a, b) => a.slot - b.slot);
  const [oldest, newest] = [known[0], known.at(-1)];
  if (!oldest || !newest || areOfOneChain(known)) return null;
  const ends = [oldest, newest].filter((end) => areOfOneChain(known.filter((one) => one !== end)));
  if (known.length > 2 && ends.length === 1) return ends[0]?.vendor ?? null;
  throw new CommandLineError(
    `${vendors[newest.vendor]?.file} is at slot ${newest.slot} and ` +
      `${vendors[oldest.vendor]?.file} at ${oldest.slot}, more than a day apart: they serve different chains, ` +
      "and nothing could be compared. Name vendors of one chain.",
  );
}

/** @param known in order of their slots */
const areOfOneChain = (known: readonly { readonly slot: number }[]): boolean =>
  (known.at(-1)?.slot ?? 0) - (known[0]?.slot ?? 0) <= otherChain_slots;

export const leftText = (vendors: readonly PanelVendor[], nth: number): string =>
  `${vendors[nth]?.file} is left out: its slot is more than a day from that of all others, so it serves another chain.`;

/** Its questions, and the places of vendors that it leaves out. */
interface PanelPlan {
  readonly questions: readonly PolledQuestion[];
  readonly left: ReadonlySet<number>;
  /** To requests for lists that questions are made of; by places among the vendors that aren't left out. */
  readonly earlier: readonly Reply[];
}

interface AskedFor {
  readonly only: string | undefined;
  readonly seed: number;
  /** In place of the panel's own. */
  readonly workload: Workload | null;
  /** Reads of wallets, beside others. */
  readonly paid: readonly PolledQuestion[];
  readonly attendance: Attendance<PanelMember>;
}

/** Of the questions that `--only` names; undefined where it isn't given. */
export const wantedIds = ({ only }: { readonly only?: string | undefined }): readonly string[] | undefined =>
  only?.split(",").map((id) => id.trim());

/** @throws CommandLineError for unknown questions, or vendors of different chains */
export async function questionsFor(
  vendors: readonly PanelVendor[],
  members: readonly PanelMember[],
  named: readonly PolledQuestion[],
  { only, seed, workload, paid, attendance }: AskedFor,
): Promise<PanelPlan> {
  const targets = vendors.map(({ target }) => target);
  const wanted = wantedIds({ only });
  const known = named.filter(({ id }) => wanted?.includes(id));
  const left = new Set<number>();
  if (known.length > 0 && known.length === wanted?.length) return { questions: known, left, earlier: [] };
  const given: Reply[] = [];
  for (const question of listQuestions(targets)) {
    const isPresent = (member: PanelMember, nth: number): boolean => !left.has(nth) && !attendance.isResting(member);
    const order = members.flatMap((member, nth) => (isPresent(member, nth) ? [nth] : []));
    const answered = await repliesTo(question, members, realClock, { order, attendance });
    const other = otherChainIn(vendors, answered);
    if (other !== null) left.add(other);
    given.push(...answered);
  }
  const places = [...members.keys()].filter((nth) => !left.has(nth));
  const earlier = given.flatMap((reply) =>
    left.has(reply.vendor) ? [] : [{ ...reply, vendor: places.indexOf(reply.vendor) }],
  );
  const picked = pickedQuestions(
    earlier.map(({ exchange }) => exchange),
    seed,
  );
  const asked = targets.filter((_, nth) => !left.has(nth));
  const all = distinctQuestions([...named, ...sampleQuestions(asked), ...paid, ...picked]);
  if (workload) {
    // Where lists name no accounts, they are asked themselves.
    const own = picked.length > 0 ? all : [...all, ...listQuestions(asked)];
    return { questions: workloadQuestions(workload, own, seed), left, earlier };
  }
  const unknown = wanted?.find((id) => !all.some((question) => question.id === id));
  const questions = wanted ? all.filter(({ id }) => wanted.includes(id)) : all;
  if (unknown === undefined) return { questions, left, earlier };
  throw new CommandLineError(
    `--only names ${unknown}, which isn't a question of this panel. Its questions are ` +
      `${all.map(({ id }) => id).join(", ")}.`,
  );
}

const formFile = "panel/questions.schema.json";

/** @throws CommandLineError where it isn't a list of questions */
export function questionsIn(file: string): readonly PolledQuestion[] {
  const list = formed(readYamlFile(file), readSchema(formFile), formFile);
  return namedQuestions(list as Parameters<typeof namedQuestions>[0]);
}
