// Checks of routes, read through control: regions, and flagged validators avoided or not (§4.3)
import { must } from "../../harness/core/finding.ts";
import { notSeen } from "../../harness/core/outcomes.ts";
import { type Check } from "../../harness/model/check.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import type { BundleRoute } from "../shared/control.ts";
import { inTurn } from "../shared/inTurn.ts";
import { accepted, type BundleSending, inProject, inRegion, protecting, sent } from "./requests.ts";

type Finder = (routes: readonly BundleRoute[]) => readonly (string | null)[];

/** An isolated project sends one bundle for each way; `wrongs` gives what is wrong with each route, or null. */
const routed = (id: RequirementId, ways: readonly BundleSending[], wrongs: Finder): Check =>
  inProject(id, Array<number>(ways.length).fill(1), 0, async (project, context) => {
    const exchanges = await inTurn(ways, (how) => sent(context, {}, { ...how, as: project.asker }));
    const log = await project.routes();
    const routes = exchanges.map((exchange) => {
      const route = log.find(({ bundle }) => bundle === accepted(exchange));
      if (!route) throw notSeen("control knows no route of the bundle");
      return route;
    });
    const found = wrongs(routes);
    return exchanges.map((exchange, nth) => {
      const wrong = found[nth] ?? null;
      return { exchange, finding: must(wrong === null, "the route", wrong ?? "", JSON.stringify(routes[nth])) };
    });
  });

/** Whether flagged validators were avoided, bundle by bundle. */
const avoiding =
  (...expected: readonly boolean[]): Finder =>
  (routes) =>
    routes.map(({ avoidsFlagged }, nth) =>
      avoidsFlagged === expected[nth] ? null : `flagged validators ${expected[nth] ? "" : "not "}avoided`,
    );

/** All like the first, which was sent without options. */
const alike: Finder = ([plainly, ...others]) => [
  null,
  ...others.map(({ region, isPinned, avoidsFlagged }) =>
    region === plainly?.region && isPinned === plainly.isPinned && avoidsFlagged === plainly.avoidsFlagged
      ? null
      : `the route of a plain bundle: ${JSON.stringify(plainly)}`,
  ),
];

const pinned = ["lon", "fra", "nyc", "tyo", "mainnet"];

export const checks: readonly Check[] = [
  routed("BND-MEV-02", [{}], avoiding(false)),
  routed("BND-MEV-03", [protecting("true"), protecting("false")], avoiding(true, false)),
  routed(
    "BND-MEV-04",
    [{}, { headers: [["mev-protect", "true"]] }, { options: { encoding: "base58", mevProtect: true } }],
    alike,
  ),
  // On vendors sendBundle's own checks show that the header may be left out.
  { ...routed("BND-REG-02", [{}], ([route]) => [route?.isPinned ? "no region pinned" : null]), optional: true },
  routed("BND-REG-03", pinned.map(inRegion), (routes) =>
    routes.map(({ region }, nth) => (region === pinned[nth] ? null : `the region ${pinned[nth]}`)),
  ),
  routed("BND-REG-04", [{}, { query: [["engine-region", "tyo"]] }], alike),
];
