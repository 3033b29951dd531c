// Real clients of JSON-RPC against the reference
import { test as base } from "@playwright/test";
import { clients, forms, sendForm, urlOf } from "../support/clients.ts";
import { type Embedded, servedReference } from "../support/servedReference.ts";

const test = base.extend<{ platform: Embedded }>({
  platform: async ({}, use) => {
    const platform = await servedReference();
    await use(platform);
    await platform.close();
  },
});

for (const [client, calls] of Object.entries(clients))
  test.describe(client, () => {
    for (const [gets, call] of Object.entries(calls)) test(gets, async ({ platform }) => call(platform));
  });

for (const [method, all] of Object.entries(forms)) {
  for (const params of all) {
    const given = params === undefined ? "no params" : JSON.stringify(params).slice(0, 120);
    test(`${method} is served with ${given}, and echoes an id of any type`, async ({ platform }) =>
      sendForm(urlOf(platform), method, params));
  }
}
