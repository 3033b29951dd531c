// How texts call the package: package.json says its name and its version, and `npm run docs` writes both into texts.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const { name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly name: string;
  readonly version: string;
};
/** As `npm pack` calls its file. */
const flatName = name.replace("@", "").replace("/", "-");

const number = String.raw`\d+\.\d+\.\d+(?:-[\w.]*\w)?`;

/** What texts have, and what it is now. */
const forms: readonly (readonly [RegExp, string])[] = [
  [/(?<![\w/])@[a-z\d][a-z\d-]*\/assay\b/g, name],
  [new RegExp(String.raw`(?<=(?<![\w/])@[a-z\d-]+/assay@)${number}`, "g"), version],
  [new RegExp(String.raw`\b[a-z\d][a-z\d-]*-assay-${number}\.tgz`, "g"), `${flatName}-${version}.tgz`],
  [new RegExp(String.raw`(?<=/OWNER/assay(?:\.git#|/releases/download/)v)${number}`, "g"), version],
  [new RegExp(String.raw`(?<=ghcr\.io/OWNER/assay:)${number}`, "g"), version],
];

/** A text that names the package as package.json does. */
export const withPackageName = (text: string): string =>
  forms.reduce((written, [form, now]) => written.replace(form, now), text);

/** Ways to get or import a package that is called so alone: nobody owns that name, and anybody may take it. */
const bareNames = [
  /\b(?:npm|pnpm|yarn|bun) (?:i|in|install|add|ci|x|exec|dlx) (?:[^\n`|;&]* )?assay(?:@[\w.{}$-]+)?(?![\w./:@-])/g,
  /\b(?:npx|bunx) (?:-y|--yes|-p|--package)[ =](?:--?\w+[ =])?assay(?![\w./:-])/g,
  /(?<![\w/@.-])assay@[\d{$]/g,
  /\b(?:from|import|require)\b ?\(?["']assay["']/g,
  /node_modules[/\\]assay\b/g,
];

/** Lines, from 1, that tell to get or import a bare `assay`. */
export const linesOfBareName = (text: string): readonly number[] =>
  text.split("\n").flatMap((line, nth) => (bareNames.some((form) => line.match(form)) ? [nth + 1] : []));

const isText = /\.(?:[cm]?[jt]sx?|md|ya?ml|json|api\.md)$|^Dockerfile/;
/** What happened stays as it was; a lock is npm's. */
const isNotRewritten =
  /^(?:CHANGELOG\.md|package(?:-lock)?\.json|runs|test-results|playwright-report|dist|node_modules)$/;

const textsBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (isNotRewritten.test(entry.name) || (entry.name.startsWith(".") && entry.name !== ".github")) return [];
    return entry.isDirectory() ? textsBelow(path) : isText.test(entry.name) ? [path] : [];
  });

/** Writes them into all texts of the project. */
export function writePackageName(): void {
  for (const file of textsBelow(root).filter((path) => !path.includes("packageNames"))) {
    const text = readFileSync(file, "utf8");
    const written = withPackageName(text);
    if (written !== text) writeFileSync(file, written);
  }
}
