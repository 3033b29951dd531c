// The interface that this project judges, as reports describe it.
import { areaOf, type Described } from "../reports/described.ts";
import { clauseAnchors } from "../specs/generated/clauses.ts";
import { citations, rows, siteLines } from "../specs/generated/lines.ts";
import { areas, newest } from "../specs/generated/tables.ts";
import { custom, targetForm } from "./custom.ts";

const ofCustom = Object.fromEntries((custom?.config.requirements ?? []).map(({ id }) => [areaOf(id), "Custom checks"]));

export const described: Described = {
  tables: targetForm.interface,
  areas: { ...areas, ...ofCustom },
  lines: { rows: { ...rows, ...custom?.lines }, sites: siteLines, citations },
  newest,
  clauses: { file: "docs/INTERFACE.md", anchors: clauseAnchors },
};
