// Malformed requests of all APIs: each gets a well-formed refusal, nothing crashes, no state changes
import { connect } from "node:net";
import { expect, test } from "@playwright/test";
import { demo } from "../../../reference/demo.ts";
import { listen } from "../../../reference/http.ts";
import { Chain, wellKnown } from "../../../reference/platform/chain.ts";
import { createPlatform } from "../../../reference/platform.ts";
import { bundleTables, oddBundles } from "./bundles.ts";
import { envelope, health, type Known, rowOf } from "./call.ts";
import { callTables } from "./calls.ts";
import { controlTables, good } from "./control.ts";
import { framedTables, overSocket } from "./framing.ts";
import { paramTables } from "./params.ts";
import type { Answer, Json, Requested, Row, Tables } from "./rows.ts";
import { usageTables } from "./usage.ts";
import { oddWallets, walletTables } from "./wallets.ts";

const { compressed } = new Chain();
const known: Known = {
  owner: wellKnown.owner,
  mint: wellKnown.mint,
  account: compressed[0]?.address ?? "",
  hashOfAnother: compressed[2]?.hash ?? "",
};
const calls = { ...callTables(known), ...paramTables(known), ...bundleTables };
const someOverSockets = Object.values(calls).flatMap((all) =>
  all.filter(
    ({ verb, headers, target, body }, nth) => nth % 8 === 0 && !verb && !headers && !target && typeof body === "string",
  ),
);
const tables: Tables = {
  ...usageTables,
  ...controlTables,
  ...Object.fromEntries(Object.entries(calls).map(([title, all]) => [title, all.map(rowOf)])),
  ...walletTables,
  ...framedTables,
  "every eighth JSON-RPC call, over sockets": someOverSockets.map(overSocket),
};

/** Valid calls are charged, which would hide whether refused ones are. */
const unmetered = { id: "unmetered", rules: { metering: { rpc: "not metered" } } } as const;
const token = "the token of control";

/** A platform on a port, on a clock so fast that no limiter refuses. */
async function stage() {
  const { world, keys, ids } = demo();
  const clock = { now_ms: Date.now() };
  const now_ms = (): number => (clock.now_ms += 1_000);
  const platform = createPlatform({ world, now_ms, variant: unmetered, controlToken: token });
  const { port, close } = await listen(platform, 0);
  const names: { [name: string]: string } = { token, paidKey: keys.paid, id: ids.other, key: keys.other };
  names["KEY"] = keys.other.toUpperCase();
  const filled = (text: string): string =>
    text.replace(/\{(id|key|KEY|token|watched|paidKey)\}/g, (_, name: string) => names[name] ?? "");
  const request = async ({ target, verb, headers, body }: Requested): Promise<Answer> => {
    const response = await platform.fetch(
      new Request(`http://127.0.0.1${filled(target)}`, {
        method: verb,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value)])),
        ...(body.length > 0 ? { body } : {}),
      }),
    );
    const contentType = response.headers.get("content-type") ?? "";
    return { status: response.status, contentType, body: await response.text() };
  };
  const get = (target: string): Promise<Answer> => request({ target, verb: "GET", headers: {}, body: "" });
  const command = async (sent: object): Promise<{ readonly project?: string }> => {
    const body = filled(JSON.stringify(sent));
    const answer = await request({ target: "/control", verb: "POST", headers: { "x-assay-control": token }, body });
    expect(answer.status, body).toBe(200);
    return JSON.parse(answer.body) as { readonly project?: string };
  };
  const { project = "" } = await command({ ...good[0], keys: [{ value: crypto.randomUUID() }] });
  names["watched"] = project;
  await command({ do: "consume", project, product: "das", credits: "12.345", times: 7 });
  return {
    clock,
    command,
    close,
    request,
    send: ({ sent }: Row): Promise<Answer | null> =>
      typeof sent === "string"
        ? overSockets(port, Buffer.from(measured(filled(sent))))
        : Buffer.isBuffer(sent)
          ? overSockets(port, Buffer.from(filled(sent.toString("latin1")), "latin1"))
          : request(sent),
    /** All that bad requests could change. */
    state: async () => ({
      health: await request({ target: "/?api-key={paidKey}", verb: "POST", headers: {}, body: health }),
      usage: await Promise.all(
        (["paid", "other", "free"] as const).map((role) =>
          get(`/v0/admin/projects/${ids[role]}/usage?api-key=${keys[role]}`),
        ),
      ),
      bundles: world.projects.flatMap(({ id }) => world.book.routesOf(id)),
      projects: JSON.stringify(
        world.projects.map(({ ledger, plan, clock: calendar, billingData }) => [
          ledger.entries,
          ledger.purchased,
          plan,
          calendar,
          billingData,
        ]),
      ),
    }),
    charged: () => world.projects.reduce((total, { ledger }) => total + ledger.entries.length, 0),
  };
}

