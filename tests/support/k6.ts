// k6 for tests: the real one, programs in its place, and the requests that it sends
import { test } from "@playwright/test";
import { redactorOf, Secret } from "../../harness/core/secret.ts";
import type { TimedWireRequest } from "../../harness/transport/timedRequests.ts";
import type { WireRequest } from "../../harness/transport/wire.ts";
import { foundK6, type K6 } from "../../load/k6/ensure.ts";
import type { K6TimedRequest } from "../../load/k6/orders.ts";
import { program } from "./assay.ts";
import { vendorKey } from "./vendor.ts";

const installed = foundK6();

/** Skips the test where there is no k6; `npm cit` reports that. */
export function k6(): K6 {
  test.skip(installed === null, "there is no k6 here");
  if (!installed) throw new Error("skipped");
  return installed;
}

/** A program in k6's place that reads its orders and then runs a line of shell. */
export const k6That = (line: string): K6 => ({ path: program("k6", `cat > /dev/null\n${line}`), version: "2.2.0" });

export const redact = redactorOf([new Secret("paid", vendorKey)]);

/** The forms in which a platform may echo a key. */
export const keyForms = [
  vendorKey,
  [...Buffer.from(vendorKey)].map((byte) => `%${byte.toString(16)}`).join(""),
  Buffer.from(vendorKey).toString("base64"),
];

export const get = (url: string, more: Partial<WireRequest> = {}): WireRequest => ({
  method: "GET",
  url,
  headers: [["accept", "application/json"]],
  ...more,
});

/** A request in the orders of k6's schedule. */
export const ordered = (more: Partial<K6TimedRequest> = {}): K6TimedRequest => ({
  at_ms: 0,
  connection: 0,
  method: "GET",
  url: "http://127.0.0.1:9/",
  headers: {},
  body_base64: null,
  ...more,
});

export const timedRequest = (at_ms: number, connection: number, request: WireRequest): TimedWireRequest => ({
  at_ms,
  connection,
  request,
});
