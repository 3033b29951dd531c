// Keys: in no form do they reach the terminal or a file.
import type { IncomingMessage, RequestListener } from "node:http";
import { join } from "node:path";
import { inspect } from "node:util";
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { redactorOf, Secret } from "../../harness/core/secret.ts";
import { nearTo } from "../../harness/transport/rendering.ts";
import { type Night, opened } from "../../reports/history/night.ts";
import { assayRun, bytesBelow, emptyFolder, playwright, root } from "../support/assay.ts";
import { bringsBack, spelling } from "../support/spellings.ts";
import { smallEnvironment, smallTarget, targetFile, vendor, vendorKey } from "../support/vendor.ts";

const formsOf = (key: string): readonly (readonly [name: string, text: string])[] => [
  ["raw", key],
  ["upper case", key.toUpperCase()],
  ["percent-encoded", [...Buffer.from(key)].map((byte) => `%${byte.toString(16)}`).join("")],
  ["JSON-escaped", [...key].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")],
  ["base64", Buffer.from(key).toString("base64")],
  ["base64url", Buffer.from(key).toString("base64url")],
  ["base64 of a longer text", Buffer.from(`Bearer ${key}!`).toString("base64")],
  ["hex", Buffer.from(key).toString("hex")],
];
const forms = formsOf(vendorKey);

const keySentBy = ({ headers, url = "" }: IncomingMessage): string =>
  String(headers["x-api-key"] ?? new URL(url, "http://vendor").searchParams.get("api-key") ?? "");
/** Differs from the key in the last character only. */
const isNear = (key: string): boolean => key !== vendorKey && key.slice(0, -1) === vendorKey.slice(0, -1);

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
  const given = isNear(sent) ? [...forms, ...formsOf(sent)] : forms;
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
      if (isNear(keySentBy(request))) near.add(request.headers["x-api-key"] ? "header" : "query");
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
      .map((line) => JSON.parse(line) as Night);
    expect(nights).toHaveLength(1);
    const everything = [bytesBelow(folder), bytesBelow(history), nights.flatMap(opened), stdout, stderr].join("\n");
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

test("the redactor hides every form, within a JSON string too, and nothing else", () => {
  const redact = redactorOf([new Secret("paid", vendorKey)]);
  for (const [name, text] of [...forms, ...forms.map(([name, text]) => [name, JSON.stringify(text)] as const)])
    expect(redact(`before ${text} after`), name).not.toContain(text.slice(12, -12));
  expect(redact("before and after")).toBe("before and after");
});

test("a key with another last character is hidden, too", () => {
  const redact = redactorOf([new Secret("paid", vendorKey)]);
  const near = nearTo(vendorKey, []);
  expect(isNear(near)).toBe(true);
  for (const [name, text] of formsOf(near))
    expect(redact(`before ${text} after`), name).not.toContain(text.slice(12, -12));
  expect(redact(`before ${near} after`)).toBe(`before <key:paid but for its end>${near.slice(-1)} after`);
  const sibling = new Secret("second", near);
  expect(redactorOf([new Secret("paid", vendorKey), sibling])(`${vendorKey} ${near}`)).toBe("<key:paid> <key:second>");
});

for (const [alphabet, key] of [
  ["a uuid", vendorKey],
  ["upper-case hexadecimal", "0123456789ABCDEF"],
  ["digits", "4242424242"],
  ["base58", "4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM"],
  ["base64", "c2VjcmV0LWtleS1vZi1zb21lYm9keQ=="],
  ["base64url", "kP3Xh0-QwErTy_aSdFgHjK"],
] as const) {
  test(`a key of ${alphabet} gets another last character, and never becomes another key of the target`, () => {
    const taken: string[] = [];
    for (let nth = 0; nth < 5; nth += 1) taken.push(nearTo(key, taken));
    expect(new Set([key, ...taken].map((one) => one.toLowerCase())).size).toBe(6);
    for (const near of taken) {
      expect(near).toHaveLength(key.length);
      expect([...near].filter((char, index) => char !== key[index])).toHaveLength(1);
      // It decodes to another key, though the last letter of base64 may carry unused bits.
      if (alphabet.startsWith("base64"))
        expect(Buffer.from(near, "base64").equals(Buffer.from(key, "base64"))).toBe(false);
    }
  });
}

test("a secret prints as its role, however it is printed", () => {
  const secret = new Secret("paid", vendorKey);
  const inspected = inspect(secret, { depth: 9, showHidden: true });
  for (const text of [String(secret), secret.toString(), JSON.stringify({ secret }), inspected])
    expect(text).not.toContain(vendorKey.slice(2, 12));
});
