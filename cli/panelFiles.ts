// Panels as files: panel.json, and histories of panels, a line for each.
import { existsSync, readdirSync, statSync } from "node:fs";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { memberOf, placeIn, textOfFile } from "../harness/core/memberFile.ts";
import { validatorOf } from "../harness/core/schema.ts";
import type { Target } from "../harness/targets/target.ts";
import { type PanelReport, panelFormat } from "../panel/panelReport.ts";
import type { HistoryFlags } from "./flags.ts";
import { appendLines, fileNameOf, type LineForm, linesIn, parsedLine, placeNamed } from "./historyFiles.ts";
import type { Invocation } from "./invocation.ts";
import { readSchema } from "./readSchema.ts";
import { refuseUnwritable } from "./writeText.ts";

const form: LineForm<PanelReport> = {
  name: "panel",
  format: panelFormat,
  is: validatorOf<PanelReport>(readSchema("reports/panel.schema.json")),
};

const fileName = "panel.json";
const ending = ".panels";

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

/**
 * The panel of a file or a folder; null where it is something else.
 * @throws CommandLineError for one that is damaged, or of a newer format
 */
export function panelAt(path: string): PanelReport | null {
  const file = isFolder(path) ? memberOf(path, fileName) : path;
  if (!file?.endsWith(fileName) || !existsSync(file)) return null;
  const panel = parsedLine(textOfFile(file), file, form);
  if (panel) return panel;
  throw new CommandLineError(
    `${file} isn't a panel as defined by reports/panel.schema.json: it was cut off or damaged.`,
  );
}

/**
 * Of vendors in a folder of histories, from one vantage; null where none is named.
 * @throws CommandLineError where it couldn't be appended to
 */
export function panelHistoryOf(flags: HistoryFlags, vendors: readonly { readonly target: Target }[]): string | null {
  const place = placeNamed(flags);
  if (place === null) return null;
  const names = vendors.map(({ target }) => fileNameOf(target.name)).join("+");
  const from = place.vantage === null ? "" : `@${fileNameOf(place.vantage)}`;
  const file = placeIn(place.history, `${names}${from}${ending}`);
  refuseUnwritable("--history", file);
  return file;
}

/** Without exchanges and runs, so that a line stays small. */
export const appendPanel = (file: string, panel: PanelReport): void =>
  appendLines(file, [JSON.stringify({ ...panel, dissents: [], conformance: null })]);

type Panels = readonly [PanelReport, ...PanelReport[]];

/** The histories of panels in a folder, each in order of time. */
export const panelHistoriesIn = (
  invocation: Invocation,
  folder: string,
): readonly (readonly [file: string, panels: Panels])[] =>
  (isFolder(folder) ? readdirSync(folder).sort() : [])
    .filter((name) => name.endsWith(ending))
    .flatMap((name) => {
      const file = placeIn(folder, name);
      const [first, ...later] = linesIn(invocation, file, form).toSorted((a, b) =>
        a.startedAt < b.startedAt ? -1 : 1,
      );
      return first ? [[file, [first, ...later]] as const] : [];
    });
