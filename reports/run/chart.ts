// Vega-Lite charts as SVG markup: without script and style attributes, which the page's policy blocks.
import { parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";

const labels = { labelColor: "currentColor", titleColor: "currentColor", labelFontSize: 11, labelLimit: 0 } as const;

/** Colours are the page's own, which differ by light and dark. */
const config = {
  background: "transparent",
  // Title and table describe the chart.
  aria: false,
  font: "system-ui, sans-serif",
  view: { stroke: null },
  axis: {
    ...labels,
    domainColor: "currentColor",
    domainOpacity: 0.4,
    tickColor: "currentColor",
    tickOpacity: 0.4,
    gridColor: "currentColor",
    gridOpacity: 0.15,
    titleFontSize: 11,
    titleFontWeight: "normal",
  },
  legend: { ...labels, orient: "top", title: null, symbolType: "square" },
  header: {
    labelColor: "currentColor",
    labelFontSize: 12,
    labelFontWeight: 600,
    labelAnchor: "start",
    labelPadding: 2,
    title: null,
  },
} as const;

/** One chart as an image with a name. Only our own words and figures belong in it. */
export async function svgOf(id: string, title: string, spec: TopLevelSpec): Promise<string> {
  const { spec: compiled } = compile({ ...spec, config: { ...config, ...spec.config } });
  const svg = await new View(parse(compiled), { renderer: "none" }).toSVG();
  return (
    svg
      .replace(/^<svg /, `<svg role="img" aria-labelledby="${id}" focusable="false" `)
      .replace(">", `><title id="${id}">${textOf(title)}</title>`)
      // Parts of an image have no names of their own.
      .replaceAll(
        / (?:role="graphics-[a-z]+"|aria-roledescription="[^"]*"|aria-hidden="true"|pointer-events="none")/g,
        "",
      )
      .replaceAll(/ (?:d|transform)="[^"]*"/g, (place) => place.replaceAll(/(\.\d{2})\d+/g, "$1"))
  );
}

const textOf = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
