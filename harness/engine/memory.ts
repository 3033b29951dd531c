// The memory of a run: numbers of repetitions, and values made once.
import { questionOf } from "../core/stimulus.ts";
import type { CheckContext } from "../model/check.ts";

export type Memory = Pick<CheckContext, "fresh" | "once">;

export function newMemory(): Memory {
  const repetitions = new Map<string, number>();
  const values = new Map<string, unknown>();
  return {
    fresh: (stimulus) => {
      const question = questionOf(stimulus);
      const again = (repetitions.get(question) ?? 0) + 1;
      repetitions.set(question, again);
      return { ...stimulus, again };
    },
    once: <Value>(key: string, make: () => Value): Value => {
      if (!values.has(key)) values.set(key, make());
      // A key is used with one type only.
      return values.get(key) as Value;
    },
  };
}
