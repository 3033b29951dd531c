// Panels as files: panel.json, and histories of panels, a line for each.
import { existsSync, readdirSync, statSync } from "node:fs";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { memberOf, placeIn, textOfFile } from "../harness/core/memberFile.ts";
import { validatorOf } from "../harness/core/schema.ts";
import { type PanelReport, panelFormat } from "../panel/panelReport.ts";
import { distinctPanels, type VendorPanels, vendorPanelsOf } from "../reports/panel/places.ts";
import { appendLines, fileNameOf, type LineForm, linesIn, parsedLine } from "./historyFiles.ts";
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

/** Of the same vendors from the same place. @throws CommandLineError for a link that leads out of the folder */
function panelFileOf(folder: string, vendors: readonly string[], vantage: string | null): string {
  const from = vantage === null ? "" : `@${fileNameOf(vantage)}`;
  return placeIn(folder, `${vendors.map(fileNameOf).join("+")}${from}${ending}`);
}

export const namesIn = ({ vendors }: PanelReport): readonly string[] => vendors.map(({ name }) => name);

/** Where it can be appended to. @throws CommandLineError where it can't */
export function panelHistoryAt(folder: string, vendors: readonly string[], vantage: string | null): string {
  const file = panelFileOf(folder, vendors, vantage);
  refuseUnwritable("--history", file);
  return file;
}

/** Without exchanges and runs, so that a line stays small. */
const lineOf = (panel: PanelReport): string => JSON.stringify({ ...panel, dissents: [], conformance: null });

/** Lines that are damaged, or of a newer Assay, stay as they are, and hinder nobody. */
const anyForm = { ...form, format: Number.POSITIVE_INFINITY };

/** Appends those that aren't there yet; gives how many. @throws CommandLineError or Unfinished as `appendLines` */
export function appendPanels(file: string, panels: readonly PanelReport[]): number {
  const lines = existsSync(file) ? textOfFile(file).split("\n") : [];
  const known = lines.flatMap((line) => parsedLine(line, file, anyForm) ?? []);
  const fresh = distinctPanels([...known, ...panels]).filter((panel) => panels.includes(panel));
  appendLines(file, fresh.map(lineOf));
  return fresh.length;
}

/** All panels of the histories in a folder, by their vendors. */
export const panelHistoriesIn = (invocation: Invocation, folder: string): readonly VendorPanels[] =>
  vendorPanelsOf(
    (isFolder(folder) ? readdirSync(folder).sort() : [])
      .filter((name) => name.endsWith(ending))
      .flatMap((name) => linesIn(invocation, placeIn(folder, name), form)),
  );

/** Of one place, and of all places of the same vendors. @throws CommandLineError as `panelFileOf` */
export const panelPagesIn = (folder: string, panel: PanelReport) => ({
  own: `${panelFileOf(folder, namesIn(panel), panel.vantage)}.html`,
  places: placeIn(folder, `${namesIn(panel).map(fileNameOf).join("+")}.places.html`),
});
