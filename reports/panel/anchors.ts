// Sections of a panel's page, to which its scorecard leads.

export const panelAnchors = {
  differed: "where-they-differed",
  agrees: "who-agrees",
  fresh: "who-is-fresh",
  back: "who-goes-back",
  fast: "who-is-fast",
  price: "what-it-costs",
  runs: "their-latest-runs",
} as const;
