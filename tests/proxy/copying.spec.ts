// Copies of bodies: kept up to the bounds of each and of all together.
import { expect, test } from "@playwright/test";
import { copyIn } from "../../proxy/copying.ts";

const megabyte = Buffer.alloc(1024 * 1024);

/** @returns how many MB a copy of so many has; null where it isn't whole */
function taken(copy: ReturnType<typeof copyIn>, megabytes: number): number | null {
  for (let nth = 0; nth < megabytes; nth += 1) copy.add(megabyte);
  const whole = copy.take();
  return whole && whole.length / megabyte.length;
}

test("a body is copied up to 8 MB, and counted beyond", () => {
  const all = { bytes: 0 };
  const long = copyIn(all);
  expect([taken(copyIn(all), 8), taken(long, 9), long.length(), all.bytes]).toEqual([8, null, 9 * 1024 * 1024, 0]);
});

test("all copies together have 64 MB, until one is taken", () => {
  const all = { bytes: 0 };
  const held = Array.from({ length: 8 }, () => copyIn(all));
  for (const copy of held) for (let nth = 0; nth < 8; nth += 1) copy.add(megabyte);
  expect(taken(copyIn(all), 1)).toBe(null);
  held[0]?.take();
  expect(taken(copyIn(all), 1)).toBe(1);
});
