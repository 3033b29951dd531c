// `assay proxy`: what clients get, and what is found, told and left of what passed.
import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { assayRun, bytesBelow, emptyFolder, expectCommandLineError, runIn, startAssay } from "../support/assay.ts";
import { type Embedded, withReference } from "../support/servedReference.ts";
import { deadBase, vendor } from "../support/vendor.ts";

const freePort = ["--port", "0"];

/** Starts it, sends what a client sends, and ends it. */
async function through(
  { environment, ...platform }: Pick<Embedded, "base" | "environment">,
  flags: readonly string[],
  client: (proxy: string, page: string) => Promise<void>,
) {
  const folder = emptyFolder();
  const args = ["proxy", "--target", "targets/reference.yaml", "--upstream", platform.base, ...freePort];
  const proxy = startAssay([...args, "--out", join(folder, "run"), ...flags], environment);
  const printed = await proxy.says("Findings as they come: ");
  const [, address = "", page = ""] = /^admin: (\S+) → [\s\S]*come: (\S+)/m.exec(printed) ?? [];
  await client(address, page).finally(() => proxy.kill("SIGTERM"));
  return { ...(await proxy.ended), folder, address };
}

const cookie = "of-somebody-who-is-logged-in";

const usageBy =
  (role: "paid" | "free", { keys, ids }: Embedded) =>
  async (proxy: string) => {
    const headers = { "X-Api-Key": keys[role], Cookie: `theme=${cookie}` };
    return (await fetch(`${proxy}/v0/admin/projects/${ids[role]}/usage`, { headers })).text();
  };

/** The page's events until one holds a text. */
async function eventWith(page: string, text: string): Promise<string> {
  const { body } = await fetch(`${page}/events`);
  let seen = "";
  for await (const chunk of body ?? []) {
    seen += Buffer.from(chunk as Uint8Array).toString();
    if (seen.includes(text)) return seen;
  }
  throw new Error(`the page ended without ${text}: ${seen}`);
}

const mutant = "CYC-BILL-01.object-on-free";

test("a breach in a client's traffic is printed, shown, reported, and fails where it is asked to", async () => {
  await withReference(mutant, async (platform) => {
    const har = join(emptyFolder(), "passed.har");
    const client = async (proxy: string, page: string): Promise<void> => {
      expect(await usageBy("free", platform)(proxy)).toContain("creditsRemaining");
      const seen = await eventWith(page, '"1 broken"');
      expect(seen).toContain(`"request":"GET /v0/admin/projects/${platform.ids.free}/usage"`);
      expect(seen).not.toContain(platform.keys.free);
    };
    const failing = await through(platform, ["--fail-on-broken", "--record", har], client);
    expect(failing).toMatchObject({ code: 1, stdout: expect.stringMatching(/^BROKEN {2}CYC-BILL-01/m) });
    const run = runIn(join(failing.folder, "run"));
    expect(run.recording).toMatchObject({ exchanges: 1, judged: 1, sources: [`the proxy at ${failing.address}`] });
    expect(run.recording?.broken).toContainEqual({ id: "CYC-BILL-01", exchanges: 1 });
    for (const key of [...Object.values(platform.keys), cookie]) {
      expect(bytesBelow(failing.folder)).not.toContain(key);
      expect(bytesBelow(join(har, ".."))).not.toContain(key);
    }
    expect((await through(platform, [], client)).code).toBe(0);
    // What was recorded shows the same.
    const again = await assayRun(["judge", har, "--target", "targets/reference.yaml", "--base", platform.base]);
    expect(again.run.recording?.broken).toEqual(run.recording?.broken);
  });
});

