// Parts of a load: how "2/3" is read, and what is refused.
import { expect, test } from "@playwright/test";
import { partOfLoad } from "../../cli/flags.ts";

test("a part is read as its number and how many there are", () => {
  const read = ["1/1", "2/3", "16/16"].map((text) => partOfLoad("--part", text));
  expect(read).toEqual([
    { nth: 1, of: 1 },
    { nth: 2, of: 3 },
    { nth: 16, of: 16 },
  ]);
});

for (const text of ["0/3", "4/3", "x", "", "1", "1/", "/3", "1/0", "1/17", "01/3", "1/3/3", " 1/3", "1.5/3", "-1/3"])
  test(`"${text}" is refused as a part, in one paragraph`, () => {
    expect(() => partOfLoad("--part", text)).toThrow(
      `--part is "${text}". Write which part of how many, from 1/1 to 16/16, as in --part 2/3.`,
    );
  });
