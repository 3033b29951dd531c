// The interface that this project judges, as reports describe it.
import { dataPlatform } from "../contracts/shared/interface.ts";
import type { Described } from "../reports/described.ts";
import { clauseAnchors } from "../specs/generated/clauses.ts";
import { citations, rows, siteLines } from "../specs/generated/lines.ts";
import { areas, newest } from "../specs/generated/tables.ts";

export const described: Described = {
  tables: dataPlatform,
  areas,
  lines: { rows, sites: siteLines, citations },
  newest,
  clauses: { file: "docs/INTERFACE.md", anchors: clauseAnchors },
};
