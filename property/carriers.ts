// Is a usage document the same by header and by query, whatever it tells? (§5.2)
import { deskOf, documentedPlaces, valueIn } from "../contracts/rest/desk.ts";
import { usage } from "../contracts/stimuli.ts";
import { type Check, Withheld } from "../harness/check.ts";
import { equals, held } from "../harness/finding.ts";
import { someIncrements } from "./arbitraries/increments.ts";
import { property } from "./property.ts";

export const properties: readonly Check[] = [
  property(
    "AUTH-ADM-EQ-01",
    { increments: someIncrements },
    async ({ increments }, bench) => {
      const { project } = await deskOf(bench, { prepaid: "1000000" });
      // Its clock stands still, so that nothing moves between the two reads.
      for (const { product, credits, pool } of increments) await project.consume(product, credits, { pool });
      const [header, query] = [await bench.ask(usage({ as: project.asker, keyIn: "header" })), await bench.ask(usage({ as: project.asker, keyIn: "query" }))];
      if (header.answer?.status !== 200 || query.answer?.status !== 200) throw new Withheld(`hidden: answered ${header.answer?.status} and ${query.answer?.status}`);
      const findings = documentedPlaces.map((at) => equals(at, valueIn(query, at), valueIn(header, at) ?? null));
      return { exchange: query, finding: findings.find(({ outcome }) => outcome === "broken") ?? held };
    },
    { name: "sameByEitherCarrier", part: "usage", each: [], control: { reads: 2 }, cases: { some: 3, few: 0 } },
  ),
];
