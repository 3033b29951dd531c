// Mutants of the reference behind the proxy: which are found by what clients send, and which can't be.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { root } from "../support/assay.ts";
import { judgedBehindProxy, sendAll } from "../support/behindProxy.ts";
import { requirementOf, variantNamed } from "../support/wallets.ts";

/** What finds it: its own requirement, or nothing, as that isn't visible in this traffic for the reason given. */
type Outcome = "found" | `not visible: ${string}`;

interface Lawful {
  readonly ids: readonly string[];
}

/** By the file of the laws that say something of its requirement. */
const listed: { readonly [laws: string]: { readonly [mutant: string]: Outcome } } = {
  "shared/schema": {
    "USG-KEYS-04.streams-in-requests": "found",
    "CYC-PRES-01.omit-on-free": "found",
    "ERR-ADM-SHAPE-01.no-error-on-500": "found",
    "RPC-ENV-04.error-null": "found",
    "TA-ELT-04.string": "found",
    "CB-RES-01.value-string": "found",
    "NAP-ELT-07.hex": "found",
    "BND-RES-01.array": "found",
    "BST-NULL-01.empty-object": "not visible: nobody but the platform knows which bundles landed",
  },
  "bundles/bundles": {
    "BST-ALIGN-01.nulls-last": "found",
    "BST-SLOT-01.future-slot": "found",
    "BND-ID-01.string-only": "not visible: a refusal says nothing of the id that it echoes",
  },
  "jsonrpc/envelope": {
    "RPC-ENV-02.truncated": "found",
    "RPC-ENV-03.int32": "found",
    "RPC-ENV-07.auth-id-null": "found",
    "EXT-JR-08.out-of-range": "found",
  },
  "jsonrpc/errors": {
    "ERR-CMP-32001.ta-text": "found",
    "ERR-CMP-32005.title-case": "found",
    "ERR-CMP-SET-01.foreign-32029": "found",
    "ERR-X-01.permission-on-compression": "found",
    "ERR-TA-32003.as-32001": "not visible: a row of its own table, and only the platform knows the cause",
  },
  "http/headers": { "EXT-HTTP-01.no-challenge": "found", "EXT-HTTP-06.cached-429": "found" },
  "http/json": {
    "GEN-JSON-01.wallet-octet-stream": "found",
    "GEN-JSON-03.truncated": "not visible: a single cut answer may be the network's",
  },
  "usage/document": {
    "USG-HTTP-03.uses-404": "found",
    "MET-WAL-06.time-based": "found",
    "MET-WAL-06.discounted": "not visible: a thousand wallet calls come before the discount",
  },
  "usage/creditArithmetic": {
    "CRD-LIM-01.limit-with-prepaid": "found",
    "CRD-REM-03.prepaid-added": "not visible: no project has used so little that its limit is passed",
  },
  "usage/errors": {
    "ERR-ADM-403-01.plan-text": "found",
    "ERR-ADM-429-01.trimmed": "found",
    "ERR-ADM-500-01.leaks-stack": "found",
  },
  "usage/cycles": {
    "CYC-BILL-05.last-invoice": "found",
    "CYC-NOW-01.next-cycle": "not visible: on the last day of a cycle only, by less than clocks may differ",
  },
  "compression/compression": { "NAP-MAP-01.foreign": "found", "EXT-SOL-03.outside-range": "found" },
  "tokenAccounts/getTokenAccounts": {
    "TA-FLT-03.union": "found",
    "TA-LIM-01.off-by-one": "found",
    "TA-ZERO-02.false-is-true": "found",
  },
};

/** One of each API, and one that isn't visible. */
const onPush: readonly string[] = [
  "USG-KEYS-04.streams-in-requests",
  "TA-LIM-01.off-by-one",
  "BST-SLOT-01.future-slot",
  "GEN-JSON-03.truncated",
];

test("each file of laws has a mutant in the list", { tag: "@slow" }, () => {
  const files = readdirSync(join(root, "contracts"), { recursive: true, encoding: "utf8" });
  const ofLaws = files.flatMap((file) => /^(.*)\.laws\.ts$/.exec(file)?.[1] ?? []);
  expect(ofLaws.filter((file) => !(file in listed))).toEqual([]);
});

test("each mutant of the list is about a law of its file, and most of them are found", async () => {
  for (const [file, mutants] of Object.entries(listed)) {
    const { laws } = (await import(`../../contracts/${file}.laws.ts`)) as { readonly laws: readonly Lawful[] };
    const ids = new Set(laws.flatMap((law) => law.ids));
    expect(Object.keys(mutants).filter((id) => !ids.has(requirementOf(variantNamed(id).id)))).toEqual([]);
  }
  const outcomes = Object.values(listed).flatMap((mutants) => Object.values(mutants));
  expect(outcomes.filter((outcome) => outcome === "found").length).toBeGreaterThan(0.7 * outcomes.length);
});

for (const [file, mutants] of Object.entries(listed))
  for (const [id, outcome] of Object.entries(mutants))
    test(`${id} of ${file} is ${outcome}`, { tag: onPush.includes(id) ? [] : "@slow" }, async () => {
      const { report } = await judgedBehindProxy(id, sendAll);
      const broken = report.broken.map(({ id: one }) => one);
      expect(broken.includes(requirementOf(id)) ? "found" : "not visible").toBe(outcome.split(":")[0]);
    });
