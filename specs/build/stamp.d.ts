import type { Hash } from "node:crypto";

export function hashFiles(hash: Hash, folder: string, files: readonly string[]): void;
export function stampOf(specsDir: string): string;
export function isFresh(specsDir: string): boolean;
/** The path of the schema of target files. */
export function targetSchemaBeside(specsDir: string): string;
