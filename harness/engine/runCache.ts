// The cache of a run: numbers of repetitions, and values made once.
import type { CheckContext } from "../model/check.ts";

export type RunCache = Pick<CheckContext, "fresh" | "once">;

export function newRunCache(): RunCache {
  let issued = 0;
  const values = new Map<string, unknown>();
  return {
    fresh: (requestSpec) => {
      issued += 1;
      return { ...requestSpec, issued };
    },
    once: <Value>(key: string, make: () => Value): Value => {
      if (!values.has(key)) values.set(key, make());
      // A key is used with one type only.
      return values.get(key) as Value;
    },
  };
}
