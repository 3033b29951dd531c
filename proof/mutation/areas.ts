// The areas of the judge that are mutated: the files of each, and the spec files that may find an edit there
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Edit, editsOf } from "./edits.ts";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** A folder, and what its files are named like. */
type Files = readonly [folder: string, names: RegExp];

const creditLaws = /^(creditArithmetic|cycles)\.laws\.ts$/;

export const areas: { readonly [area: string]: readonly Files[] } = {
  laws: [
    ...["bundles", "compression", "http", "jsonrpc", "tokenAccounts"].map(
      (room): Files => [`contracts/${room}`, /\.laws\.ts$/],
    ),
    ["contracts/usage", /^(document|errors)\.laws\.ts$/],
  ],
  oracles: [
    ["contracts/shared", /(^o|O)racles\.ts$|^schema\.laws\.ts$/],
    ["contracts/wallet", /^oracles\.ts$/],
  ],
  "credit arithmetic": [
    ["contracts/usage", creditLaws],
    ["contracts/usage", /^(credits|cycles|agreement|rounding)\.ts$/],
  ],
  verdicts: [
    ["harness/model", /^(verdict|narrowing)\.ts$/],
    ["harness/engine", /^(verdicts|ledger|inquiry)\.ts$/],
  ],
  walks: [["contracts/tokenAccounts", /^(walks|comparedWalks|pages)\.ts$/]],
  settling: [["contracts/metering", /^(settlement|usageMeasurement|growth|chargeWindow|settledStart|restless)\.ts$/]],
  "limiter model": [["load/rateLimits", /^(?!.*\.probes).*\.ts$/]],
  comparison: [
    ["reports/compare", /^(charges|compare|freshness|latency|limits|measured|observations|questions)\.ts$/],
    ["reports/compare", /^(requirements|shapes|statistics)\.ts$/],
  ],
  history: [["reports/history", /\.ts$/]],
};

/** Those that are about the areas, start no process of ours and wait for no real time. */
export const specFiles: readonly Files[] = [
  ["tests", /^golden\.spec\.ts$/],
  [
    "tests/contracts",
    /^(agreement|chargeAudit|credit|cycle|law|meter|oracles|pages|reads|schema|token|vendor)\w*\.spec\.ts$/,
  ],
  [
    "tests/harness",
    /^(defects|ending|foreign|inquiry|ledger|memory|narrowing|observing|renaming|scheduler|verdict)\.spec\.ts$/,
  ],
  ["tests/harness", /^(deviations|enforcement|findings|judgement|narrowed|repeating|subjects|verdicts)\.spec\.ts$/],
  ["tests/load", /^(limit|rateLimit|scopes)\w*\.spec\.ts$/],
  ["tests/proof", /^(limiterRecognition|rateLimitAccuracy|unlistedMutants)\.spec\.ts$/],
  ["tests/reports", /^(compare\w*|comparison|rankStatistics|statistics)\.spec\.ts$/],
  ["tests/reports", /^(changePoints|comparedNights|history|historyWords|night\w*|openMetrics|strips)\.spec\.ts$/],
];

export const filesOf = (some: readonly Files[]): readonly string[] =>
  some.flatMap(([folder, names]) =>
    readdirSync(`${root}/${folder}`)
      .filter((name) => names.test(name))
      .sort()
      .map((name) => `${folder}/${name}`),
  );

export const sourceOf = (file: string): string => readFileSync(`${root}/${file}`, "utf8");

export interface AreaEdit extends Edit {
  readonly area: string;
}

/** All edits of all areas; their places in the list are their numbers. */
export const allEdits = (): readonly AreaEdit[] =>
  Object.entries(areas).flatMap(([area, some]) =>
    filesOf(some).flatMap((file) => editsOf(file, sourceOf(file)).map((edit) => ({ ...edit, area }))),
  );
