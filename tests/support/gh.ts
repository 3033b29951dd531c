// GitHub's `gh` for tests: labels and issues in a file, with refusals as by the real one
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { emptyFolder, program } from "./assay.ts";

export interface Issue {
  readonly number: number;
  readonly state: "open" | "closed";
  readonly label: string;
  readonly title: string;
  readonly body: string;
  readonly comments: readonly string[];
}

const source = (file: string): string => `
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
const known = {
  "label create": ["force"],
  "issue list": ["label", "state", "limit", "json", "jq"],
  "issue view": ["json", "jq"],
  "issue create": ["label", "title", "body-file"],
  "issue edit": ["title", "body-file"],
  "issue comment": ["body"],
  "issue close": ["comment"],
};
const refuse = (why) => {
  console.error("gh: " + why);
  process.exit(1);
};
const [area, verb, ...rest] = process.argv.slice(2);
const [words, flags] = [[], {}];
while (rest.length > 0) {
  const next = rest.shift();
  if (!next.startsWith("--")) words.push(next);
  else flags[next.slice(2)] = next === "--force" ? "" : rest.shift();
}
const command = area + " " + verb;
const [subject] = words;
if (!process.env.GH_TOKEN) refuse("no token");
if (!known[command] || words.length > 1) refuse("unknown command " + process.argv.slice(2).join(" "));
for (const [name, value] of Object.entries(flags))
  if (!known[command].includes(name) || value === undefined) refuse("unknown flag --" + name + " of " + command);
const file = ${JSON.stringify(file)};
const state = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { labels: [], issues: [] };
const shown = (value) =>
  execFileSync("jq", ["-r", flags.jq], { input: JSON.stringify(value), stdio: ["pipe", "inherit", "inherit"] });
const pick = (issue) => Object.fromEntries(flags.json.split(",").map((name) => [name, issue[name]]));
const issue = state.issues.find(({ number }) => String(number) === subject);
if (["view", "edit", "comment", "close"].includes(verb) && !issue) refuse("no issue " + subject);
if (command === "label create") state.labels = [...new Set([...state.labels, subject])];
if (command === "issue list")
  shown(state.issues.filter((one) => one.label === flags.label && one.state === flags.state).map(pick));
if (command === "issue view") shown(pick(issue));
if (command === "issue create") {
  if (!state.labels.includes(flags.label)) refuse("no label " + flags.label);
  const number = state.issues.length + 1;
  const body = readFileSync(flags["body-file"], "utf8");
  state.issues.push({ number, state: "open", label: flags.label, title: flags.title, body, comments: [] });
}
if (command === "issue edit") {
  issue.title = flags.title;
  issue.body = readFileSync(flags["body-file"], "utf8");
}
if (command === "issue comment") issue.comments.push(flags.body);
if (command === "issue close") {
  issue.comments.push(flags.comment);
  issue.state = "closed";
}
writeFileSync(file, JSON.stringify(state));
`;

/** Its issues last for the test. */
export function fakeGh() {
  const folder = emptyFolder();
  const [script, file] = [join(folder, "gh.mjs"), join(folder, "state.json")];
  writeFileSync(script, source(file));
  const path = dirname(program("gh", `exec "${process.execPath}" "${script}" "$@"`));
  return {
    environment: { PATH: `${path}:${process.env["PATH"]}` },
    issues: (): readonly Issue[] =>
      existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as { readonly issues: readonly Issue[] }).issues : [],
  };
}
