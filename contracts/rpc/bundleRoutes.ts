// Where do bundles go: to the region that was named, and away from flagged validators where that was asked? Needs a look at the routes. (§4.3)
import { type Check, type Shown, scenario, Withheld } from "../../harness/check.ts";
import { broken, held } from "../../harness/finding.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { accepted, type Sending, sending, sent } from "./bundles.ts";

interface Expected {
  /** Undefined: whichever. Null: none pinned, so the nearest. */
  readonly region?: string | null;
  readonly avoidsFlagged?: boolean;
}

/** A project of its own sends one bundle for each way, and control tells where each went. */
const routed = (id: RequirementId, ways: readonly (readonly [how: Sending, expected: Expected])[]): Check =>
  scenario(id, sending(ways.length, 0, { control: { reads: 0 } }), async (bench) => {
    const project = await bench.project();
    const shown: Shown[] = [];
    for (const [how, { region, avoidsFlagged }] of ways) {
      const exchange = await sent(bench, {}, { ...how, as: project.asker });
      const bundle = accepted(exchange);
      const route = (await project.routes()).find((one) => one.bundle === bundle);
      if (!route) throw new Withheld("control knows no route of the bundle");
      const wrongRegion = region === null ? route.isPinned : region !== undefined && route.region !== region;
      if (wrongRegion) shown.push({ exchange, finding: broken("the route", region === null ? "no region pinned" : `the region ${region}`, route.region) });
      else if (avoidsFlagged !== undefined && route.avoidsFlagged !== avoidsFlagged)
        shown.push({ exchange, finding: broken("the route", avoidsFlagged ? "flagged validators avoided" : "flagged validators not avoided", route.avoidsFlagged) });
      else shown.push({ exchange, finding: held });
    }
    return shown;
  });

const inHeader = (region: string): Sending => ({ headers: [["engine-region", region]] });
const protect = (text: string): Sending => ({ query: [["mev-protect", text]] });

export const checks: readonly Check[] = [
  routed("BND-MEV-02", [[{}, { avoidsFlagged: false }]]),
  routed("BND-MEV-03", [
    [protect("true"), { avoidsFlagged: true }],
    [protect("false"), { avoidsFlagged: false }],
  ]),
  routed("BND-MEV-04", [
    [protect("true"), { avoidsFlagged: true }],
    [{ headers: [["mev-protect", "true"]] }, { avoidsFlagged: false }],
    [{ options: { encoding: "base64", mevProtect: true } }, { avoidsFlagged: false }],
  ]),
  routed("BND-REG-02", [[{}, { region: null }]]),
  routed(
    "BND-REG-03",
    ["lon", "fra", "nyc", "tyo", "mainnet"].map((region) => [inHeader(region), { region }]),
  ),
  routed("BND-REG-04", [
    [inHeader("tyo"), { region: "tyo" }],
    [{ query: [["engine-region", "tyo"]] }, { region: null }],
  ]),
];
