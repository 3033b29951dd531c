// `assay proxy`: what clients get, and what is found, told and left of what passed.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import {
  assay,
  assayProcess,
  assayRun,
  bytesBelow,
  emptyFolder,
  expectCommandLineError,
  notOnWindows,
  runIn,
  startAssay,
} from "../support/assay.ts";
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
        await setTimeout(700);
      }
    });
    expect(ended.stdout).not.toContain("BROKEN");
    const folders = readdirSync(join(ended.folder, "run")).map((name) => join(ended.folder, "run", name));
    expect(folders.length).toBeGreaterThan(1);
    await expect
      .poll(() => folders.map((folder) => readdirSync(folder).includes("manifest.json")))
      .not.toContain(false);
    for (const folder of folders) expect((await assay(["verify", folder])).code).toBe(0);
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
      // Below those that the system gives to others.
      const port = 20_000 + 4 * Math.floor(Math.random() * 2_500);
      const flags = ["--port", String(port), "--out", folder, "--fail-on-broken"];
      const proxy = startAssay(["proxy", "--upstream", busy.base, idle.base, ...flags], {});
      const printed = await proxy.says("Findings as they come: ");
      const address = `http://127.0.0.1:${port}`;
      expect(printed).toContain(`admin: ${address} → ${busy.base}`);
      expect(printed).toContain(`admin: http://127.0.0.1:${port + 2} → ${idle.base}`);
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

/** A command's client: it calls a platform with a key, if it has one, then runs what else it is given. */
const clientOf = (platform: Embedded, role: "paid" | "free", after = ""): readonly string[] => [
  process.execPath,
  "-e",
  `const headers = { "X-Api-Key": "${platform.keys[role]}" };
  fetch(process.env.ASSAY_ADMIN + "/v0/admin/projects/${platform.ids[role]}/usage", { headers })
    .then((answer) => answer.text()).then(async () => { ${after} });`,
];

/** The proxy around a command. */
function around(
  { environment, base }: Pick<Embedded, "base" | "environment">,
  command: readonly string[],
  flags: readonly string[] = [],
) {
  const folder = join(emptyFolder(), "run");
  const args = ["proxy", "--target", "targets/reference.yaml", "--upstream", base, "--out", folder, ...flags];
  return { ...startAssay([...args, "--", ...command], environment), folder };
}

test("a command gets the proxy's addresses, and ends it with its own code, or 1 where something is broken", () =>
  withReference(mutant, async (platform) => {
    const ended = async (command: readonly string[], flags: readonly string[] = []) => {
      const running = around(platform, command, flags);
      return { ...(await running.ended), folder: running.folder };
    };
    const broken = await ended(clientOf(platform, "free"));
    // Standard output is the command's.
    expect(broken).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(/^BROKEN {2}CYC-BILL-01/m) });
    expect(broken.stderr).not.toContain("sent nothing");
    expect(runIn(broken.folder).recording).toMatchObject({ exchanges: 1, judged: 1 });
    expect((await ended(clientOf(platform, "free", "process.exit(7)"))).code).toBe(7);
    // A quiet end of a long run takes nothing back.
    const waits = "await new Promise((done) => setTimeout(done, 1500))";
    expect((await ended(clientOf(platform, "paid", waits), ["--every", "1s"])).code).toBe(0);

    const silent = await ended([process.execPath, "-e", "0"]);
    const says = "node sent nothing through the proxy, so nothing was judged. The addresses for it are in ";
    expect(silent).toMatchObject({ code: 3, stderr: expect.stringContaining(`${says}$ASSAY_ADMIN, $ASSAY_API and `) });
    const killed = await ended([process.execPath, "-e", "process.kill(process.pid, 'SIGABRT')"]);
    expect(killed.code).toBe(134);
    const unknown = await ended(["nmp", "test"]);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringMatching(/^nmp can't be started: .*\n$/) });
    expect(existsSync(unknown.folder)).toBe(false);
    // Nor is the command begun where a run can't be.
    const begun = join(emptyFolder(), "begun");
    const refused = await ended(["touch", begun], ["--out", broken.folder]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("already contains a run") });
    expect([existsSync(begun), runIn(broken.folder).exitCode]).toEqual([false, 1]);
  }));

test("each platform has variables of its own, with its path, and arguments hold addresses, too", async () => {
  const seen = join(emptyFolder(), "seen.json");
  const looks = `const { ASSAY_ADMIN: admin, ASSAY_RPC_2: second } = process.env;
  require("fs").writeFileSync("${seen}", JSON.stringify({ admin, second, words: process.argv.slice(1) }))`;
  const args = ["proxy", "--upstream", "http://a.example/v9/", "http://b.example", "--out", emptyFolder(), "--"];
  const { code, stderr } = await assay([...args, process.execPath, "-e", looks, "to={admin}", "{rpc_2}", "{none}"]);
  expect(code, stderr).toBe(3);
  const { admin, second, words } = JSON.parse(readFileSync(seen, "utf8")) as { [name: string]: string };
  expect(admin).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v9$/);
  expect(second).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(words).toEqual([`to=${admin}`, second, "{none}"]);
  expect(stderr).toContain("$ASSAY_RPC, $ASSAY_ADMIN_2");
});

test("a signal is passed on to the command, a second kills it; `--json` has standard output to itself", async () => {
  notOnWindows("signals that are passed on");
  const platform = { base: await deadBase(), environment: {} };
  const waits = `require("fs").writeFileSync(process.argv[1], ""); setInterval(() => {}, 1000);`;
  const started = async (script: string) => {
    const file = join(emptyFolder(), "started");
    const running = around(platform, [process.execPath, "-e", script, file]);
    await expect.poll(() => existsSync(file), { intervals: [20] }).toBe(true);
    return running;
  };
  const polite = await started(`process.on("SIGHUP", () => process.exit(5)); ${waits}`);
  polite.kill("SIGHUP");
  expect((await polite.ended).code).toBe(5);
  const deaf = await started(`process.on("SIGTERM", () => {}); ${waits}`);
  // One press may come twice.
  deaf.kill("SIGTERM");
  await setTimeout(50);
  deaf.kill("SIGTERM");
  const sooner = deaf.ended.then(({ code }) => code);
  expect(await Promise.race([sooner, setTimeout(600, "still there")])).toBe("still there");
  deaf.kill("SIGTERM");
  expect((await deaf.ended).code).toBe(137);

  const args = ["proxy", "--upstream", platform.base, "--json", "--out", emptyFolder(), "--"];
  const { stdout, stderr } = await assayProcess([...args, "echo", "the command's own"]);
  expect(JSON.parse(stdout)).toMatchObject({ recording: { exchanges: 0 } });
  expect(stderr).toContain("the command's own");
});
