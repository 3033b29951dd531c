// Shares: how "2/3" is read, and what is refused.
import { expect, test } from "@playwright/test";
import { shareNamed } from "../../cli/flags.ts";

test("a share is read as its number and how many there are", () => {
  const read = ["1/1", "2/3", "16/16"].map((text) => shareNamed("--shard", text));
  expect(read).toEqual([
    { nth: 1, of: 1 },
    { nth: 2, of: 3 },
    { nth: 16, of: 16 },
  ]);
});

for (const text of ["0/3", "4/3", "x", "", "1", "1/", "/3", "1/0", "1/17", "01/3", "1/3/3", " 1/3", "1.5/3", "-1/3"])
  test(`"${text}" is refused as a share, in one paragraph`, () => {
    expect(() => shareNamed("--part", text)).toThrow(
      `--part is "${text}". Write which share of how many, from 1/1 to 16/16, as in --part 2/3.`,
    );
  });