/** A text with the length of its body in place of `{length}`. */
const measured = (text: string): string =>
  text.replace("{length}", () => String(Buffer.byteLength(text.slice(text.indexOf("\r\n\r\n") + 4))));

/** What came back before the connection closed; null for nothing. */
function overSockets(port: number, bytes: Buffer): Promise<Answer | null> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.end(bytes));
    socket.setEncoding("utf8").setTimeout(10_000, () => socket.destroy(new Error("no answer and no end within 10 s")));
    socket.on("data", (chunk: string) => (text += chunk));
    socket.on("error", (error: NodeJS.ErrnoException) =>
      ["ECONNRESET", "EPIPE"].includes(error.code ?? "") ? undefined : reject(error),
    );
    socket.on("close", () => {
      const [, status, headers = "", body = ""] = /^HTTP\/1\.1 (\d{3})([\s\S]*?)\r\n\r\n([\s\S]*)$/.exec(text) ?? [];
      const contentType = /\r\ncontent-type: ([^\r]*)/i.exec(headers)?.[1] ?? "";
      resolve(status === undefined ? null : { status: Number(status), contentType, body });
    });
  });
}

for (const [title, rows] of Object.entries(tables)) {
  test(`refused well-formed, with nothing crashed or changed: ${title}`, async () => {
    const { send, state, clock, close } = await stage();
    const before = await state();
    expect(before).toMatchObject({
      health: { status: 200, body: '{"jsonrpc":"2.0","result":"ok","id":7}' },
      usage: [{ status: 200 }, { status: 200 }, { status: 200 }],
    });
    const faults: string[] = [];
    for (const row of rows) {
      const fault = await send(row).then(row.faultOf, (error: unknown) => `crashed: ${String(error)}`);
      if (fault !== null) faults.push(`${row.title}: ${fault}`);
    }
    clock.now_ms += 60_000;
    const after = await state();
    await close();
    expect(faults).toEqual([]);
    expect(after).toEqual(before);
  });
}

test("each command that is malformed in one field here is carried out when it isn't", async () => {
  const { command, close } = await stage();
  for (const whole of good) await command(whole);
  await close();
});

for (const [title, sent] of oddWallets) {
  test(`served and charged once: ${title}`, async () => {
    const { request, charged, close } = await stage();
    const before = charged();
    const headers = { "x-api-key": "{paidKey}", ...sent.headers };
    expect([(await request({ ...sent, headers })).status, charged() - before]).toEqual([200, 1]);
    await close();
  });
}

test("the same transaction twice, and an unknown value of a flag, are taken or refused in an envelope", async () => {
  const { request, close } = await stage();
  for (const [params, target = "/?api-key={key}"] of oddBundles) {
    const body = envelope("sendBundle", params as Json);
    const answer = await request({ target, verb: "POST", headers: { "content-type": "application/json" }, body });
    const { result, error } = JSON.parse(answer.body) as { result?: unknown; error?: { code: number } };
    expect(typeof (result ?? error?.code)).toMatch(/string|number/);
  }
  await close();
});

test("no two malformed requests are alike, and there are at least 450", () => {
  const all = Object.entries(tables).flatMap(([table, rows]) =>
    rows.map(({ sent }) => {
      const parts = typeof sent === "object" && "target" in sent ? sent : { body: sent };
      return JSON.stringify([
        table.includes("over sockets"),
        { ...parts, body: Buffer.from(parts.body).toString("latin1") },
      ]);
    }),
  );
  expect(all.length).toBeGreaterThanOrEqual(450);
  expect(all.filter((one, index) => all.indexOf(one) !== index).map((one) => one.slice(0, 200))).toEqual([]);
});