test("nothing is found on an honest platform, and each time has a run of its own", async () => {
  await withReference(undefined, async (platform) => {
    const history = join(emptyFolder(), "history.jsonl");
    const flags = ["--fail-on-broken", "--every", "1s", "--history", history];
    const ended = await through(platform, flags, async (proxy) => {
      for (const role of ["paid", "free", "paid"] as const) {
        await usageBy(role, platform)(proxy);
        await new Promise((done) => setTimeout(done, 700));
      }
    });
    expect(ended.stdout).not.toContain("BROKEN");
    const folders = readdirSync(join(ended.folder, "run")).map((name) => join(ended.folder, "run", name));
    expect(folders.length).toBeGreaterThan(1);
    await expect.poll(() => folders.map((folder) => readdirSync(folder).includes("run.json"))).not.toContain(false);
    const judged = folders.map((folder) => runIn(folder).recording?.judged ?? 0);
    expect(judged.reduce((sum, one) => sum + one, 0)).toBe(3);
    const nights = (): readonly string[] => readFileSync(history, "utf8").trim().split("\n");
    await expect.poll(() => nights().length).toBe(folders.length);
  });
});

test("each of several platforms has its run, and one without traffic hides no breach of another", async () => {
  const both = withReference("CRD-REM-01.plus-prepaid", (busy) =>
    withReference(undefined, async (idle) => {
      const folder = emptyFolder();
      const flags = ["--out", folder, "--fail-on-broken"];
      const proxy = startAssay(["proxy", "--upstream", busy.base, idle.base, ...freePort, ...flags], {});
      const printed = await proxy.says("Findings as they come: ");
      const [, address = ""] = /^admin: (\S+)/m.exec(printed) ?? [];
      await usageBy("paid", busy)(address);
      proxy.kill("SIGTERM");
      expect(await proxy.ended).toMatchObject({ code: 1, stdout: expect.stringMatching(/^BROKEN {2}CRD-REM-/m) });
      const runs = [busy, idle].map(({ base }) => runIn(join(folder, new URL(base).host.replace(":", "-"))));
      expect(runs.map(({ exitCode }) => exitCode)).toEqual([1, 3]);
    }),
  );
  await both;
});

test("a key that the first answer repeats isn't recorded", async () => {
  const echo = ({ headers }: IncomingMessage, response: ServerResponse) =>
    response.setHeader("content-type", "application/json").end(JSON.stringify({ youSent: headers["x-api-key"] }));
  const { base, close } = await vendor(echo);
  const har = join(emptyFolder(), "passed.har");
  await through({ base, environment: {} }, ["--record", har], async (proxy) => {
    const headers = { "X-Api-Key": "a-key-that-nobody-named" };
    expect(await (await fetch(`${proxy}/anything`, { headers })).text()).toContain("a-key-that-nobody-named");
  });
  expect(readFileSync(har, "utf8")).toContain("youSent");
  expect(readFileSync(har, "utf8")).not.toContain("a-key-that-nobody-named");
  await close();
});

test("a platform that is gone is answered with a plain 502, and leaves an inconclusive run", async () => {
  const { code, folder } = await through({ base: await deadBase(), environment: {} }, [], async (proxy) => {
    const answer = await fetch(
      `${proxy}/v0/admin/projects/5f0d5c1e-7f5b-4a57-9a0c-1d2e3f405162/usage?api-key=abcdefgh`,
    );
    expect(answer.status).toBe(502);
    expect(answer.headers.get("content-type")).toMatch(/^text\/plain/);
    expect(await answer.text()).toMatch(/^Assay's proxy got no answer from 127\.0\.0\.1:\d+: refused/);
  });
  expect(code).toBe(3);
  const { recording } = runIn(join(folder, "run"));
  expect(recording).toMatchObject({
    judged: 0,
    unjudged: [{ reason: expect.stringMatching(/^no complete answer: connection refused$/) }],
  });
});

test("ports in use, and a proxy without an address, are refused before anything is written", async () => {
  const { base, close } = await vendor(() => undefined);
  const { port } = new URL(base);
  const folder = emptyFolder();
  const args = ["proxy", "--upstream", "http://a.example", "--out", join(folder, "run"), "--port"];
  for (const taken of [[port], ["0", "--page", port]])
    await expectCommandLineError([...args, ...taken], `Port ${port} of 127.0.0.1 is in use.`);
  const noProxy = { HTTP_PROXY: "http://", http_proxy: "" };
  await expectCommandLineError([...args, "0"], "HTTP_PROXY isn't a valid proxy address", noProxy);
  expect(readdirSync(folder)).toEqual([]);
  await close();
});
