// Keys: in no form do they reach the terminal or a file.
import type { IncomingMessage, RequestListener } from "node:http";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { assayRun, bytesBelow, emptyFolder, playwright, root } from "../support/assay.ts";
import { bringsBack, formsOf, isNear, spelling } from "../support/spellings.ts";
import { smallEnvironment, smallTarget, targetFile, vendor, vendorKey } from "../support/vendor.ts";

const forms = formsOf(vendorKey);

const keySentBy = ({ headers, url = "" }: IncomingMessage): string =>
  String(headers["x-api-key"] ?? new URL(url, "http://vendor").searchParams.get("api-key") ?? "");
/** One more spelling for each answer. */
const spellings = fc.sample(spelling, { numRuns: 300, seed: 1 });
let answers = 0;
function nextSpelled(): string {
  answers += 1;
  return spellings[answers % spellings.length]?.[1](vendorKey) ?? "";
}

/**
 * Returns the key, and what nearly is the key, in bodies, header values, header names and error texts, in every form.
 */
const echoing: RequestListener = (request, response) => {
  const sent = keySentBy(request);
  const given = isNear(sent, vendorKey) ? [...forms, ...formsOf(sent)] : forms;
  const all = given.map(([, text]) => text).join(" | ");
  const raw = `"${given.map(([name, text]) => `${name}: ${text}`).join(" ; ")}"`;
  const spelled = nextSpelled();
  response.setHeader("x-echo", all);
  response.setHeader("x-spelled", spelled);
  response.setHeader(`x-${vendorKey}`, "name");
  response.writeHead(sent === vendorKey ? 200 : 401, { "content-type": "application/json" });
  const rest = `"${vendorKey}":1,"spelled":${JSON.stringify(spelled)}`;
  response.end(`{"statusCode":401,"message":${raw},"error":"${all.replaceAll("\\", "\\\\")}",${rest}}`);
};

/** The middle of each form, which gives a key away whatever surrounds it. */
const traces = forms
  .map(([name, text]) => [name, text.slice(12, -12)] as const)
  .filter(([, trace]) => trace.length >= 12);

function givesNothingAway(text: string): void {
  expect(text).toContain("<key:paid>");
  for (const [name, trace] of traces) expect(text.toLowerCase().includes(trace.toLowerCase()), name).toBe(false);
  expect(bringsBack(text, vendorKey, 2)).toBe(false);
}

for (const flags of [[], ["--json"]]) {
  test(`no byte of a run ${flags.join(" ")} gives a key away`, async () => {
    const near = new Set<string>();
    const { base, close } = await vendor((request, response) => {
      if (isNear(keySentBy(request), vendorKey)) near.add(request.headers["x-api-key"] ? "header" : "query");
      echoing(request, response);
    });
    const history = emptyFolder();
    const { folder, stdout, stderr } = await assayRun(
      ["run", "--target", targetFile(smallTarget(base)), "--history", history, ...flags],
      smallEnvironment,
    );
    await close();
    const nights = bytesBelow(history)
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { readonly packed: string });
    expect(nights).toHaveLength(1);
    const unpacked = nights.map(({ packed }) => inflateSync(Buffer.from(packed, "base64")).toString());
    expect(unpacked.join()).toContain("header: x-<key:paid>");
    const everything = [bytesBelow(folder), bytesBelow(history), ...unpacked, stdout, stderr].join("\n");
    expect([...near].sort()).toEqual(["header", "query"]);
    givesNothingAway(everything);
    expect(everything).toContain("<key:paid but for its end>");
  });
}

// Playwright starts a worker anew after each test that fails, and here all do.
for (const [title, selected] of [
  ["some requirements", "@USG-HTTP-01|@AUTH-ADM-(HDR|QRY|UNKN)"],
  ["all requirements", "@USG-|@AUTH-ADM-"],
] as const)
  test(`no byte of Playwright's output on ${title} gives a key away`, { tag: "@slow" }, async () => {
    const { base, close } = await vendor(echoing);
    const folder = emptyFolder();
    const args = ["--grep", selected, "--output", join(folder, "results")];
    const target = { ASSAY_TARGET: targetFile(smallTarget(base)), ...smallEnvironment };
    const { stdout, stderr } = await playwright(args, target);
    await close();
    const run = stdout.match(/report (\S+)\/index\.html/)?.[1] ?? "";
    givesNothingAway(bytesBelow(folder) + bytesBelow(join(root, run)) + stdout + stderr);
  });
