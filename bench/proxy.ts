// Benchmark: the proxy beside a bare forwarder and Prism's validation proxy, each in a process of its own
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { median } from "simple-statistics";
import { onLoopback } from "../proof/loopbackServer.ts";
import type { LiveState } from "../proxy/livePage.ts";
import { demo } from "../reference/demo.ts";
import { createPlatform } from "../reference/platform.ts";
import type { Load, Loaded } from "./proxyPart.ts";
import type { Figure, Ratio } from "./ratio.ts";

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Its URL, and what it answers to a message. */
async function part(role: string, text = "") {
  const child = fork(file("proxyPart.ts"), [role, text], { execArgv: ["--import", "tsx"] });
  const gone = once(child, "exit").then(() => Promise.reject(new Error(`${role} has ended`)));
  const next = async <T>(): Promise<T> => ((await Promise.race([once(child, "message"), gone])) as [T])[0];
  const ask = <T>(message: object): Promise<T> => {
    child.send(message);
    return next<T>();
  };
  gone.catch(() => undefined);
  return { url: await next<string>(), ask, end: () => child.kill() };
}

/** `assay proxy` with all laws, and what its page says once it has judged what came. */
async function oursTo(upstream: string, out: string) {
  const args = ["proxy", "--upstream", upstream, "--port", "0", "--out", out];
  const child = spawn(process.execPath, [file("../cli/assay.js"), ...args], { stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  for await (const text of child.stdout.setEncoding("utf8")) {
    printed += text as string;
    if (printed.includes("come: ")) break;
  }
  const [, url = ""] = /^admin: (\S+)/.exec(printed) ?? [];
  const [, page = ""] = /come: (\S+)/.exec(printed) ?? [];
  const counts = async () => {
    for (let before = -1; ; ) {
      await setTimeout(1_000);
      const { body } = await fetch(`${page}/events`);
      const reader = body?.getReader();
      const chunk = await reader?.read();
      await reader?.cancel();
      const state = JSON.parse(
        Buffer.from((chunk?.value ?? []) as Uint8Array)
          .toString()
          .slice("data: ".length)
          .split("\n", 1)[0] ?? "",
      ) as LiveState;
      const [, resident = ""] = readFileSync(`/proc/${child.pid}/statm`, "utf8").split(" ");
      const { forwarded, waiting } = state;
      const unjudged = state.counts.find(({ kind }) => kind === "unjudged")?.count ?? 0;
      const judged = forwarded - waiting - unjudged;
      if (judged === before && waiting === 0) return { forwarded, judged, unjudged, resident_pages: Number(resident) };
      before = judged;
    }
  };
  return { url, counts, end: () => child.kill("SIGKILL") };
}

const prismTries = 600;

/** Null where it can't be had. */
async function prismTo(upstream: string) {
  const { base: url, close } = await onLoopback(() => undefined);
  await close();
  const args = ["--yes", "@stoplight/prism-cli@5", "proxy", file("../specs/openapi.yaml"), upstream];
  // Without its log it is faster.
  const more = ["--port", new URL(url).port, "--verboseLevel", "silent"];
  const child = spawn("npx", [...args, ...more], { detached: true, stdio: "ignore" }).on("error", () => undefined);
  // With what npx has started.
  const end = (): void => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) process.kill(-child.pid);
  };
  for (let tries = 0; tries < prismTries && child.pid !== undefined && child.exitCode === null; tries += 1) {
    if ((await fetch(url).catch(() => null)) !== null) return { url, end };
    await setTimeout(200);
  }
  end();
  return null;
}

const options = { rounds: 5, seconds: 3, minutes: 0.5, withPrism: true };
const perSecond = 1_000;
const slices = 12;

export async function measureProxy(changed: Partial<typeof options> = {}): Promise<readonly (Ratio | Figure)[]> {
  const { rounds, seconds, minutes, withPrism } = { ...options, ...changed };
  const { world, ids, keys } = demo();
  const path = `/v0/admin/projects/${ids.paid}/usage`;
  const asked = new Request(`http://127.0.0.1${path}`, { headers: { "x-api-key": keys.paid } });
  const answer = await (await createPlatform({ world, now_ms: Date.now }).fetch(asked)).text();
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
  const upstream = await part("upstream", answer);
  const clients = await part("clients");
  const bare = await part("bare", upstream.url);
  const ours = await oursTo(upstream.url, join(folder, "run"));
  const prism = withPrism ? await prismTo(upstream.url) : null;
  if (withPrism && !prism) console.log("skipped  Prism: npx can't get it");
  const load = (to: { readonly url: string }, wanted: Pick<Load, "seconds" | "perSecond">): Promise<Loaded> =>
    clients.ask({ url: to.url, path, ...wanted });
  try {
    const rates = new Map<string, number[]>();
    const added: number[] = [];
    const resident: number[] = [];
    // Rounds alternate, so that a change of pace affects all; the first warms them up.
    for (let round = 0; round <= rounds; round += 1)
      for (const [name, one] of Object.entries({ bare, ours, ...(prism ? { prism } : {}) })) {
        const { answers } = await load(one, { seconds, perSecond: null });
        rates.set(name, [...(rates.get(name) ?? []), ...(round > 0 ? [answers / seconds] : [])]);
      }
    prism?.end();
    const before = await ours.counts();
    let sent = 0;
    for (let round = 0; round < rounds; round += 1) {
      const direct = await load(upstream, { seconds, perSecond });
      const passed = await load(ours, { seconds, perSecond });
      added.push(passed.p99_ms - direct.p99_ms);
      sent += passed.answers;
    }
    const { judged } = await ours.counts();
    for (let slice = 0; slice < slices; slice += 1) {
      await load(ours, { seconds: (minutes * 60) / slices, perSecond });
      resident.push((await ours.counts()).resident_pages);
    }
    const through = (name: string): number => median(rates.get(name) ?? []);
    const times = (name: string): number => through("ours") / through(name);
    const growth = median(resident.slice(-3)) / median(resident.slice(3, 6));
    const memory = `memory of ${minutes} min at ${perSecond} a second, its last quarter relative to its second`;
    const toPrism = {
      name: "requests, relative to Prism",
      measured: prism ? times("prism") : 0,
      bound: { atLeast: 5 },
    };
    return [
      { name: "requests, relative to a bare forwarder", measured: times("bare"), bound: { atLeast: 0.7 } },
      ...(prism ? [toPrism] : []),
      { name: `judged at ${perSecond} a second`, measured: (judged - before.judged) / sent, bound: { atLeast: 1 } },
      { name: `p99 added at ${perSecond} a second`, measured: median(added), bound: { atMost: 2 }, unit: "ms" },
      { name: memory, measured: growth, bound: { atMost: 1.2 } },
      ...[...rates.keys()].map((name): Figure => ({ name, measured: through(name), unit: "requests per second" })),
      { name: "judged at saturation", measured: before.judged, unit: "requests" },
      { name: "not judged at saturation", measured: before.unjudged, unit: "requests" },
    ];
  } finally {
    prism?.end();
    for (const one of [bare, ours, clients, upstream]) one.end();
    rmSync(folder, { recursive: true });
  }
}
