// What a file is that can't be read as a recording, and what to do about it.

/** By how their text begins. */
const texts: readonly (readonly [RegExp, string])[] = [
  [
    /^\s*\{\s*"log"[^]{0,200}?"name"\s*:\s*"Insomnia/,
    "is an export of Insomnia, which puts a request as it is now beside its last answer: what was sent, and when, " +
      "isn't in it. Send the requests through `npx assay proxy`.",
  ],
  [/^\s*<(!doctype html|html)/i, "is a web page, perhaps a login or an error in place of the file. Get the file anew."],
  [/^\s*<(\?xml|charles-session|items)/i, "is XML, as Charles and Burp save sessions. Export a HAR there."],
  [/^\d+:\d+:/, "is a file of mitmproxy's own. Write a HAR from it: mitmdump -n -r FILE --set hardump=traffic.har"],
  [
    /^\s*\{\s*"info"\s*:\s*\{\s*"_postman_id"/,
    "is a collection of Postman, which has requests and no answers. Send them through `npx assay proxy`.",
  ],
  [
    /^\S+ \S+ \S+ \[\d\d\/[A-Z][a-z]{2}\/\d{4}:/,
    "is an access log, which has no bodies to judge. Let the server log JSON with bodies, and read it with --mapping.",
  ],
];

/** By their first bytes, in hexadecimal. */
const magics: readonly (readonly [RegExp, string])[] = [
  [
    /^(d4c3b2a1|a1b2c3d4|4d3cb2a1|a1b23c4d|0a0d0d0a)/,
    "is a capture of packets, whose requests are encrypted. Record them with a proxy, such as `npx assay proxy`.",
  ],
  [/^504b0304/, "is a zip, which can't be read from a pipe. Save it to a file first."],
  [/^28b52ffd/, "is packed by zstd. Unpack it first: zstd -d FILE"],
  [/^fd377a585a00/, "is packed by xz. Unpack it first: xz -d FILE"],
  [/^425a68/, "is packed by bzip2. Unpack it first: bzip2 -d FILE"],
  [/^377abcaf271c/, "is a 7z archive. Unpack it first."],
  [/^53514c69746520/, "is an SQLite database. Export a HAR from the program that keeps it."],
];

/** By their names, where nothing else is known of them. */
const ownFiles: readonly (readonly [RegExp, string])[] = [
  [/\.chls$/i, "is a session of Charles (.chls). Save it there as JSON (.chlsj), or export a HAR."],
  [/\.proxymanlog(v2)?$/i, "is a session of Proxyman. Export a HAR there."],
];

/** @param beginning as UTF-8 where it is text */
export function recordingKind(path: string, beginning: Buffer): string | null {
  const hex = beginning.toString("hex", 0, 16);
  const text = beginning.toString("utf8", 0, 1_000);
  const says =
    magics.find(([begins]) => begins.test(hex)) ??
    texts.find(([begins]) => begins.test(text)) ??
    ownFiles.find(([ends]) => ends.test(path));
  return says ? `${path} ${says[1].replace("FILE", path)}` : null;
}

/** What a .zip is that holds no recording, by the names of its files. */
export function zipKind(path: string, names: readonly string[]): string {
  if (names.includes("[Content_Types].xml") && names.some((name) => name.startsWith("raw/")))
    return `${path} is an archive of Fiddler (SAZ). Export its sessions there as HTTPArchive v1.2.`;
  if (names.some((name) => name.endsWith(".network")))
    return `${path} is a trace of Playwright. Record a HAR: newContext({ recordHar: { path: "traffic.har" } }).`;
  return `${path} is a zip without a HAR. Unpack it and name the recording, JSON lines with --mapping.`;
}
