// Tests that leave the inside alone, so that code can move without them.
import { dirname, join } from "node:path";
import { expect, test } from "@playwright/test";
import { read } from "../support/assay.ts";
import { filesBelow } from "../support/sources.ts";

const isOutside = (file: string): boolean =>
  [...read(file).matchAll(/from "(\.[^"]+)"/g)].every(([, path = ""]) =>
    join(dirname(file), path).startsWith("tests/"),
  );

test("at least half of the spec files import nothing outside tests/, but go through its doors", () => {
  const files = filesBelow("tests", /\.spec\.ts$/);
  const outside = files.filter(isOutside);
  expect(outside).toContain("tests/tree/doors.spec.ts");
  expect(isOutside("tests/reports/statistics.spec.ts")).toBe(false);
  expect(outside.length).toBeGreaterThanOrEqual(files.length / 2);
});
