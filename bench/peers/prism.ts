// Prism as a validating proxy: it gets the requests of Assay's run, and before it stand the platform's answers to them
import { existsSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { Agent, request } from "undici";
import type { Recorded } from "../../harness/recordings/recorded.ts";
import { onLoopback } from "../../proof/loopbackServer.ts";
import { endWithGroup, spawned } from "./children.ts";
import { operationAt } from "./document.ts";
import { firstTimes, type Outcome, type Place, saidOfRequest } from "./outcome.ts";

interface Violation {
  readonly location: readonly string[];
  readonly severity: string;
  /** The keyword of a schema, or a status; of other violations there is none. */
  readonly code?: string | number;
  readonly message: string;
}

/** Which answer Prism's upstream gives. */
const exchangeHeader = "x-peers-exchange";

/** Violations are a header of the answer, which can be longer than Node allows. */
const largestHeader_bytes = 1024 * 1024;
const startsWithin_s = 60;
const answersWithin_ms = 10_000;

/** @param program of Prism */
export async function openPrism(program: string, document: string) {
  const answers = new Map<string, Recorded>();
  const upstream = await onLoopback((asked, answer) => answered(asked, answer, answers));
  const { base, close } = await onLoopback(() => undefined);
  await close();
  const options = ["--port", new URL(base).port, "--verboseLevel", "silent"];
  const startedAt_ms = Date.now();
  const command = [process.execPath, program, "proxy", document, upstream.base, ...options];
  const child = spawned(command, { stdio: "ignore" });
  let failure: string | null = null;
  child.once("error", ({ message }) => void (failure = message));
  child.once("exit", (code) => void (failure = `Prism has ended with exit code ${code}`));
  while (failure === null && (await fetch(base).catch(() => null)) === null) {
    if (Date.now() - startedAt_ms > startsWithin_s * 1000) failure = `Prism didn't start within ${startsWithin_s} s`;
    await setTimeout(100);
  }
  const agent = new Agent({ maxHeaderSize: largestHeader_bytes, headersTimeout: answersWithin_ms });
  let last = 0;
  return {
    judged: async (place: Place, traffic: RestTraffic): Promise<Outcome> => {
      const startedAt_ms = Date.now();
      const found: (readonly [string, number])[] = [];
      let requests = 0;
      const described = place.served.exchanges.filter(({ url }) => new URL(url).pathname !== "/");
      for (const exchange of described) {
        if (failure !== null) return { unable: failure };
        last += 1;
        // Several platforms are judged at once.
        const number = String(last);
        answers.set(number, exchange);
        const violations = await passed(base, number, exchange, agent).catch(() => null);
        answers.delete(number);
        if (violations === null) continue;
        requests += 1;
        const at_s = (exchange.sentAt_ms + exchange.latency_ms - traffic.startedAt_ms) / 1000;
        for (const violation of violations) found.push([findingOf(exchange, violation), at_s]);
      }
      const own_s = (Date.now() - startedAt_ms) / 1000;
      if (requests === 0) return { unable: `Prism has passed none of ${described.length} answers on` };
      const findings = firstTimes(found);
      return { findings, requests, seconds: traffic.seconds + own_s, processorSeconds: null };
    },
    /** Gives its processor time so far, of all platforms. */
    close: async (): Promise<number | null> => {
      const spent = processorSecondsOf(child.pid);
      endWithGroup(child);
      await agent.close();
      await upstream.close();
      return spent;
    },
  };
}

/** User and system, as Linux has it in hundredths of a second; null elsewhere. */
function processorSecondsOf(pid: number | undefined): number | null {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return null;
  const [, fields = ""] = readFileSync(file, "utf8").split(") ");
  const [user, system] = fields.split(" ").slice(11, 13);
  return (Number(user) + Number(system)) / 100;
}

/** When Assay's run began, and how long it took. */
export interface RestTraffic {
  readonly startedAt_ms: number;
  readonly seconds: number;
}

function answered(asked: IncomingMessage, response: ServerResponse, answers: ReadonlyMap<string, Recorded>): void {
  const { answer } = answers.get(String(asked.headers[exchangeHeader])) ?? {};
  asked.resume();
  if (!answer || !("status" in answer)) {
    response.writeHead(502).end();
    return;
  }
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(answer.body ?? undefined);
}

/** Null where Prism doesn't pass the platform's answer on. */
async function passed(
  base: string,
  number: string,
  { method, url, headers, body, answer: recorded }: Recorded,
  dispatcher: Agent,
): Promise<readonly Violation[] | null> {
  const { pathname, search } = new URL(url);
  const sent = headers.filter(([name]) => !["host", "connection", "content-length", "expect"].includes(name));
  const answer = await request(`${base}${pathname}${search}`, {
    method: method as "GET",
    headers: { ...Object.fromEntries(sent), [exchangeHeader]: number },
    body: method === "GET" || method === "HEAD" ? null : body,
    dispatcher,
  });
  await answer.body.dump();
  if ("status" in recorded && answer.statusCode !== recorded.status) return null;
  const { "sl-violations": violations = "[]" } = answer.headers;
  return JSON.parse(String(violations)) as readonly Violation[];
}

function findingOf(exchange: Recorded, { location, severity, code = "other", message }: Violation): string {
  const { method, url, answer } = exchange;
  const status = "status" in answer ? answer.status : 0;
  const where = location[0] === "response" ? `${status}` : saidOfRequest(status);
  const operation = operationAt(method, new URL(url).pathname);
  return `${operation} ${where}: ${location.join(".")} (${severity}), ${code} ${message}`;
}
