// The cache of a run: fresh request specs, and values made once.
import { expect, test } from "@playwright/test";
import { usageRequest } from "../../contracts/shared/requestSpecs.ts";
import { requestKey } from "../../harness/core/requestSpec.ts";
import { newRunCache } from "../../harness/engine/runCache.ts";

const [paid, free] = [usageRequest({ as: "paid" }), usageRequest({ as: "free" })];

test("a fresh request spec never repeats, and never equals the remembered one", () => {
  const { fresh } = newRunCache();
  const again = [fresh(paid), fresh(free), fresh(paid), fresh(fresh(paid)), fresh({ ...paid, repeat: 2 })];
  const names = [paid, free, ...again].map(requestKey);
  expect(new Set(names).size).toBe(names.length);
});

test("a fresh request spec differs only in its number", () => {
  const { issued, ...rest } = newRunCache().fresh(paid);
  expect(issued).toBeGreaterThan(0);
  expect(rest).toEqual(paid);
});

test("a value is made once per key, and once per run", () => {
  const { once } = newRunCache();
  let made = 0;
  const make = (): number => {
    made += 1;
    return made;
  };
  expect([once("a", make), once("a", make), once("b", make)]).toEqual([1, 1, 2]);
  expect(newRunCache().once("a", make)).toBe(3);
});

test("a value may be undefined", () => {
  const { once } = newRunCache();
  let made = 0;
  for (let nth = 0; nth < 2; nth += 1) once("a", () => void (made += 1));
  expect(made).toBe(1);
});
