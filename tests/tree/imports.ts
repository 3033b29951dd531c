// The imports of a tree, as its rules hear of them.
import { dirname, join } from "node:path";
import type { Node, VisitorObject } from "oxc-parser";
import { source } from "../support/sources.ts";
import type { Listeners } from "./pass.ts";

export interface Import {
  readonly file: string;
  readonly target: string;
  readonly isType: boolean;
}

/** What hears each import of a file below the same root, type-only ones and those that are run included. */
export function importNodes(hear: (specifier: string, isType: boolean) => void): VisitorObject {
  const add = (from: Node | null, isType: boolean): void => {
    if (from?.type === "Literal" && typeof from.value === "string" && from.value.startsWith("."))
      hear(from.value, isType);
  };
  return {
    ImportDeclaration: ({ source: from, importKind }) => add(from, importKind === "type"),
    ExportNamedDeclaration: ({ source: from, exportKind }) => add(from, exportKind === "type"),
    ExportAllDeclaration: ({ source: from, exportKind }) => add(from, exportKind === "type"),
    ImportExpression: ({ source: from }) => add(from, false),
    TSImportType: ({ source: from }) => add(from, true),
  };
}

/** Root files only configure tools; templates are judged where they are copied to. */
export const isInRoom = (file: string): boolean =>
  source.test(file) && file.includes("/") && !file.startsWith("templates/");

/** Hears each import of each source that lies in a room. */
export const importListener =
  (hear: (found: Import) => void): Required<Listeners>["nodes"] =>
  ({ path }) =>
    isInRoom(path)
      ? importNodes((specifier, isType) => hear({ file: path, target: join(dirname(path), specifier), isType }))
      : {};

export const folderOf = (file: string): string => file.split("/")[0] ?? "";

export const importSentence = ({ file, target }: Import): string => `${file} imports ${target}`;
