// A process that reads a load as `assay load` does and prints how far its memory rose
import { targetForm } from "../contracts/targets.ts";
import { realClock } from "../harness/core/clock.ts";
import { readTarget } from "../harness/targets/targetFile.ts";
import { loadSuite } from "../load/suite.ts";
import { findingsOf } from "../load/traffic/findings.ts";
import { mixFor } from "../load/traffic/mix.ts";
import { drive } from "../load/traffic/traffic.ts";

export interface LoadRead {
  /** The most that was resident. */
  readonly peak_bytes: number;
  /** Whole answers among the requests. */
  readonly shown: number;
  readonly requests: number;
}

const [file = "", path = "", perSecond, seconds] = process.argv.slice(2);
const target = readTarget(targetForm, file, process.env);
const phases = [{ name: "steady", seconds: Number(seconds), perSecond: Number(perSecond) }];
const { tally, shown } = await drive({ path, version: "2.2.0" }, target, {
  phases,
  shares: mixFor(target, loadSuite.reads).shares,
  seed: 1,
  script: loadSuite.script,
});
findingsOf(shown, { target, suite: loadSuite, clock: realClock, impliedFails: false, doubt: null });
console.log(
  JSON.stringify({
    peak_bytes: process.resourceUsage().maxRSS * 1024,
    shown: shown.length,
    requests: tally.requests,
  } satisfies LoadRead),
);
