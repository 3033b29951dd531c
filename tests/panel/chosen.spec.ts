// Choosing a vendor: of six from several places, each planted defect is named, and honest ones only for their speed.
import { expect, test } from "@playwright/test";
import { chosenPlaces, extremesIn, panelAt, placesHeadline } from "./chosen.ts";

const [fra, , nyc] = chosenPlaces;
for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
  const isEvery = seed > 1;
  test(`planted defects are told by each place's scorecard, seed ${seed}`, {
    tag: isEvery ? "@slow" : [],
  }, async () => {
    const places = isEvery ? chosenPlaces : [fra, nyc];
    const panels = await Promise.all(places.map((place, nth) => panelAt(place, 10 * seed + nth)));
    for (const panel of panels)
      expect(extremesIn(panel), panel.vantage ?? "").toMatchObject({
        wrong: { worst: "wrong" },
        stale: { worst: "stale" },
        backwards: { worst: "replicas" },
        p50: { best: panel.vantage === "nyc" ? "beta" : "acme" },
        refusals: { worst: "limited" },
        price: { worst: "limited" },
      });
    const near = isEvery ? "fra and tyo" : "fra";
    expect(placesHeadline(panels)).toBe(
      "wrong is wrong everywhere; stale and replicas are behind everywhere; " +
        `acme is fastest from ${near}, beta from nyc.`,
    );
  });
}
