// What to add to a target file next: YAML to paste, with where it belongs and how many more requirements it unlocks.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Document, parse } from "yaml";
import { factsFor } from "../contracts/chainProfile.ts";
import type { Role } from "../harness/core/interface.ts";
import { type Json, pathFromPointer, valueAt } from "../harness/core/json.ts";
import type { Addition } from "../harness/core/reason.ts";
import { supplemented } from "../harness/core/template.ts";
import { type Plan, unmetNeedsIn } from "../harness/engine/plan.ts";
import { type Proposal, proposalsFor, type Remedy } from "../harness/engine/remedies.ts";
import { unmetNeedsOfCheck } from "../harness/engine/unmetNeeds.ts";
import type { Target } from "../harness/targets/target.ts";

/** YAML to paste: at the end of a target file, among the members at a path there, or in place of the one at it. */
export interface Snippet {
  readonly goes: "at the end" | "under" | "in place of";
  readonly path: readonly string[];
  readonly yaml: string;
}

const exampleFile = fileURLToPath(new URL("../targets/example.yaml", import.meta.url));

let exampleRead: Json | undefined;

/** The value that the example of target files has at a pointer, also where its line is commented out. */
function exampleAt(pointer: string): Json | undefined {
  exampleRead ??= parse(readFileSync(exampleFile, "utf8").replaceAll(/^([ \t]*)#(?=[a-z])/gim, "$1")) as Json;
  return valueAt(exampleRead, pointer);
}

/** For members that the example doesn't have, as those of custom checks. */
const unknownValue = "replace this";

type Written = Readonly<{ path: readonly string[]; value: Json }>;

/** A key, and its project where the file has none for it: keys of one project share it. */
function writtenKey(role: Role, { projects, keys }: Target): readonly Written[] {
  const { project = role, env = "ACME_KEY" } = exampleAt(`/keys/${role}`) as { project?: string; env?: string };
  const owner = keys.get("paid");
  const isShared = owner !== undefined && project === valueAt(exampleAt("/keys/paid"), "/project");
  const isTaken = [...keys.values()].some(({ projectName }) => projectName === project);
  const name = isShared ? owner.projectName : isTaken ? role : project;
  const key: Written = { path: ["keys", role], value: { project: name, env } };
  if (Object.hasOwn(projects, name)) return [key];
  return [{ path: ["projects", name], value: exampleAt(`/projects/${project}`) ?? { plan: "paid" } }, key];
}

/** A member of the project of that name, or else of the first one. */
const exampleOf = (project: string, member = ""): Json | undefined =>
  exampleAt(`/projects/${project}/${member}`) ?? exampleAt(`/projects/main/${member}`);

/** What is written for an addition; nothing where the file names it already. */
function writtenFor({ at, item }: Addition, target: Target): readonly Written[] {
  const path = pathFromPointer(at).map(String);
  const [list, name = "", member] = path;
  const isNamed = target.variables.some(({ at: [top, second] }) => top === list && second === name);
  if (isNamed) return [];
  if (item !== undefined) return [{ path, value: [...target.allow, item] }];
  if (list === "keys") return writtenKey(name as Role, target);
  if (list === "projects") return [{ path, value: exampleOf(name, member) ?? unknownValue }];
  return [{ path, value: exampleAt(at) ?? unknownValue }];
}

function yamlOf(name: string, value: Json): string {
  const document = new Document({});
  document.set(name, document.createNode(value, { flow: true }));
  return document.toString({ lineWidth: 0 }).trimEnd();
}

/** Whether a target file has a member there, as far as it can be seen of the target. */
function isThere(path: readonly string[], target: Target): boolean {
  const [top = "", ...rest] = path;
  if (!target.members?.includes(top)) return false;
  if (rest.length === 0) return true;
  return valueAt({ [top]: target[top as keyof Target] } as unknown as Json, `/${path.join("/")}`) !== undefined;
}

/** Members of one parent that isn't there are written together. */
function snippetsOf(all: readonly Written[], target: Target): readonly Snippet[] {
  const fresh = new Map<string, { [name: string]: Json }>();
  const snippets = all.flatMap(({ path, value }): readonly Snippet[] => {
    const [top = "", name = ""] = path;
    const parent = path.slice(0, -1);
    const yaml = yamlOf(path.at(-1) ?? "", value);
    if (isThere(path, target)) return [{ goes: "in place of", path, yaml }];
    if (parent.length === 0) return [{ goes: "at the end", path: [], yaml }];
    if (isThere([top], target)) return [{ goes: "under", path: parent, yaml }];
    fresh.set(top, { ...fresh.get(top), [name]: value });
    return [];
  });
  const ends = [...fresh].map(
    ([top, members]): Snippet => ({ goes: "at the end", path: [], yaml: yamlOf(top, members) }),
  );
  return [...snippets, ...ends];
}

export interface PastedProposal extends Omit<Proposal, "add"> {
  /** All of them belong together. */
  readonly snippets: readonly Snippet[];
}

/** How many more requirements a target that has what is proposed would test. */
function unlockedBy(known: Target, plan: Plan, target: Target): number {
  const unlocked = unmetNeedsIn(plan, target).filter(({ check }) => unmetNeedsOfCheck(check, known).length === 0);
  return new Set(unlocked.map(({ id }) => id)).size;
}

/** The target with the samples that are written; null where something else is written. */
function withSamples(written: readonly Written[], target: Target): Target | null {
  if (!written.every(({ path: [list] }) => list === "samples")) return null;
  const add = (samples: Target["samples"], { path, value }: Written) =>
    supplemented(samples, `/${path.join("/")}`, value);
  return { ...target, samples: written.reduce(add, target.samples) };
}

const chain = "solana-mainnet";

/** What public facts of a chain would unlock; none where the file says which chain it is. */
function chainProposal(plan: Plan, target: Target): readonly PastedProposal[] {
  if (target.isReference || target.members?.includes("chain")) return [];
  const { samples, bundles } = target;
  const facts = factsFor({ document: { samples, chain, ...(bundles && { bundles }) } });
  const [tip] = facts.filter(({ at }) => at === "/bundles/tipAccount");
  const filled = facts
    .filter(({ at }) => pathFromPointer(at)[0] === "samples")
    .reduce((known, { at, value }) => supplemented(known, at, value), samples);
  const money = tip ? { bundles: { tipAccount: tip.value, tipLamports: 0 } } : {};
  const known = { ...target, samples: filled, assumptions: [...(target.assumptions ?? []), ...facts], ...money };
  const requirements = unlockedBy(known, plan, target);
  const snippet: Snippet = { goes: "at the end", path: [], yaml: `chain: ${chain}` };
  return requirements > 0 ? [{ requirements, snippets: [snippet] }] : [];
}

/** What the target file could add, the most first. */
export const pastedProposals = (plan: Plan, target: Target) =>
  [
    ...proposalsFor(plan, target).flatMap(({ add, ...proposal }): readonly PastedProposal[] => {
      const written = add.flatMap((one) => writtenFor(one, target));
      const snippets = snippetsOf(written, target);
      // Of a list, the example may have fewer items than some checks need.
      const known = withSamples(written, target);
      const requirements = known ? unlockedBy(known, plan, target) : proposal.requirements;
      return snippets.length > 0 && requirements > 0 ? [{ ...proposal, requirements, snippets }] : [];
    }),
    ...chainProposal(plan, target),
  ].toSorted((a, b) => b.requirements - a.requirements);

function snippetText({ goes, path, yaml }: Snippet): string {
  if (goes === "at the end") return yaml;
  return goes === "under" ? `under ${path.join(".")}: ${yaml}` : `${yaml} (replaces ${path.join(".")})`;
}

/** As a run records it. */
export const remedyOf = ({ snippets, ...proposal }: PastedProposal): Remedy => ({
  add: snippets.map(snippetText).join(", and "),
  ...proposal,
});

/** What to write for a sample that a run looks for, in case it isn't found. */
export const sampleToAdd = (at: string, target: Target): string =>
  snippetsOf(writtenFor({ at: listOf(at) }, target), target)
    .map(snippetText)
    .join(", and ");

/** Of an item, the list that it is in. */
function listOf(pointer: string): string {
  const path = pathFromPointer(pointer);
  const item = path.findIndex((name) => typeof name === "number");
  return item === -1 ? pointer : `/${path.slice(0, item).join("/")}`;
}
