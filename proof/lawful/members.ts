// Members of a target file, to be taken out in turn

import { contractSuite } from "../../contracts/suite.ts";
import type { Json } from "../../harness/core/json.ts";
import type { Target } from "../../harness/targets/target.ts";
import { inProcess } from "../inProcess.ts";

/** What can be taken out of a target file: `/samples/wallets/0`, `/names/balanceAt`, `/keys/free`. */
export type TargetMember = string;

const full = inProcess(contractSuite).target;

/** Every member of a value and of its members, by pointer. */
function membersOf(value: Json, at: string): readonly TargetMember[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value as { readonly [name: string]: Json }).flatMap(([name, one]) => [
    `${at}/${name}`,
    ...membersOf(one, `${at}/${name}`),
  ]);
}

const samples = membersOf(full.samples, "/samples");
const names = membersOf(full.names, "/names");
const keys = full.interface.roles.flatMap(({ name }) => (full.keys.has(name) ? [`/keys/${name}`] : []));

function without(value: Json, [name = "", ...rest]: readonly string[]): Json {
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value as { readonly [name: string]: Json }).flatMap(([own, one]) =>
    own !== name ? [[own, one] as const] : rest.length > 0 ? [[own, without(one, rest)] as const] : [],
  );
  return Array.isArray(value) ? kept.map(([, one]) => one) : Object.fromEntries(kept);
}

/** A target whose file lacks a member. */
export function withoutMember(target: Target, member: TargetMember): Target {
  const [, part, ...steps] = member.split("/");
  if (part === "keys") return { ...target, keys: new Map([...target.keys].filter(([role]) => role !== steps[0])) };
  const changed = part === "names" ? { names: target.names } : { samples: target.samples };
  return { ...target, ...(without(changed, [part ?? "", ...steps]) as Partial<Target>) };
}

/** All of the reference's. */
export const members: readonly TargetMember[] = [...samples, ...names, ...keys];
