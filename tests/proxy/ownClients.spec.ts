// The embedded reference behind the proxy, judged by what clients send to it: nothing is found.
import { expect, test } from "@playwright/test";
import { runApplication } from "../support/application.ts";
import { judgedBehindProxy, type Send, sendAll } from "../support/behindProxy.ts";
import { clients, forms, type Place, sendForm, urlOf } from "../support/clients.ts";
import { describedOperations } from "../support/register.ts";
import { benignIds } from "../support/wallets.ts";

/** What is never judged: methods of others, and server errors that came once or twice only. */
const usual = {
  ["the JSON-RPC method getNothing: not in the interface"]: 3,
  ...Object.fromEntries(
    ["HTTP 500", "code -32000", "code -32002", "code -32003", "code -32603"].map((error) => [
      `a server error (${error})`,
      2,
    ]),
  ),
};

interface Traffic {
  readonly title: string;
  /** Throws where a client gets anything else than without the proxy. */
  readonly send: Send;
  /** How many answers aren't judged, by the reason. */
  readonly unjudged: { readonly [reason: string]: number };
}

const traffic: readonly Traffic[] = [
  ...Object.entries(clients).map(([client, calls]) => ({
    title: `${client}, which works as without the proxy,`,
    send: async (place: Place) => {
      for (const call of Object.values(calls)) await call(place);
    },
    unjudged: {},
  })),
  {
    title: "all forms of params that known clients have, which are served as without the proxy,",
    send: async (place) => {
      for (const [method, all] of Object.entries(forms))
        for (const params of all) await sendForm(urlOf(place), method, params);
    },
    unjudged: {},
  },
  {
    title: "an application by plain fetch (no client of other people calls usage and wallets)",
    send: runApplication,
    unjudged: usual,
  },
];

for (const { title, send, unjudged } of traffic)
  test(`${title} is judged, and nothing is broken or warned of`, async () => {
    const { report, byReason, failure, forwarded } = await judgedBehindProxy(undefined, send);
    expect({ broken: report.broken, byReason, failure }).toEqual({ broken: [], byReason: unjudged, failure: null });
    expect(forwarded).toBeGreaterThan(1);
    expect(report.exchanges).toBeGreaterThanOrEqual(forwarded);
  });

test("all of it together calls each API, and every operation that our clients know", async () => {
  const { report } = await judgedBehindProxy(undefined, sendAll);
  const called: readonly string[] = report.operations.map(({ operation }) => operation);
  const uncalled = Object.values(describedOperations).flatMap((all) => all.filter(({ id }) => !called.includes(id)));
  // Clients don't know a method that was added by its template.
  expect(uncalled.map(({ feature }) => feature).filter((feature) => feature !== "compression")).toEqual([]);
  expect(called.length).toBeGreaterThan(13);
});

// All of them are judged by runs on a push, too.
for (const [nth, variant] of benignIds.entries())
  test(`nothing is broken by ${variant}`, { tag: nth % 4 === 0 ? [] : "@slow" }, async () => {
    expect((await judgedBehindProxy(variant, sendAll)).report.broken).toEqual([]);
  });
