// Money on the wire: commands over real HTTP on a platform whose answers meet faults; what they tell, follow and repeat
import { writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { expect, test } from "@playwright/test";
import { assay, type Ended, emptyFolder, panelIn, runIn } from "../support/assay.ts";
import { k6 } from "../support/k6.ts";
import { answerBy, elsewhere, type MoneyFault, moneyFaults } from "../support/moneyFaults.ts";
import { type Embedded, servedReference, vendorNamed } from "../support/servedReference.ts";
import { vendor } from "../support/vendor.ts";
import { isBundle, secret } from "../support/vendorsInProcess.ts";

interface Heard {
  readonly path: string;
  readonly key: string | null;
  readonly body: string;
}

interface Fronted {
  readonly heard: readonly Heard[];
  /** How many of these met the fault. */
  faulted(): number;
  /** Requests that came where redirects lead. */
  readonly strayed: readonly string[];
  readonly file: string;
  /** Of the platform itself. */
  readonly beside: string;
  readonly environment: { readonly [name: string]: string };
  /** Credits of the wallet calls heard, by keys that the platform knows (§4.2). */
  credits(): number;
}

let platform: Embedded;
test.beforeAll(async () => {
  platform = await servedReference();
});
test.afterAll(() => platform.close());

/** The reference behind a server that causes a fault. */
async function behind(
  fault: MoneyFault,
  meets: (heard: Heard, nth: number) => boolean,
  work: (fronted: Fronted) => Promise<void>,
): Promise<void> {
  const heard: Heard[] = [];
  const strayed: string[] = [];
  let faulted = 0;
  const astray = await vendor((request, response) => {
    strayed.push(request.url ?? "");
    response.end("{}");
  });
  const answered = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "GET", url: path = "/", headers } = request;
    const body = (await buffer(request)).toString();
    const url = new URL(path, proxy.base);
    const key = headers["x-api-key"] ?? url.searchParams.get("api-key");
    const one: Heard = { path, key: typeof key === "string" ? key : null, body };
    heard.push(one);
    const isFaulty = meets(one, heard.length);
    faulted += isFaulty ? 1 : 0;
    const { connection: _, "content-length": __, host: ___, ...rest } = headers as Record<string, string>;
    const passed = isFaulty && !fault.isTaken ? null : await platformAnswer(path, method, rest, body);
    const answer = isFaulty ? await answerBy(fault, { method, url: url.href, headers: [], body }) : passed;
    if (answer === null) request.socket.destroy();
    else
      response
        .writeHead(
          answer.status,
          answer.headers.map(([name, value]) => [name, value.replace(elsewhere, astray.base)]).flat(),
        )
        .end(answer.body);
  };
  const proxy = await vendor((request, response) => void answered(request, response));
  const file = join(emptyFolder(), "acme.yaml");
  writeFileSync(file, vendorNamed("acme", proxy.base).replace("bundles: {", "bundles: { payer: { env: PAYER },"));
  const beside = join(emptyFolder(), "other.yaml");
  writeFileSync(beside, vendorNamed("other", platform.base));
  const known = Object.values(platform.environment);
  try {
    await work({
      heard,
      faulted: () => faulted,
      strayed,
      file,
      beside,
      environment: { ...platform.environment, PAYER: secret },
      credits: () =>
        100 * heard.filter(({ path, key }) => path.startsWith("/v1/wallet") && known.includes(key ?? "")).length,
    });
  } finally {
    await Promise.all([proxy.close(), astray.close()]);
  }
}

async function platformAnswer(path: string, method: string, headers: Record<string, string>, body: string) {
  const answer = await fetch(`${platform.base}${path}`, { method, headers, ...(body === "" ? {} : { body }) });
  const kept = [...answer.headers].filter(
    ([name]) => !["content-length", "transfer-encoding", "content-encoding", "connection"].includes(name),
  );
  return { status: answer.status, headers: kept, body: Buffer.from(await answer.arrayBuffer()) };
}

/** What a command said that it spent. */
interface Reported {
  readonly requests: number;
  readonly credits: number;
}

const numberIn = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1]?.replaceAll(",", ""));
const reportedIn = ({ stdout }: Ended): Reported => ({
  requests: numberIn(stdout, /([\d,]+) requests?, [\d,]+ credit/),
  credits: numberIn(stdout, /[\d,]+ requests?, ([\d,]+) credit/),
});

