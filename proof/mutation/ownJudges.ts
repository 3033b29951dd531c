// What judges edits besides self-tests: the honest platform, benign variants and mutants of the reference
import { Engine } from "../../harness/engine/engine.ts";
import { suite } from "../../load/suite.ts";
import { type RequirementId, requirements } from "../../specs/generated/requirements.ts";
import { inProcess } from "../inProcess.ts";
import { select, tryControl, tryDeclared } from "../mutants.ts";

export interface OwnJudge {
  readonly name: string;
  /** @throws where the edit shows */
  run(): Promise<void>;
}

function demand(isAsItShould: boolean, what: unknown): void {
  if (!isAsItShould) throw new Error(JSON.stringify(what));
}

const areaOf = (id: string): string => id.slice(0, id.indexOf("-"));

/** Every requirement of an area holds on the honest platform, as a self-test has it. */
const honestly = (area: string): OwnJudge => ({
  name: `honest platform: ${area}`,
  run: async () => {
    const only = requirements.map(({ id }): RequirementId => id).filter((id) => areaOf(id) === area);
    const verdicts = await new Engine({ ...inProcess(suite, undefined, { hasSchedules: true }), only }).run();
    const others = verdicts.filter(
      ({ id, verdict, reason }) =>
        areaOf(id) === area && verdict !== "holds" && !/^(about Assay itself|only observed)/.test(reason ?? ""),
    );
    demand(others.length === 0 && !verdicts.some(({ verdict }) => verdict === "broken"), others);
    demand(verdicts.filter(({ id }) => areaOf(id) === area).length === only.length, verdicts.length);
  },
});

export function ownJudges(): readonly OwnJudge[] {
  const { mutants, benignVariants } = select([]);
  return [
    ...[...new Set(requirements.map(({ id }) => areaOf(id)))].map(honestly),
    ...benignVariants.map((variant) => ({
      name: `benign variant: ${variant.id}`,
      run: async () => {
        const fate = await tryControl(suite, variant);
        demand(fate.result === "silent", fate);
      },
    })),
    ...mutants.map((mutant) => ({
      name: `mutant: ${mutant.id}`,
      run: async () => {
        const fate = await tryDeclared(suite, mutant);
        demand(fate.result === "killed", fate);
      },
    })),
  ];
}
