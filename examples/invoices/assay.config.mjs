// Three requirements on an endpoint that isn't in the interface, each proved by a mutant.
// @ts-check
import { defineChecks, defineLaw, equals, must, sample, sum } from "@assay-harness/assay";

/** @typedef {import("./invoices.types.ts").operations["getInvoice"]["responses"][200]["content"]["application/json"]} Invoice */

const get = { operation: "getInvoice", path: { id: sample("invoice") } };
const unknown = { operation: "getInvoice", path: { id: "no-such-invoice" } };

/** The total is the sum of the lines, exactly. */
const sums = /** @type {typeof defineLaw<Invoice>} */ (defineLaw)("getInvoice", 200, {
  "INV-SUM-01": ({ number, items, any }) => {
    const lines = sum(items("/lines").map((line) => number(`${line}/amount`)));
    return must(lines.eq(number("/total")), "/total", `${lines}, the sum of its lines`, any("/total"));
  },
});

export default defineChecks({
  spec: { file: "invoices.openapi.yaml", api: "api", feature: "invoices" },
  requirements: [
    { id: "INV-FORM-01", sentence: "Invoices and refusals are as the document describes them", clause: "Invoices 1.0" },
    { id: "INV-SUM-01", sentence: "An invoice's total is the sum of its lines", clause: "Invoices 1.0" },
    { id: "INV-MISS-01", sentence: "An unknown invoice is not found", clause: "Invoices 1.0" },
  ],
  answersFit: "INV-FORM-01",
  samples: { invoice: { type: "string" } },
  laws: [sums],
  checks: [
    { proves: ["INV-FORM-01", "INV-SUM-01"], request: get },
    { proves: "INV-MISS-01", request: unknown, by: ({ status }) => equals("status", status, 404) },
  ],

  // An honest platform, and what it may do wrong: `npx assay mutants INV` proves that each check can fail.
  platform: {
    samples: { invoice: "2026-11" },
    fetch: ({ url }) =>
      url.endsWith("/2026-11")
        ? Response.json({
            id: "2026-11",
            total: 4900,
            lines: [
              { text: "Plan", amount: 4000 },
              { text: "Calls", amount: 900 },
            ],
          })
        : Response.json({ message: "There is no such invoice." }, { status: 404 }),
  },
  mutants: {
    "INV-FORM-01.without-lines": async (answer) =>
      Response.json({ ...(await answer.json()), lines: undefined }, answer),
    "INV-SUM-01.forgets-a-line": async (answer) => Response.json({ ...(await answer.json()), total: 4000 }, answer),
    "INV-MISS-01.finds-all": () => Response.json({ id: "no-such-invoice", total: 0, lines: [] }),
  },
});
