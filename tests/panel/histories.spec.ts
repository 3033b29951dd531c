// Panels of several machines, as commands take and show them: appended, imported, concatenated and compared.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { assay, emptyFolder, expectCommandLineError, type PanelReport } from "../support/assay.ts";
import { panelFrom } from "./made.ts";

/** As `assay panel` leaves it. */
function panelFolder(panel: PanelReport): string {
  const folder = emptyFolder();
  writeFileSync(join(folder, "panel.json"), JSON.stringify(panel));
  return folder;
}

test("panels of several machines are appended once each, and their places stand beside each other", async () => {
  const [fra, later, unnamed] = [panelFrom("fra"), panelFrom("fra"), panelFrom(null, { takes: [30, 40, 60] })];
  const folders = [fra, later, unnamed].map(panelFolder);
  const place = join(emptyFolder(), "panels");
  const take = () => assay(["history", "import", ...folders, ...folders, "--history", place, "--vantage", "nyc"]);
  const linesOf = (...counts: readonly (readonly [string, string, number])[]): string =>
    counts.map(([file, fresh, known]) => `${join(place, file)}: ${fresh} appended, ${known} there already.\n`).join("");
  const [ofFra, ofNyc] = ["ada+bea+cyd@fra.panels", "ada+bea+cyd@nyc.panels"] as const;
  expect((await take()).stdout).toBe(linesOf([ofFra, "2 panels", 2], [ofNyc, "1 panel", 1]));
  expect((await take()).stdout).toBe(linesOf([ofFra, "0 panels", 4], [ofNyc, "0 panels", 2]));
  const shown = async () => (await assay(["history", place])).stdout;
  const before = await shown();
  expect(before).toMatch(/^bea is fastest from fra, ada from nyc; nobody is wrong anywhere\.\n {2}fra: 2 panels, /);
  expect(before).toContain(`\n${join(place, "ada+bea+cyd.places.html")}\n`);
  // By hand, and from another machine: nothing is counted twice.
  const lines = [ofFra, ofNyc, ofFra].map((file) => readFileSync(join(place, file), "utf8"));
  writeFileSync(join(place, "all.panels"), lines.join(""));
  writeFileSync(join(place, ofFra), `${lines[0]}{"cut`, { flag: "a" });
  expect(await shown()).toBe(before);
  const page = readFileSync(join(place, "ada+bea+cyd.places.html"), "utf8");
  for (const file of [ofFra, ofNyc]) {
    expect(page).toContain(`href="${file}.html"`);
    expect(existsSync(join(place, `${file}.html`))).toBe(true);
  }
  const { stdout } = await assay(["history", place, "--json"]);
  const { panels } = JSON.parse(stdout) as { readonly panels: readonly PanelReport[] };
  expect(panels.map(({ vantage, rounds }) => [vantage, rounds])).toEqual([
    ["fra", 20],
    ["nyc", 10],
  ]);
});

test("the page of a place says how many panels of other calls it leaves out", async () => {
  const workload = { name: "wallet", is: "mix", why: null, shares: {}, left: [], digest: "w" } as const;
  const folders = [panelFrom("fra"), panelFrom("fra", { workload })].map(panelFolder);
  const place = join(emptyFolder(), "panels");
  await assay(["history", "import", ...folders, "--history", place]);
  const { stdout } = await assay(["history", place]);
  expect(stdout).toContain("\n1 panel of the same vendors asked other calls, and is left out.\n");
  expect(stdout).not.toContain("2 nights");
});

test("compared panels of several places say who is best from where; exit code 1 where one is wrong", async () => {
  const panels = [panelFrom("fra"), panelFrom("tyo"), panelFrom("nyc", { wrong: 4 })];
  const [fra = "", tyo = "", nyc = ""] = panels.map(panelFolder);
  const { code, stdout } = await assay(["compare", fra, tyo, nyc, "--json"]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    vendors: ["ada", "bea", "cyd"],
    shares: { getTokenAccounts: 1 },
    places: [
      { vantage: "fra", order: { is: "fastest", vendor: 1 } },
      { vantage: "tyo", nights: 1 },
      { vantage: "nyc", vendors: [{ wrongOn: [] }, {}, { wrongOn: [{ question: "getTokenAccounts-1", answers: 4 }] }] },
    ],
  });
  const two = await assay(["compare", fra, tyo]);
  expect([two.code, two.stdout.split("\n")[0]]).toEqual([0, "bea is fastest everywhere; nobody is wrong anywhere."]);
  const again = await assay(["compare", fra, panelFolder(panelFrom("fra"))]);
  expect([again.code, again.stdout.split("\n")[0]]).toEqual([0, "Nobody is newly wrong."]);
  // A panel that names no place may be of the same.
  const unnamed = await assay(["compare", panelFolder(panelFrom(null)), fra]);
  expect(unnamed.stdout.split("\n")[0]).toBe("Nobody is newly wrong.");
  await expectCommandLineError(["history", "panels/a+b@fra.panels"], "is one history of panels. Name its folder");
  await expectCommandLineError(
    ["compare", fra, fra, nyc],
    "These are 2 panels from fra and 1 panel from nyc. Name two",
  );
  const vendors = panels[0]?.vendors.slice(0, 2) ?? [];
  const workload = { name: "wallet", is: "mix", why: null, shares: {}, left: [], digest: "w" } as const;
  await expectCommandLineError(
    ["compare", fra, panelFolder(panelFrom("sfo", { vendors }))],
    "asked other vendors: ada",
  );
  const reordered = panels[0]?.vendors.toReversed() ?? [];
  await expectCommandLineError(
    ["compare", fra, panelFolder(panelFrom("sfo", { vendors: reordered }))],
    "asked these vendors in another order: ada, bea, cyd, and cyd, bea, ada.",
  );
  await expectCommandLineError(["compare", fra, panelFolder(panelFrom("sfo", { workload }))], "asked other calls");
});