interface Commanded {
  readonly command: (fronted: Fronted) => Promise<Reported>;
  /** Which requests meet the fault. */
  readonly meets: (heard: Heard, nth: number) => boolean;
}

const everySecond: Commanded["meets"] = (_, nth) => nth % 2 === 0;
const everyThird: Commanded["meets"] = (_, nth) => nth % 3 === 0;
/** After a preflight. */
const later: Commanded["meets"] = (_, nth) => nth > 12 && nth % 3 === 0;

const commands: { readonly [name: string]: Commanded } = {
  "a run that sends bundles": {
    meets: isBundle,
    command: async ({ file, environment }) => {
      const out = join(emptyFolder(), "run");
      await assay(["run", file, "--only", "BND-LIM-01,BND-SIGN-01", "--no-observe", "--out", out], environment);
      return runIn(out).spent;
    },
  },
  doctor: {
    meets: everyThird,
    command: async ({ file, environment }) => reportedIn(await assay(["doctor", "--target", file], environment)),
  },
  "doctor --paid": {
    meets: everyThird,
    command: async ({ file, environment }) =>
      reportedIn(await assay(["doctor", "--target", file, "--paid"], environment)),
  },
  panel: {
    meets: everyThird,
    command: async ({ file, environment, beside }) => {
      const out = join(emptyFolder(), "panel");
      const only = ["--rounds", "1", "--out", out, "--runs", emptyFolder()];
      await assay(["panel", file, beside, ...only], environment);
      const [acme] = panelIn(out).vendors;
      return acme?.spent ?? { requests: 0, credits: 0 };
    },
  },
  replay: {
    meets: everySecond,
    command: async ({ file, environment }) => {
      const out = join(emptyFolder(), "run");
      await assay(["run", "--mutant", "WAL-ID-01.v2-path", "--only", "WAL", "--out", out]);
      return reportedIn(await assay(["replay", out, "--target", file], environment));
    },
  },
};

/** The others are waited out in real time; runs of virtual time have them. */
const atOnce = Object.entries(moneyFaults).filter(
  ([name, { isRefusal }]) => !isRefusal && name !== "no answer until the deadline",
);
const onPush = ["307 elsewhere", "308 to itself"];

for (const [name, fault] of atOnce)
  for (const [who, { command, meets }] of Object.entries(commands))
    test(`${who}, ${name}: nothing is followed or sent twice, and all is reported`, {
      tag: onPush.includes(name) && who.includes("bundles") ? [] : "@slow",
    }, async () => {
      await behind(fault, meets, async (fronted) => {
        const reported = await command(fronted);
        const { heard, strayed } = fronted;
        expect(fronted.faulted()).toBeGreaterThan(0);
        expect(strayed).toEqual([]);
        const bundles = heard.filter(isBundle).map(({ body }) => body);
        expect(new Set(bundles).size).toBe(bundles.length);
        expect(reported.requests).toBeGreaterThanOrEqual(heard.length);
        expect(reported.credits).toBeGreaterThanOrEqual(fronted.credits());
        if (who === "doctor --paid") expect(fronted.credits()).toBeLessThanOrEqual(1_100);
      });
    });

for (const [name, fault] of Object.entries(moneyFaults).filter(([name]) => /^30|HTML 503|JSON 429 .* 0$/.test(name)))
  test(`a load by k6, ${name}: nothing is followed, and no more is sent than was planned`, {
    tag: "@slow",
  }, async () => {
    k6();
    await behind(fault, later, async (fronted) => {
      const { file, environment, heard, strayed } = fronted;
      const out = join(emptyFolder(), "run");
      const planned = await assay(["load", "smoke", "--target", file, "--duration", "6s", "--plan"], environment);
      await assay(["load", "smoke", "--target", file, "--duration", "6s", "--out", out], environment);
      expect(heard.length).toBeGreaterThan(20);
      expect(strayed).toEqual([]);
      expect(runIn(out).spent.requests).toBeGreaterThanOrEqual(heard.length);
      expect(heard.length).toBeLessThanOrEqual(reportedIn(planned).requests);
      expect(fronted.credits()).toBeLessThanOrEqual(runIn(out).spent.credits);
    });
  });
