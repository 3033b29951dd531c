// Tests of what laws leave alone: test projects, requests with other ids than the interface has
import { expect, test } from "@playwright/test";
import { contractSuite } from "../../contracts/suite.ts";
import type { Json } from "../../harness/core/json.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { exchangeOf } from "../golden/build.ts";
import { golden } from "../golden/lists.ts";

const exchanged = (title: string): Exchange => {
  const found = golden.find((one) => one.title === title);
  if (!found) throw new Error(`no golden exchange is called ${title}`);
  return exchangeOf(found, 1);
};

const outcome = (exchange: Exchange, id: string): string | undefined =>
  contractSuite.laws.flatMap((law) => [...law.judge(exchange)]).find(([one]) => one === id)?.[1].outcome;

/** The same answer to another body. */
const sentInstead = ({ sent, ...rest }: Exchange, members: { readonly [name: string]: Json }): Exchange => ({
  ...rest,
  sent: { ...sent, json: { ...(sent.json as object), ...members } },
});

test("credits of wallet calls need be no multiple of the price on a project into which control put some", () => {
  const exchange = exchanged("Wallet calls at 90 credits are not a multiple of 100 (discounted)");
  expect(outcome(exchange, "MET-WAL-06")).toBe("broken");
  const { asker } = exchange;
  expect(outcome({ ...exchange, asker: asker && { ...asker, isMade: true } }, "MET-WAL-06")).toBeUndefined();
});

test("statuses are compared with ids only where all ids are texts", () => {
  const exchange = exchanged("Nulls are not dropped from the list");
  expect(outcome(exchange, "BST-ALIGN-01")).toBe("broken");
  expect(outcome(sentInstead(exchange, { params: [["a", 5]] }), "BST-ALIGN-01")).toBeUndefined();
});
