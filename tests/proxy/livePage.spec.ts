// The live page: what its readers get, and who may read it.
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "@playwright/test";
import { livePage, liveState } from "../support/livePage.ts";

const answered = async (url: string, headers: Readonly<Record<string, string>> = {}) => {
  const asked = request(url, { headers }).end();
  const answer = await new Promise<IncomingMessage>((done) => asked.once("response", done));
  return { status: answer.statusCode, headers: answer.headers, text: await text(answer) };
};

test("readers get the last state at once, then each that follows", async ({ page }) => {
  const { url, show, close } = await livePage();
  show({ findings: [], counts: [] });
  await page.goto(url);
  await expect(page.locator("h1")).toHaveText("Nothing judged yet");
  for (let forwarded = 100; forwarded <= 200; forwarded += 1) show({ forwarded });
  await expect(page.locator("h1")).toHaveText("1 requirement broken");
  await expect(page.locator("#counts")).toHaveText("200 forwarded10 judged2 not judged");
  await expect(page).toHaveTitle("1 requirement broken · acme");
  await expect(page.locator("#operations")).toHaveText("getAsset10");
  await close();
  await expect(page.locator("#link")).toContainText("not connected");
});

test("what a platform answers is shown as text, and the page runs only its own script", async ({ page }) => {
  const errors: string[] = [];
  page.on("console", (message) => errors.push(message.text()));
  const { url, show, close } = await livePage();
  show();
  await page.goto(url);
  const finding = page.locator("#findings li");
  await expect(finding).toContainText("Usage is <b>whole</b>");
  await expect(finding).toContainText("USG-01 · §2.1 · 3 times");
  for (const shown of [liveState.findings[0]?.expected, liveState.findings[0]?.got])
    await expect(finding).toContainText(shown ?? "");
  await expect(page).toHaveTitle("1 requirement broken · acme");
  expect(errors).toEqual([]);
  const policy = (await answered(url)).headers["content-security-policy"];
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']{44}'; script-src 'sha256-[^']{44}';/);
  expect(policy).not.toContain("unsafe");
  await close();
});

test("only addresses of this machine are served", async () => {
  const { url, close } = await livePage();
  const { port } = new URL(url);
  for (const [host, status] of [
    [`127.0.0.1:${port}`, 200],
    [`localhost:${port}`, 200],
    [`evil.example:${port}`, 403],
    [`127.0.0.1.evil.example:${port}`, 403],
    ["127.0.0.1", 403],
    ["127.0.0.1:1", 403],
  ] as const)
    expect([host, (await answered(url, { host })).status]).toEqual([host, status]);
  expect((await answered(`${url}/events`, { host: "evil.example" })).status).toBe(403);
  expect((await answered(`${url}/else`)).status).toBe(404);
  await close();
});

test("so many readers are served, and one more is refused", async () => {
  const { url, close } = await livePage();
  const open = async (): Promise<IncomingMessage> => {
    const asked = request(`${url}/events`).end();
    return new Promise((done) => asked.once("response", done));
  };
  const readers = await Promise.all(Array.from({ length: 20 }, open));
  expect(readers.map(({ statusCode }) => statusCode)).toEqual(readers.map(() => 200));
  expect((await answered(`${url}/events`)).text).toContain("too many pages are open");
  for (const reader of readers) reader.resume();
  await close();
});

test("a reader that takes nothing is let go", async () => {
  const { url, show, close } = await livePage();
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write(`GET /events HTTP/1.1\r\nHost: ${new URL(url).host}\r\n\r\n`);
  await once(socket, "readable");
  const closed = once(socket, "close");
  const large = setInterval(() => show({ notice: "x".repeat(8_000_000) }), 50);
  await new Promise((done) => setTimeout(done, 1_500));
  clearInterval(large);
  socket.resume();
  await closed;
  await close();
});
