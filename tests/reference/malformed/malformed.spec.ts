// Malformed requests of all APIs: each gets a well-formed refusal, nothing crashes, no state changes
import { createHash } from "node:crypto";
import { expect, test } from "@playwright/test";
import { bundleTables, oddBundles } from "./bundles.ts";
import { address, asJson, envelope } from "./call.ts";
import { callTables, onHttp } from "./calls.ts";
import { controlTables, good } from "./control.ts";
import { framedTables } from "./framing.ts";
import { paramTables } from "./params.ts";
import type { Json, Tables } from "./rows.ts";
import { stage } from "./stage.ts";
import { usageTables } from "./usage.ts";
import { oddWallets, walletTables, withKey } from "./wallets.ts";

const calls = { ...callTables, ...paramTables, ...bundleTables };
const tables: Tables = {
  ...usageTables,
  ...controlTables,
  ...calls,
  "verbs and paths that JSON-RPC hasn't got": onHttp,
  ...walletTables,
  ...framedTables(Object.values(calls)),
};

for (const [title, rows] of Object.entries(tables)) {
  test(`refused well-formed, with nothing crashed or changed: ${title}`, async () => {
    const { send, state, clock, close } = await stage();
    const before = await state();
    expect(before).toMatchObject({
      health: { status: "200", body: { jsonrpc: "2.0", result: "ok", id: 7 } },
      usage: [{ status: "200" }, { status: "200" }, { status: "200" }],
    });
    const answers: unknown[] = [];
    for (const row of rows) {
      const answer = await send(row).catch((error: unknown) => `crashed: ${String(error)}`);
      answers.push({ title: row.title, answer });
    }
    clock.now_ms += 60_000;
    const after = await state();
    await close();
    expect(answers).toEqual(rows.map((row) => ({ title: row.title, answer: row.expected })));
    expect(after).toEqual(before);
  });
}

test("each command that is malformed in one field here is carried out when it isn't", async () => {
  const { command, close } = await stage();
  for (const whole of good) await command(whole);
  await close();
});

for (const [title, sent] of Object.entries(oddWallets)) {
  test(`served and charged once: ${title}`, async () => {
    const { request, charged, close } = await stage();
    const before = charged();
    expect([(await request(withKey(sent))).status, charged() - before]).toEqual(["200", 1]);
    await close();
  });
}

test("the same transaction twice, and an unknown value of a flag, are taken or refused in an envelope", async () => {
  const { post, close } = await stage();
  for (const [params, target = address] of oddBundles) {
    const answer = await post(target, envelope("sendBundle", params as Json), asJson);
    const { result, error } = answer.body as { result?: unknown; error?: { code: number } };
    expect(typeof (result ?? error?.code)).toMatch(/string|number/);
  }
  await close();
});

test("no two malformed requests are alike, and there are at least 450", () => {
  const seen = new Set<string>();
  const alike: string[] = [];
  for (const [table, rows] of Object.entries(tables))
    for (const { title, sent } of rows) {
      const { body, ...rest } = typeof sent === "object" && "target" in sent ? sent : { body: sent };
      const digest = createHash("sha256").update(body).digest("hex");
      const name = `${table.includes("over sockets")} ${JSON.stringify(rest)} ${digest}`;
      if (seen.has(name)) alike.push(title);
      seen.add(name);
    }
  expect(seen.size).toBeGreaterThanOrEqual(450);
  expect(alike).toEqual([]);
});
