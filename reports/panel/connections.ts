// How long new connections to each vendor take: the name, the way, the handshake, the server.
import type { ConnectionPhase, PanelReport } from "../../panel/panelReport.ts";
import { note, type Section, sectionOf } from "../document/document.ts";
import { groupedBy } from "../lists.ts";
import { inMs, numberText } from "../numbers.ts";
import { vendorNameIn } from "./figures.ts";

const phases = ["dns", "connect", "tls", "server"] as const satisfies readonly ConnectionPhase["phase"][];

/** On the page, and in Markdown, whose reader has no page. */
export function connectionSections(panel: Pick<PanelReport, "vendors" | "connections">): readonly Section[] {
  const inOrder = [...(panel.connections ?? [])].sort((one, other) => one.vendor - other.vendor);
  const rows = [...groupedBy(inOrder, ({ vendor }) => vendorNameIn(panel, vendor))].map(([name, own]) => {
    const medians = phases.map((phase) => own.find((one) => one.phase === phase)?.p50_ms);
    // Every connection has this phase: not all have a name that is looked up, or are encrypted.
    const count = own.find(({ phase }) => phase === "server")?.count ?? 0;
    return [name, ...medians.map((ms) => (ms === undefined ? "" : inMs(ms))), numberText(count)];
  });
  if (rows.length === 0) return [];
  const heads = ["Vendor", "DNS", "Connect", "TLS", "Server", "New"];
  const about = note(
    "New connections, and medians in ms; server: from the request on an open connection to the end of the answer.",
  );
  const section = sectionOf(["Connections"], about, { is: "table", caption: "Connections", heads, rows });
  return (["page", "markdown"] as const).map((only) => ({ ...section, only, id: "connections" }));
}
