// Tests that laws judge alike inside k6 and here
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { contractSuite } from "../../contracts/suite.ts";
import { concerns } from "../../harness/model/law.ts";
import { bundleOf, orderedTo } from "../../load/k6/bundle.ts";
import { exchangeOf } from "../golden/build.ts";
import { golden as typed } from "../golden/lists.ts";
import { k6, ordered } from "../support/k6.ts";

const golden = typed.map((one, index) => exchangeOf(one, index + 1));

/** k6's JSON.parse reads a lone surrogate as U+FFFD, so that such exchanges differ there; no mix has any. */
const hasHalfCharacter = (value: unknown): boolean => /(?<!\\)(\\\\)*\\ud[89a-f]/i.test(JSON.stringify(value));

const settings = { K6_NO_USAGE_REPORT: "true", K6_AUTO_EXTENSION_RESOLUTION: "false" };

const readable = golden.filter((exchange) => !hasHalfCharacter(exchange));

test("nearly all golden exchanges can be read in k6", () => expect(golden.length - readable.length).toBe(2));

for (const [title, every, findings, tag] of [
  ["every sixteenth", 16, 200, null],
  ["every", 1, 3_000, "@slow"],
] as const)
  test(`${title} golden exchange gets the same findings in k6`, tag ? { tag } : {}, async () => {
    const { path } = k6();
    const read = readable.filter((_, nth) => nth % every === 0);
    const script = await bundleOf(fileURLToPath(new URL("../support/judgingScript.ts", import.meta.url)));
    const input = `const exchanges = JSON.parse(${JSON.stringify(JSON.stringify(read))});\n${script}`;
    const { stdout, stderr } = spawnSync(
      path,
      ["run", "--quiet", "--log-format=raw", "--log-output=stdout", "--summary-mode=disabled", "-"],
      { input, encoding: "utf8", env: settings, maxBuffer: 2 ** 26 },
    );
    expect(stderr).toBe("");
    const there = JSON.parse(stdout) as readonly (readonly string[])[];
    const here = read.map((exchange) =>
      contractSuite.laws.flatMap((law, at) =>
        [...law.judge(exchange)].map(([id, { outcome }]) => `${at} ${id} ${outcome}`),
      ),
    );
    expect(here.flat().length).toBeGreaterThan(findings);
    expect(there).toEqual(here);
  });

test("a law says nothing of an operation that it doesn't concern, so that k6 needn't call it", () => {
  const pairs = golden.flatMap((exchange) => contractSuite.laws.map((law) => ({ exchange, law })));
  const described = pairs.filter(({ exchange }) => exchange.requestSpec.operation !== null);
  const isConcerned = ({ exchange: { requestSpec, protocol }, law }: (typeof pairs)[number]): boolean =>
    requestSpec.operation !== null && concerns(law, requestSpec.operation, protocol);
  const idle = described.filter((pair) => !isConcerned(pair));
  expect(idle.length).toBeGreaterThan(5_000);
  const saysMore = ({ exchange, law }: (typeof pairs)[number]): boolean => law.judge(exchange).size > 0;
  expect(idle.filter(saysMore)).toEqual([]);
  expect(described.filter((pair) => isConcerned(pair) && saysMore(pair)).length).toBeGreaterThan(500);
});

test("k6 accepts each script without sending requests", async () => {
  const phase = { startAfter_s: 0, seconds: 1, perSecond: 1, judged: 1, shown: 1 };
  const sources = {
    "per-vu-iterations": await orderedTo("schedule", { timedRequests: [ordered()], deadline_ms: 1_000, lead_ms: 1 }),
    "ramping-arrival-rate": await orderedTo(new URL("../../load/k6/dataPlatform.ts", import.meta.url), {
      shares: [],
      order: [],
      phases: [phase],
      seed: 1,
      deadline_ms: 1_000,
      keys: {},
      of: 2,
      kept: null,
    }),
  };
  for (const [executor, input] of Object.entries(sources)) {
    const inspect = { input, encoding: "utf8", env: settings } as const;
    const { status, stdout, stderr } = spawnSync(k6().path, ["inspect", "-"], inspect);
    expect(stderr).toBe("");
    expect(status).toBe(0);
    expect(stdout).toContain(executor);
  }
});
