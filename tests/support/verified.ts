// Folders of runs, changed by hand, and what `assay verify` says of them.
import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "@playwright/test";
import { assay } from "./assay.ts";
import { type Changes, foreignRun } from "./foreignFolders.ts";

/** A folder of which the reports are made. */
export async function reported(folder: string): Promise<string> {
  await assay(["report", folder]);
  return folder;
}

/** Without creditsRemaining. */
export const ofUsage = {
  "exchange.exchange.answer.body":
    '{"creditsUsed":7,"prepaidCreditsRemaining":0,"prepaidCreditsUsed":0,"creditCycle":{"start":"2025-02-28",' +
    '"end":"2025-03-29"},"credits":{"rpc":1},"requests":{"rpc":1}}',
  "exchange.exchange.sent.url":
    "https://admin.acme.example/v0/admin/projects/7f9c24e5-1f0b-4c55-9a5c-6f4d1f3b8a10/usage",
};

/** What differs, by file, of a folder. */
export async function verified(folder: string) {
  const { code, stdout, stderr } = await assay(["verify", folder, "--json"]);
  expect(stderr).toBe("");
  const found = JSON.parse(stdout) as {
    readonly [list in "differences" | "undecided" | "others"]: readonly { readonly file: string; says: string }[];
  } & { readonly result: string; readonly manifest: string | null };
  return { code, ...found, files: [...new Set(found.differences.map(({ file }) => file))] };
}

export function change(file: string, to: (bytes: Buffer) => Buffer): () => void {
  const before = readFileSync(file);
  writeFileSync(file, to(Buffer.from(before)));
  return () => writeFileSync(file, before);
}

export const replaced = (file: string, from: string, to: string): (() => void) =>
  change(file, (bytes) => {
    const text = bytes.toString();
    expect(text).toContain(from);
    return Buffer.from(text.replace(from, to));
  });

/** A journal that says something else, of which all is made again. */
export const forged = (changes: Changes, more: readonly unknown[] = []) => reported(foreignRun(changes, more));
