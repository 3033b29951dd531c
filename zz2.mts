import { judgedAnew } from "./cli/judgedAnew.ts";
import { ownProject } from "./cli/project.ts";
import { lawfulVariants } from "./proof/lawful/variants.ts";
import { benignVariants } from "./reference/generated/benignVariants.ts";
import { mutants } from "./reference/generated/mutants.ts";
import { journalInProcess, runFrom } from "./tests/support/runs.ts";

const all = [...lawfulVariants, ...benignVariants];
console.log(all.length, mutants.length);
const from = +process.argv[2],
  step = +process.argv[3];
const pick = [
  undefined,
  ...all.filter((_, i) => i % step === from),
  ...mutants.filter((_, i) => i % (step * 8) === from),
];
let t = Date.now();
for (const v of pick) {
  try {
    const lines = await journalInProcess(v ? { variant: v } : {});
    const run = JSON.parse(JSON.stringify(runFrom(lines)));
    const a = await judgedAnew({ project: ownProject, hide: () => {} } as any, run, lines);
    console.log(
      v?.id ?? "honest",
      typeof a === "string"
        ? a
        : JSON.stringify({
            answers: a.answers,
            b: a.breaches,
            notAgain: a.notAgain.slice(0, 5),
            contra: a.contradicted.slice(0, 3),
          }),
      Date.now() - t,
    );
  } catch (e) {
    console.log(v?.id, "ERR", e.message.slice(0, 200));
  }
  t = Date.now();
}
