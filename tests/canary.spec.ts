// Does a key ever reach the terminal or a file, in any form that a platform may give it back?
import { readdirSync, readFileSync, statSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { redactorOf, Secret } from "../harness/secret.ts";
import { assay, emptyFolder, root, start } from "./support/assay.ts";
import { smallEnvironment, smallTarget, targetFile, vendor, vendorKey } from "./support/vendor.ts";

const base64 = Buffer.from(vendorKey).toString("base64");
const forms: readonly [name: string, text: string][] = [
  ["raw", vendorKey],
  ["upper case", vendorKey.toUpperCase()],
  ["percent-encoded", [...Buffer.from(vendorKey)].map((byte) => `%${byte.toString(16)}`).join("")],
  ["JSON-escaped", [...vendorKey].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")],
  ["base64", base64],
  ["base64url", Buffer.from(vendorKey).toString("base64url")],
  ["base64 of a longer text", Buffer.from(`Bearer ${vendorKey}!`).toString("base64")],
  ["hex", Buffer.from(vendorKey).toString("hex")],
];

/** Gives the key back in bodies, header values, header names and error texts, in every form. */
const echoing: RequestListener = (request, response) => {
  const all = forms.map(([, text]) => text).join(" | ");
  const raw = `"${forms.map(([name, text]) => `${name}: ${text}`).join(" ; ")}"`;
  response.setHeader("x-echo", all);
  response.setHeader(`x-${vendorKey}`, "name");
  const isOwner = request.headers["x-api-key"] === vendorKey || request.url?.includes(vendorKey);
  response.writeHead(isOwner ? 200 : 401, { "content-type": "application/json" });
  response.end(`{"statusCode":401,"message":${raw},"error":"${all.replaceAll("\\", "\\\\")}","${vendorKey}":1}`);
};

function bytesBelow(folder: string): string {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .map((path) => (statSync(path).isDirectory() ? bytesBelow(path) : readFileSync(path, "latin1")))
    .join("\n");
}

/** What of a key would give it away: the middle of each form, whatever surrounds it. */
const traces = forms.map(([name, text]) => [name, text.slice(12, -12)] as const).filter(([, trace]) => trace.length >= 12);

for (const flags of [[], ["--json"]]) {
  test(`no byte of a run ${flags.join(" ")}gives a key away`, async () => {
    const { base, close } = await vendor(echoing);
    const out = `${emptyFolder()}/run`;
    const { stdout, stderr } = await assay(["run", "--target", targetFile(smallTarget(base)), "--out", out, ...flags], smallEnvironment);
    await close();
    const everything = bytesBelow(out) + stdout + stderr;
    expect(everything).toContain("<key:paid>");
    for (const [name, trace] of traces) expect(everything.toLowerCase().includes(trace.toLowerCase()), name).toBe(false);
  });
}

test("no byte of Playwright's output gives a key away", async () => {
  const { base, close } = await vendor(echoing);
  const folder = emptyFolder();
  const { stdout, stderr } = await start(process.execPath, ["node_modules/@playwright/test/cli.js", "test", "--grep", "@USG-|@AUTH-ADM-", "--output", join(folder, "results")], {
    FORCE_COLOR: "0",
    ASSAY_TARGET: targetFile(smallTarget(base)),
    ...smallEnvironment,
  }).ended;
  await close();
  const run = stdout.match(/report (\S+)\/index\.html/)?.[1] ?? "";
  const everything = bytesBelow(folder) + bytesBelow(join(root, run)) + stdout + stderr;
  expect(everything).toContain("<key:paid>");
  for (const [name, trace] of traces) expect(everything.toLowerCase().includes(trace.toLowerCase()), name).toBe(false);
});

test("the redactor hides every form, and nothing else", () => {
  const redact = redactorOf([new Secret("paid", vendorKey)]);
  for (const [name, text] of forms) expect(redact(`before ${text} after`), name).not.toContain(text.slice(12, -12));
  expect(redact("before and after")).toBe("before and after");
});

test("a secret prints as its role, however it is printed", async () => {
  const { inspect } = await import("node:util");
  const secret = new Secret("paid", vendorKey);
  for (const text of [String(secret), JSON.stringify({ secret }), inspect(secret, { depth: 9, showHidden: true }), secret.toString()])
    expect(text).not.toContain(vendorKey.slice(2, 12));
});
