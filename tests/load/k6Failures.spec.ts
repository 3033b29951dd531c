// Tests that every failure of k6 is noticed, and that none of them shows a key
import { readdirSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { Inconclusive } from "../../harness/core/outcomes.ts";
import { k6Generator, latest_ms, timedAnswersOf } from "../../load/k6/generator.ts";
import type { ScheduleRecord } from "../../load/k6/orders.ts";
import { runK6 } from "../../load/k6/process.ts";
import { emptyFolder } from "../support/assay.ts";
import { get, k6, k6That, keyForms, ordered, redact, timedRequest } from "../support/k6.ts";
import { deadBase, vendor, vendorKey } from "../support/vendor.ts";

const record = (nth: number, called_ms: number): readonly [number, ScheduleRecord] => {
  const answer = { status: 200, headers: {}, body_base64: "", errorCode: 0, error: "" };
  return [nth, { nth, called_ms, sent_ms: called_ms, received_ms: called_ms + 5, answer }];
};
const whole = { iterations: 1, droppedIterations: 0, requests: 2 };
/** What follows from k6's records of two requests. */
const answersOf = (records: readonly (readonly [number, ScheduleRecord])[], summary = whole) => {
  const two = [timedRequest(0, 0, get("http://127.0.0.1/")), timedRequest(100, 0, get("http://127.0.0.1/"))];
  return timedAnswersOf(two, new Map(records), summary, redact);
};
const unanswered = [timedRequest(0, 0, get("http://127.0.0.1:9/"))];

test("a generator that sent late, dropped a request or lost a record is inconclusive", () => {
  const onTime = [record(0, 3), record(1, 100 + latest_ms)];
  expect(answersOf(onTime)).toHaveLength(2);
  const late = [record(0, 3), record(1, 101 + latest_ms)];
  expect(() => answersOf(late)).toThrow(/saturated: a request was sent 91 ms late/);
  expect(() => answersOf(onTime, { ...whole, droppedIterations: 1 })).toThrow(/dropped 1/);
  expect(() => answersOf([record(0, 3)])).toThrow(/reported 1 of 2 requests/);
  expect(() => answersOf([], { iterations: 0, droppedIterations: 0, requests: 0 })).toThrow(Inconclusive);
});

test("a k6 that can't keep up is noticed", { tag: "@slow" }, async () => {
  const { base, close } = await vendor(() => {});
  // At a time that has passed already.
  await expect(k6Generator(k6(), { redact }).fire([timedRequest(-2_000, 0, get(base))])).rejects.toThrow(/saturated/);
  await close();
});

test("an uncaught error of a script is noticed, though k6 exits 0", async () => {
  const orders = { timedRequests: [ordered({ body_base64: `%%${vendorKey}` })], deadline_ms: 1_000, lead_ms: 10 };
  const failure = runK6(k6(), { script: "schedule", orders, within_ms: 20_000, redact, onRecord: () => {} });
  await expect(failure).rejects.toThrow(Inconclusive);
  await expect(failure).rejects.toThrow(/k6's script failed: .*illegal base64/);
});

const counts = { iterations: 1, droppedIterations: 0, requests: 1 };
const summary = JSON.stringify({ source: "console", msg: JSON.stringify({ summary: counts }) });
for (const [name, line, says] of [
  ["crashes", "echo 'panic: oh' >&2; exit 2", /exit code 2: panic: oh/],
  ["is killed", "kill -9 $$", /ended with a signal/],
  ["prints nothing", "exit 0", /without a summary/],
  [
    "logs an error and exits 0",
    `echo '{"level":"error","msg":"Uncaught (in promise) ${vendorKey}"}'; echo '${summary}'`,
    /script failed: Uncaught \(in promise\) <key:paid>/,
  ],
  ["prints no JSON", `echo 'what?'; echo '${summary}'`, /script failed: what\?/],
  [
    "prints a malformed record",
    `echo '{"level":"info","source":"console","msg":"{"}'; echo '${summary}'`,
    /script failed/,
  ],
  ["reports fewer requests than it was given", `echo '${summary}'`, /reported 0 of 1 requests/],
] as const) {
  test(`k6 that ${name} is inconclusive`, async () => {
    const failure = k6Generator(k6That(line), { redact }).fire(unanswered);
    await expect(failure).rejects.toThrow(Inconclusive);
    await expect(failure).rejects.toThrow(says);
  });
}

test("a k6 that never ends is stopped, and one that can't be started is reported", async () => {
  const job = {
    script: "schedule",
    orders: { timedRequests: [], deadline_ms: 1, lead_ms: 1 },
    within_ms: 300,
    redact,
    onRecord: () => {},
  } as const;
  await expect(runK6(k6That("exec sleep 30"), job)).rejects.toThrow("k6 was stopped: it took longer than 0.3 s");
  await expect(runK6({ path: "/nowhere/k6", version: "2.2.0" }, job)).rejects.toThrow(/couldn't be started/);
});

test("no message about a failure shows a key, in any form", async () => {
  const failures = keyForms.map((form) =>
    k6Generator(k6That(`echo '${form}' >&2; echo '{"level":"error","msg":"Get ${form}: refused"}'; exit 1`), { redact })
      .fire(unanswered)
      .then(() => "", String),
  );
  for (const [nth, message] of (await Promise.all(failures)).entries()) {
    expect(message).toContain("<key:paid>");
    expect(message.toLowerCase()).not.toContain(keyForms[nth]?.slice(12, -12).toLowerCase());
  }
});

test("k6 writes no file, and gets keys only with its orders", async () => {
  const folder = emptyFolder();
  // k6 prints the whole address of a failed request.
  const timedRequests = [ordered({ url: `${await deadBase()}/?api-key=${vendorKey}` })];
  const records: ScheduleRecord[] = [];
  await runK6(k6(), {
    script: "schedule",
    orders: { timedRequests, deadline_ms: 1_000, lead_ms: 10 },
    within_ms: 20_000,
    redact,
    onRecord: (record) => records.push(record as ScheduleRecord),
    settings: { TMPDIR: folder, HOME: folder, XDG_CONFIG_HOME: folder },
  });
  expect(records.map(({ answer }) => answer.errorCode)).toEqual([1212]);
  expect(readdirSync(folder, { recursive: true })).toEqual([]);
});

test("k6's environment holds no key", async () => {
  process.env["SMALL_KEY"] = vendorKey;
  const failure = k6Generator(k6That("env >&2; exit 1"), { redact: (text) => text }).fire(unanswered);
  await expect(failure).rejects.toThrow(/K6_NO_USAGE_REPORT=true/);
  await failure.catch((error: unknown) => expect(String(error)).not.toContain(vendorKey));
});
