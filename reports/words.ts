// Words and signs for what a run found, the same in every report.
import type { JudgedRequirement, Totals } from "../harness/record/run.ts";
import { counted } from "./numbers.ts";

/** A verdict with the severity of its breach. */
export type Kind = keyof Totals;

interface Words {
  /** Distinguishes kinds without colour. */
  readonly sign: string;
  /** One requirement … */
  readonly one: string;
  /** Several requirements … */
  readonly many: string;
  readonly means: string;
}

export const words: { readonly [kind in Kind]: Words } = {
  broken: { sign: "✗", one: "broken", many: "broken", means: "The platform breaks the requirement." },
  warned: {
    sign: "▲",
    one: "warned",
    many: "warned",
    means: "Broken; reported as a warning, because the requirement is implied or advisory.",
  },
  noted: { sign: "●", one: "noted", many: "noted", means: "Broken; recorded as an observation." },
  inconclusive: {
    sign: "?",
    one: "inconclusive",
    many: "inconclusive",
    means: "Could not be judged, by our fault or the network's.",
  },
  deviates: {
    sign: "≈",
    one: "deviates",
    many: "deviate as known",
    means: "Broken in the way that the target declares.",
  },
  withheld: { sign: "–", one: "withheld", many: "withheld", means: "Not tested, or masked by another breach." },
  holds: { sign: "✓", one: "holds", many: "hold", means: "All its checks were exercised and held." },
};

/** Worst first. */
export const kinds = Object.keys(words) as readonly Kind[]; // Keys of a literal whose type names them.

export function kindOf({ verdict, enforced }: Pick<JudgedRequirement, "verdict" | "enforced">): Kind {
  if (verdict !== "broken") return verdict;
  return ({ fail: "broken", warn: "warned", note: "noted" } as const)[enforced];
}

/** A kind's name and sign; `absent`: of a run that didn't plan the requirement. */
export const nameOf = (kind: Kind | "absent"): string => (kind === "absent" ? "not planned" : words[kind].one);
export const signOf = (kind: Kind | "absent"): string => (kind === "absent" ? "·" : words[kind].sign);

/** `3 broken`, `1 holds`. */
export const countedKind = (count: number, kind: Kind): string => counted(count, words[kind].one, words[kind].many);
