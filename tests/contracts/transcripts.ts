// Experiments on usage as transcripts: each command to a test project, each read, and what is demanded of it
import { expect, test } from "@playwright/test";
import { numbersIn } from "../../harness/core/json.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import type { Check, CheckContext, Shown } from "../../harness/model/check.ts";
import type { MadeProject } from "../../harness/transport/control.ts";
import { changed, type MadeRead, madeRead } from "./madeUsage.ts";

/** What a project's ledger is said to hold. */
const ledger = { used: "400.25", prepaidUsed: "33.5", prepaidRemaining: "8886.25" };

const figures = numbersIn(changed({}));

/** No figure is what any experiment demands, and each falls from read to read. */
const wrong = (nth: number): MadeRead => ({
  change: {
    ...Object.fromEntries(figures.map((at) => [at, -nth])),
    "/creditCycle/start": "2000-01-01",
    "/creditCycle/end": "2000-02-01",
  },
});

const inWords = (argument: unknown): string => {
  if (typeof argument !== "object" || argument === null) return String(argument);
  const { times, pool } = argument as { readonly times?: number; readonly pool?: string };
  return [...(times === undefined ? [] : [`×${times}`]), ...(pool === undefined ? [] : [`from ${pool}`])].join(" ");
};

/** By whose key, about which other project, and by which headers. */
function asked({ carriers, path, headers = [] }: RequestSpec): string {
  const [carrier] = carriers;
  const [part] = path.filter((one) => typeof one === "object");
  const who = carrier && "keyOf" in carrier.key ? carrier.key.keyOf : "nobody";
  const how = carrier && carrier.in !== "either" ? [`by ${carrier.in}`] : [];
  const of = part && "id" in part ? [`of ${part.id}`] : [];
  return [who, ...how, ...of, ...headers.map(([name, value]) => `${name}=${value}`)].join(" ");
}

/** What a check's plan says: its requests, its reads of test projects, and whether others may stand in for it. */
function planOf({ needs: { requests, control }, optional }: Pick<Check, "needs" | "optional">): string {
  const numbered = requests.map((one) => `${asked(one)}${one.again === undefined ? "" : ` #${one.again}`}`);
  const reads = control ? [`${control.reads} reads`] : [];
  return [...numbered, ...reads, ...(optional ? ["optional"] : [])].join(", ");
}

function demanded({ finding }: Shown): string {
  return finding.outcome === "held" ? "holds" : `${finding.at} ${finding.expected}`;
}

/** Runs an experiment where no figure is as demanded, so that each demand shows. @param answers where some differ */
export async function transcriptOf(check: Check, answers: readonly MadeRead[] = []): Promise<readonly string[]> {
  const lines: { text: string; readonly demands: string[] }[] = [];
  const note = (text: string): void => void lines.push({ text, demands: [] });
  const places = new Map<number, number>();
  const commands = new Proxy<{ readonly [name: string]: unknown }>(
    { asker: "made-1" },
    {
      get: (known, name: string) => {
        // A promise would have it.
        if (name === "then" || name in known) return known[name];
        return (...some: readonly unknown[]) => {
          note([name, ...some.map(inWords)].join(" "));
          return Promise.resolve(name === "ledger" ? ledger : undefined);
        };
      },
    },
  );
  const context: Partial<CheckContext> = {
    project: (wish = {}) => {
      note(`make ${JSON.stringify(wish)}`);
      return Promise.resolve(commands as unknown as MadeProject);
    },
    fresh: (requestSpec) => ({ ...requestSpec, issued: 1 }),
    ask: (requestSpec) => {
      const number = places.size + 1;
      places.set(number, lines.length);
      note(`${requestSpec.issued ? "read" : "ask"} ${asked(requestSpec)}`.replace("read made-1", "read"));
      return Promise.resolve(madeRead({ ...wrong(number), number, ...answers[number - 1] }));
    },
  };
  for (const shown of await check.run(context as CheckContext))
    lines[places.get(shown.exchange.number) ?? -1]?.demands.push(demanded(shown));
  return lines.map(({ text, demands }) => (demands.length > 0 ? `${text}: ${demands.join(", ")}` : text));
}

/** What an experiment proves, its plan, and its transcript. */
export type Row = readonly [ids: string, plan: string, steps: string];

const titleOf = ({ ids, shows }: Check): string => (ids.length > 0 ? ids.join(" ") : `shows ${shows.join(" ")}`);

/** One line per step, however demands are broken into lines. */
const steps = (text: string): string =>
  text
    .trim()
    .replace(/\n\s+/g, "\n")
    .replace(/([,:])\n(?=\/)/g, "$1 ");

/** A test that these checks are such experiments. */
export function holdTranscripts(subject: string, checks: readonly Check[], rows: readonly Row[]): void {
  test(`experiments on ${subject}: what they prove, what is planned for them, and their steps`, async () => {
    const found: Row[] = [];
    for (const check of checks) found.push([titleOf(check), planOf(check), (await transcriptOf(check)).join("\n")]);
    expect(found).toEqual(rows.map(([ids, plan, text]) => [ids, plan, steps(text)]));
    expect(new Set(checks.map(({ feature }) => feature))).toEqual(new Set(["usage"]));
  });
}
