// How does the usage endpoint fail, and how does it refuse too many requests? (§7.1)
import type { Check } from "../../harness/model/check.ts";
import { forFeature } from "../shared/forFeature.ts";
import { refuses } from "../shared/oracles.ts";
import { usage } from "../shared/stimuli.ts";

const { check, scenario } = forFeature("usage");

/** Twice the limit and two more: enough to be refused whichever window is counted, and soon over. */
const burst = Array.from({ length: 12 }, (_, again) => usage({ as: "owner", again }));

export const checks: readonly Check[] = [
  check("ERR-ADM-500-02", usage({ as: "unbilled" }), refuses(500), { shows: ["ERR-ADM-500-01"] }),
  // What is refused and when is judged by the limits over time; here only how a refusal reads.
  scenario(
    [],
    { requests: burst, consent: "throttle", shows: ["ERR-ADM-429-01", "EXT-HTTP-05", "EXT-HTTP-06"] },
    async ({ atOnce }) => {
      await atOnce(burst);
      return [];
    },
  ),
];
