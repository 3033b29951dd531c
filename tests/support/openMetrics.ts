// A strict reader of OpenMetrics text for tests: what it takes is also Prometheus' text 0.0.4
export interface ReadSample {
  readonly name: string;
  readonly labels: { readonly [name: string]: string };
  readonly value: number;
}

export interface ReadMetric {
  readonly name: string;
  readonly type: string;
  readonly unit: string | null;
  readonly help: string;
  readonly samples: readonly ReadSample[];
}

const pair = String.raw`[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*"`;
const sampleLine = new RegExp(String.raw`^([a-zA-Z_]\w*)\{(${pair}(?:,${pair})*)\} (\S+)$`);
const unescapedBy: { readonly [escape: string]: string } = { "\\\\": "\\", '\\"': '"', "\\n": "\n" };

function sampleIn(line: string): ReadSample {
  const [, name = "", labels = "", value = ""] = sampleLine.exec(line) ?? [];
  if (name === "" || !/^(\d+|\d*\.\d+)(e[+-]\d+)?$/.test(value)) throw new Error(`no sample: ${line}`);
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = "", text = ""]) => [
    label,
    text.replace(/\\./g, (escape) => unescapedBy[escape] ?? "?"),
  ]);
  if (new Set(pairs.map(([label]) => label)).size < pairs.length) throw new Error(`a label twice: ${line}`);
  return { name, labels: Object.fromEntries(pairs) as ReadSample["labels"], value: Number(value) };
}

function refuseUnlike(metric: ReadMetric): void {
  const { name, type, unit, help, samples } = metric;
  if (!help || /["\\]/.test(help)) throw new Error(`the help of ${name}`);
  if (unit !== null && !name.endsWith(`_${unit}`)) throw new Error(`${name} doesn't end with its unit`);
  const suffixes = type === "histogram" ? ["_bucket", "_count", "_sum"] : [""];
  for (const one of samples)
    if (!suffixes.some((suffix) => one.name === name + suffix)) throw new Error(`${one.name} in ${name}`);
  if (type === "histogram") for (const some of histogramsIn(metric)) refuseHistogram(name, some);
}

/** The samples of each histogram, as they stand. */
function histogramsIn({ samples }: ReadMetric): readonly (readonly ReadSample[])[] {
  const found: ReadSample[][] = [];
  for (const one of samples)
    if (one.labels["le"] !== undefined && found.at(-1)?.at(-1)?.labels["le"] !== undefined) found.at(-1)?.push(one);
    else if (one.labels["le"] !== undefined) found.push([one]);
    else found.at(-1)?.push(one);
  return found;
}

function refuseHistogram(name: string, samples: readonly ReadSample[]): void {
  const own = samples.map(({ labels: { le: _, ...rest } }) => JSON.stringify(rest));
  if (new Set(own).size !== 1) throw new Error(`histograms of ${name} are mixed: ${own.join(" ")}`);
  const buckets = samples.filter(({ labels }) => labels["le"] !== undefined);
  const [count, sum] = [`${name}_count`, `${name}_sum`].map((one) => samples.find((sample) => sample.name === one));
  const bounds = buckets.map(({ labels: { le = "" } }) => (le === "+Inf" ? Number.POSITIVE_INFINITY : Number(le)));
  const rises = (figures: readonly number[], least: number): boolean =>
    figures.every((figure, nth) => nth === 0 || figure - (figures[nth - 1] ?? 0) >= least);
  if (bounds.at(-1) !== Number.POSITIVE_INFINITY || !rises(bounds.slice(0, -1), 1e-9)) throw new Error("bounds");
  if (buckets.some(({ labels: { le = "" } }) => le !== "+Inf" && !le.includes(".")))
    throw new Error("bounds as floats");
  if (
    !rises(
      buckets.map(({ value }) => value),
      0,
    )
  )
    throw new Error(`buckets of ${own[0]} aren't cumulative`);
  if (!count || !sum || samples.length !== buckets.length + 2) throw new Error(`${own[0]} lacks its count or sum`);
  if (count.value !== buckets.at(-1)?.value) throw new Error(`the count of ${own[0]}`);
}

/** @throws Error for what one of the two formats refuses */
export function openMetricsIn(text: string): readonly ReadMetric[] {
  const lines = text.split("\n");
  if (lines.pop() !== "" || lines.pop() !== "# EOF") throw new Error("the text doesn't end with # EOF");
  const metrics: (ReadMetric & { readonly samples: ReadSample[] })[] = [];
  const heads = new Map<string, string>();
  for (const line of lines) {
    const [, word, name = "", rest = ""] = /^# (TYPE|UNIT|HELP) (\w+) (.+)$/.exec(line) ?? [];
    if (word) {
      if (heads.has(`${word} ${name}`)) throw new Error(`twice: ${line}`);
      heads.set(`${word} ${name}`, rest);
      if (word === "HELP") {
        const [type = "", unit = null] = [heads.get(`TYPE ${name}`), heads.get(`UNIT ${name}`)];
        if (!["gauge", "histogram"].includes(type)) throw new Error(`the type of ${name}`);
        metrics.push({ name, type, unit, help: rest, samples: [] });
      }
    } else metrics.at(-1)?.samples.push(sampleIn(line));
  }
  const all = metrics.flatMap(({ samples }) => samples.map(({ name, labels }) => JSON.stringify([name, labels])));
  if (new Set(all).size < all.length) throw new Error("a series twice");
  for (const metric of metrics) refuseUnlike(metric);
  return metrics;
}

/** The samples of a metric with these labels. */
export const samplesIn = (text: string, name: string, labels: ReadSample["labels"] = {}): readonly ReadSample[] =>
  (openMetricsIn(text).find((metric) => metric.name === name)?.samples ?? []).filter((sample) =>
    Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
