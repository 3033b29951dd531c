// The k6 that is here, for tests that need one; without it they are skipped, and `npm cit` says so.
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "@playwright/test";
import { foundK6, type K6 } from "../../load/k6/ensure.ts";
import { emptyFolder } from "./assay.ts";

const here = foundK6();

export function k6(): K6 {
  test.skip(here === null, "there is no k6 here");
  if (!here) throw new Error("skipped");
  return here;
}

/** A program in k6's place, which reads its orders and does as a line of shell says. */
export function k6That(line: string): K6 {
  const path = join(emptyFolder(), "k6");
  writeFileSync(path, `#!/bin/sh\ncat > /dev/null\n${line}\n`);
  chmodSync(path, 0o755);
  return { path, version: "2.2.0" };
}
