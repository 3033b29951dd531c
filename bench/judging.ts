// Benchmark: judging an answer by all laws, relative to parsing its body
import { median } from "simple-statistics";
import { contractSuite } from "../contracts/suite.ts";
import { accountsPerPage, fullPage } from "./page.ts";
import type { Ratio } from "./ratio.ts";

/** Times as long as JSON.parse takes. */
const most = 10;

/** Code runs several times slower before it is compiled. */
const warmUps = 100;

function duration_ms(work: () => void): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

export async function measureJudging({ rounds = 200 } = {}): Promise<Ratio> {
  const exchange = await fullPage();
  const text = exchange.answer?.text ?? "";
  const findings = (): number => contractSuite.laws.reduce((count, law) => count + law.judge(exchange).size, 0);
  if (findings() < 20) throw new Error("hardly any law concerns a page of token accounts");
  for (let round = 0; round < warmUps; round += 1) findings();
  const parsing: number[] = [];
  const judging: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    parsing.push(duration_ms(() => void JSON.parse(text)));
    judging.push(duration_ms(() => void findings()));
  }
  return {
    name: `judging ${accountsPerPage} token accounts by ${contractSuite.laws.length} laws, of what parsing them takes`,
    measured: median(judging) / median(parsing),
    bound: { atMost: most },
  };
}
