// Every kind of fault on some requests and on all: what runs find, and what speaks against the judge
import type { Run } from "../../harness/record/run.ts";
import type { ProofTable } from "../table.ts";
import { type FaultRun, faultRun } from "./faultRun.ts";
import { faultKinds } from "./kinds.ts";

const rates = [0.05, 1] as const;

export const brokenIn = ({ requirements }: Run): readonly string[] =>
  requirements.flatMap(({ id, verdict }) => (verdict === "broken" ? [id] : []));

/** The cause that a reader is told first: of the whole run, or of the failures that came and went. */
export function causeIn({ preflight, intermittent, totals, requirements }: Run): string | null {
  const [cause] = [...(preflight?.unusable ?? []), ...(intermittent ?? []).map((one) => one.cause)];
  const reason = requirements.find(({ verdict }) => verdict === "inconclusive")?.reason ?? null;
  return cause ?? (totals.holds === 0 ? reason : null);
}

const listed = (ids: readonly string[]): string =>
  ids.length === 0 ? "none" : ids.length > 6 ? `${ids.length} requirements` : ids.join(" ");
const cell = ({ run, faulted }: FaultRun): readonly (string | number)[] => [
  faulted,
  listed(brokenIn(run)),
  run.totals.holds,
  run.exitCode,
];

const longestCause_chars = 120;

/** What faults alone accuse of; of corrupt answers all together may be the platform's own. */
const accusedIn = ({ kind, rate, run }: FaultRun): readonly string[] => {
  const { is, breaks = [] } = faultKinds[kind] ?? { is: "fault" };
  const broken = brokenIn(run).filter((id) => !breaks.some((one) => one === id));
  const isAll = rate === 1;
  const accused = is === "corrupt" && isAll ? [] : broken;
  const verified = (is === "fault" || is === "edge") && isAll && run.totals.holds > 0 ? ["verifies something"] : [];
  return [...accused.map((id) => `breaks ${id}`), ...verified].map(
    (what) => `${kind} on ${100 * rate} % of requests ${what}.`,
  );
};

/** @param runs of each kind: at 5 % and at 100 % */
export function tableOfFaults(runs: readonly (readonly [FaultRun, FaultRun])[]): ProofTable {
  const causeOf = ({ run }: FaultRun): string =>
    (causeIn(run) ?? "–")
      .replace(/^http:\/\/\S+ |: check.*|;.*/g, "")
      .replace(/:\d{4,5}\//, "/")
      .slice(0, longestCause_chars);
  return {
    title: "Faults between Assay and a platform",
    summary: `${runs.length} kinds of fault between Assay and the reference, on 5 % and on 100 % of requests.`,
    columns: [
      "kind",
      "is",
      ...["5 %", "100 %"].flatMap((rate) => [`${rate}: met`, "broken", "holds", "exit"]),
      "told first at 100 %",
    ],
    rows: runs.map(([some, all]) => [
      some.kind,
      faultKinds[some.kind]?.is ?? "–",
      ...cell(some),
      ...cell(all),
      causeOf(all),
    ]),
    wrong: runs.flat().flatMap(accusedIn),
  };
}

export async function faultTable(): Promise<ProofTable> {
  const runs: (readonly [FaultRun, FaultRun])[] = [];
  for (const kind of Object.keys(faultKinds))
    runs.push([await faultRun(kind, rates[0]), await faultRun(kind, rates[1])]);
  return tableOfFaults(runs);
}
