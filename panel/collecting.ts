// All polls of a panel, judged one by one: where Assay itself fails, no more is lost than what it failed on.
import type { Attendance } from "./attendance.ts";
import { PanelConnections } from "./connections.ts";
import { PanelDefects } from "./defects.ts";
import type { PanelFindings } from "./findings.ts";
import type { PanelReport } from "./panelReport.ts";
import { type PanelMember, type Reply, type Rounds, rounds } from "./polling.ts";
import type { PanelCharges } from "./prices.ts";
import type { PolledQuestion } from "./questions.ts";

/** Where so many polls in a row can't be judged, no other would be. */
const mostDefects = 10;

export interface Collecting extends Omit<Rounds, "onDefect"> {
  readonly attendance: Attendance<PanelMember>;
  readonly findings: Pick<PanelFindings, "add">;
  /** Null where usage isn't read. */
  readonly charges?: Pick<PanelCharges, "add"> | null;
  /** To what was asked before, when most connections are made. */
  readonly earlier?: readonly Reply[];
}

export interface Collected extends Required<Pick<PanelReport, "absences" | "connections" | "defects">> {
  /** Whether it ended before it was to, by itself. */
  readonly isCutShort: boolean;
}

/** Polls into the findings until it ends. Never rejects. */
export async function collected(
  members: readonly PanelMember[],
  questions: readonly PolledQuestion[],
  { findings, charges, earlier = [], ...polling }: Collecting,
): Promise<Collected> {
  const { attendance } = polling;
  const connections = new PanelConnections();
  const defects = new PanelDefects((text) => members.reduce((shown, { target }) => target.redact(shown), text));
  const survived = (work: () => void): boolean => {
    try {
      work();
      return true;
    } catch (error) {
      defects.add(error);
      return false;
    }
  };
  let failed = 0;
  try {
    survived(() => connections.add({ replies: earlier }));
    const onDefect = (error: unknown, vendor: number): void => defects.add(error, vendor);
    for await (const poll of rounds(members, questions, { ...polling, onDefect })) {
      const isJudged = survived(() => {
        connections.add(poll);
        charges?.add(poll);
        findings.add(poll);
      });
      failed = isJudged ? 0 : failed + 1;
      if (failed === mostDefects) break;
    }
  } catch (error) {
    defects.add(error, null, 0);
    failed = mostDefects;
  }
  return {
    isCutShort: attendance.isGivenUp || failed === mostDefects,
    absences: attendance.absencesOf(members),
    connections: connections.connections,
    defects: defects.defects,
  };
}
