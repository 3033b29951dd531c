// Is every JSON-RPC call counted once, under one product? What it costs isn't shown. (§1.5, §2.1)
import { type Check, type Shown, scenario, Withheld } from "../../harness/check.ts";
import { held, must } from "../../harness/finding.ts";
import { isServed, outcomeOf } from "../../harness/rpc.ts";
import type { Stimulus } from "../../harness/stimulus.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { type Growth, growthBy, notQuiet } from "../rest/metered.ts";
import { usage } from "../stimuli.ts";
import { goodRequests } from "./goodRequests.ts";
import { freshAddress, proofs } from "./requests.ts";

/** Numbers that nothing else asks by. */
const first = 7_000;
const numbered = (ask: (typeof goodRequests)[number]["ask"], count: number, from: number): readonly Stimulus[] =>
  Array.from({ length: count }, (_, nth) => ask({ as: "paid", id: from + nth }));

/** Identical but for the repetition. */
const repeated = (ask: (typeof goodRequests)[number]["ask"], count: number): readonly Stimulus[] =>
  Array.from({ length: count }, (_, nth) => ({ ...ask({ as: "paid", id: first - 1 }), again: first + nth }));

const needs = (asks: readonly Stimulus[], part: (typeof goodRequests)[number]["part"]) =>
  ({ part, asks: [usage({ as: "paid" }), ...asks], unless: notQuiet, first: true }) as const;

/** What counted calls, whichever key of `requests`. */
const countedIn = ({ moved }: Growth): readonly string[] => moved.filter((at) => at.startsWith("/requests/"));

function counting(id: RequirementId, part: (typeof goodRequests)[number]["part"], stimuli: readonly Stimulus[], judge: (growth: Growth, count: number) => Shown["finding"]): Check {
  return scenario(id, needs(stimuli, part), async (bench) => {
    const growth = await growthBy(bench, "paid", async () => {
      for (const stimulus of stimuli) {
        const exchange = await bench.ask(stimulus);
        if (!isServed(exchange)) throw new Withheld(`hidden: it drew ${outcomeOf(exchange)}`);
      }
    });
    if (growth.shown_ms === null && !bench.target.isReference) throw new Withheld("no call showed in half a minute: it may come later");
    return [{ exchange: growth.exchange, finding: judge(growth, stimuli.length) }];
  });
}

/** So many, in one product and no other. */
function inOneProduct(growth: Growth, count: number): Shown["finding"] {
  const [at = "/requests", ...others] = countedIn(growth);
  const isOne = others.length === 0 && at !== "/requests" && growth.of(at).eq(count);
  return isOne
    ? held
    : must(
        false,
        at,
        `${count} more in exactly one product`,
        countedIn(growth)
          .map((place) => `${place} ${growth.of(place).toFixed()} more`)
          .join(", ") || "nothing more",
      );
}

const asCompression = (growth: Growth, count: number): Shown["finding"] =>
  must(growth.of("/requests/compression").eq(count), "/requests/compression", `${count} more`, `${growth.of("/requests/compression").toFixed()} more`);

export const checks: readonly Check[] = [
  counting("MET-CMP-01", "compression", [proofs([freshAddress(0), freshAddress(1), freshAddress(2)], { as: "paid", id: first - 2 })], asCompression),
  ...goodRequests.filter(({ family }) => family === "compression").map(({ ask, part }) => counting("MET-CMP-01", part, numbered(ask, 3, first), asCompression)),
  ...goodRequests
    .filter(({ method }) => method === "getTokenAccounts")
    .flatMap(({ ask, part }) => [
      ...[1, 7].map((count) => counting("MET-REQ-01", part, numbered(ask, count, first + 100 * count), inOneProduct)),
      counting("MET-REQ-01", part, repeated(ask, 20), inOneProduct),
    ]),
];
