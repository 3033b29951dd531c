// k6 asks a mix at set rates, and judges by the laws of the interface that this project judges.
import { laws } from "../../contracts/generated/laws.ts";
import { trafficJudgedBy } from "./traffic.ts";

export { handleSummary } from "./summary.ts";
export { options, pulse, setup } from "./traffic.ts";

export default trafficJudgedBy(laws);
