// The vendors of a panel as they are asked, and all polls of them.
import { realClock } from "../harness/core/clock.ts";
import { transportTo } from "../harness/transport/transport.ts";
import { networkWire } from "../harness/transport/wire.ts";
import { type Collected, type Collecting, collected } from "../panel/collecting.ts";
import type { PanelFindings } from "../panel/findings.ts";
import type { PanelMember } from "../panel/polling.ts";
import type { PolledQuestion } from "../panel/questions.ts";
import { listedTogether } from "../reports/lists.ts";
import type { Invocation } from "./invocation.ts";
import { besideOthers } from "./otherCommands.ts";
import type { PanelVendor } from "./panelQuestions.ts";

/** The vendors as they are asked; other commands of this machine that use their projects hear of it. */
export function membersFor({ env }: Invocation, vendors: readonly PanelVendor[]) {
  const all = vendors.map(({ target: vendor }) => {
    const { wire, close, ...counted } = networkWire({ environment: env });
    const { target, end } = besideOthers(vendor, env, true);
    return { member: { target, transport: transportTo(target, wire, realClock), ...counted }, close, end };
  });
  return {
    members: all.map(({ member }) => member),
    close: async (): Promise<void> => {
      for (const { end } of all) end();
      await Promise.all(all.map(({ close }) => close()));
    },
  };
}

const progress_ms = 15_000;

/** Polls, and says now and then how far it is. */
export async function polledPanel(
  invocation: Invocation,
  members: readonly PanelMember[],
  questions: readonly PolledQuestion[],
  { findings, ...polling }: Collecting & { readonly findings: PanelFindings },
): Promise<Collected> {
  const progress = setInterval(() => {
    const absent = members.filter((member) => polling.attendance.isResting(member)).map(({ target }) => target.name);
    const without = absent.length > 0 ? `, without ${listedTogether(absent)}, which gave no answer` : "";
    invocation.warn(`${findings.progress}${without}`);
  }, progress_ms);
  try {
    return await collected(members, questions, { ...polling, findings });
  } finally {
    clearInterval(progress);
  }
}
