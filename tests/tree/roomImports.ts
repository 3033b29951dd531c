// Rooms: the parts of a folder, one above another, and that imports only go down.
import { dirname } from "node:path";
import { features } from "../../specs/generated/operations.ts";
import { folderOf, importListener, importSentence, isInRoom } from "./imports.ts";
import type { TreeRule } from "./pass.ts";

/**
 * The rooms of each folder, lowest first. A room imports from those above it in its list, not from those beside it.
 * "." is what is directly in the folder; a generated file is a room of its own, for it imports whatever registers.
 */
const rooms: { readonly [folder: string]: readonly (readonly string[])[] } = {
  specs: [["build"], ["generated"]],
  harness: [["core"], ["targets"], ["transport"], ["model"], ["engine"], ["record"], ["recordings"]],
  contracts: [
    ["shared"],
    features,
    ["generated/baseline.ts"],
    ["jsonrpc"],
    ["metering"],
    ["http"],
    ["generated/*"],
    ["."],
  ],
  property: [["arbitraries"], ["."], ["stateful"], ["generated/*"]],
  load: [["rateLimits", "k6", "shapes"], ["generated/*"], ["traffic", "k8s"], ["."]],
  reference: [
    ["compression", "errors"],
    ["generated/refusals.ts"],
    ["platform"],
    ["access", "metering"],
    features.filter((feature) => feature !== "compression"),
    ["rpc"],
    ["generated/methods.ts"],
    ["."],
    ["generated/*"],
  ],
  reports: [
    ["."],
    ["document"],
    ["scorecard"],
    ["run"],
    ["vendor", "compare", "published"],
    ["history", "panel"],
    ["formats"],
  ],
  proxy: [["."]],
  panel: [["."]],
  published: [["."]],
  custom: [["."]],
  package: [["."]],
  proof: [["."], ["faults", "lawful", "limiter"], ["rare"], ["tables"]],
  cli: [["."], ["playwright"]],
  bench: [["."], ["peers"]],
  docs: [["."]],
  tests: [
    ["support", "golden"],
    [".", "*"],
  ],
};

export const roomOf = (file: string): string =>
  /\/generated\//.test(file) && folderOf(file) !== "specs" ? file : dirname(file);

/** How high a room lies in its folder; -1 for one that the table doesn't have. */
function heightOf(room: string): number {
  const [folder = "", ...rest] = room.split("/");
  const name = rest.join("/") || ".";
  const fits = (pattern: string): boolean =>
    pattern === name || (pattern.endsWith("*") && name !== "." && name.startsWith(pattern.slice(0, -1)));
  return rooms[folder]?.findIndex((layer) => layer.some(fits)) ?? -1;
}

export const roomImports: TreeRule = {
  holds: "a room imports only from rooms below it",
  begin: (emit) => ({
    nodes: importListener((found) => {
      const [from, to] = [roomOf(found.file), roomOf(found.target)];
      if (folderOf(from) === folderOf(to) && from !== to && heightOf(from) <= heightOf(to)) emit(importSentence(found));
    }),
  }),
};

export const roomTable: TreeRule = {
  holds: "each room has its place in a table",
  begin: (emit) => {
    const unknown = new Set<string>();
    return {
      file: ({ path }) => {
        if (isInRoom(path) && heightOf(roomOf(path)) < 0) unknown.add(roomOf(path));
      },
      end: () => unknown.forEach((room) => emit(`${room} has no place in the table of rooms`)),
    };
  },
};
