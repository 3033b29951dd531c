// The memory of a run stays within 300 MB, whatever comes of its requests.
import { expect, test } from "@playwright/test";

import { type Kind, kinds } from "../../proof/faults/kinds.ts";
import { faultProxy } from "../../proof/faults/proxy.ts";
import { freshWorld, wireTo } from "../../proof/inProcess.ts";
import { createPlatform } from "../../reference/platform.ts";
import { assay, emptyFolder } from "../support/assay.ts";
import { targetFile } from "../support/vendor.ts";

const most_bytes = 300 * 1024 * 1024;
const lasts = "maxRSS_kB=";
const saysMemory = `process.on("exit", () => console.error("${lasts}" + process.resourceUsage().maxRSS))`;
const imported = `--import=data:text/javascript;base64,${Buffer.from(saysMemory).toString("base64")}`;

/** Of objects, as JSON that takes several times as much once it is parsed. */
const filler = JSON.stringify(
  Array.from({ length: 14_000 }, (_, nth) => ({
    id: nth,
    note: "a further member that nobody needs",
    amount: nth / 4,
  })),
);
const page = `<html>${"<p>nothing here</p>".repeat(55_000)}</html>`;

const large: { readonly [name: string]: Kind | undefined } = {
  "answers of 1 MB": {
    is: "harmless",
    how: ({ body, pass }) => {
      const text = body.toString();
      pass(/^\{./.test(text) ? { body: Buffer.from(`{"filler":${filler},${text.slice(1)}`) } : {});
    },
  },
  "pages of 1 MB": {
    is: "edge",
    how: ({ write, end }) => {
      write(`HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\ncontent-length: ${page.length}\r\n\r\n${page}`);
      end();
    },
  },
  "14 kB of headers": {
    is: "harmless",
    how: ({ pass }) =>
      pass({ headers: Array.from({ length: 140 }, (_, nth) => `x-${nth}: ${"v".repeat(90)}`).join("\r\n") }),
  },
  "a gzip bomb": kinds["a gzip bomb"],
};

/** A run of some hundred requests over real sockets in a process of its own, in bytes at its peak. */
async function peakOf(kind: Kind, rate: number): Promise<number> {
  const { world, targetAt } = freshWorld("no control");
  let sent = 0;
  const proxy = await faultProxy({
    wire: wireTo(createPlatform({ world, now_ms: Date.now }), undefined),
    kind,
    isFaulted: () => Math.floor((sent + 1) * rate) > Math.floor(sent++ * rate),
    elapsed_ms: () => 0,
  });
  try {
    const { keys, projects, samples } = targetAt(proxy.base);
    const file = targetFile(
      JSON.stringify({
        name: "large",
        bases: { rpc: proxy.base },
        offers: ["tokenAccounts", "compression"],
        projects,
        keys: { paid: { project: "main", env: "ACME_KEY" } },
        samples,
        quiet: true,
        pace: { perSecond: 100 },
      }),
    );
    const environment = { ACME_KEY: keys.get("paid")?.secret.open() ?? "", NODE_OPTIONS: imported };
    const { stderr } = await assay(
      ["run", "--target", file, "--no-observe", "--out", `${emptyFolder()}/run`],
      environment,
    );
    expect(proxy.faulted(), stderr).toBeGreaterThan(0);
    return Number(stderr.split(lasts).at(-1)) * 1024;
  } finally {
    await proxy.close();
  }
}

for (const [name, kind] of Object.entries(large))
  for (const rate of [0.05, 1])
    test(`${name} in ${100 * rate} % of answers`, { tag: "@slow" }, async () => {
      test.setTimeout(600_000);
      if (!kind) throw new Error(`no kind ${name}`);
      const peak = await peakOf(kind, rate);
      expect(peak).toBeGreaterThan(0);
      expect(peak).toBeLessThan(most_bytes);
    });
