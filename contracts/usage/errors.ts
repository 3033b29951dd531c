// Checks of the usage endpoint's 500 and of its 429 (§7.1).
import type { Check } from "../../harness/model/check.ts";
import { forFeature } from "../shared/forFeature.ts";
import { refuses } from "../shared/oracles.ts";
import { usageRequest } from "../shared/requestSpecs.ts";

const { check, scenario } = forFeature("usage");

/** Twice the limit and two more, so that some are refused whichever window the limiter counts. */
const burst = Array.from({ length: 12 }, (_, again) => usageRequest({ as: "owner", again }));

export const checks: readonly Check[] = [
  check("ERR-ADM-500-02", usageRequest({ as: "unbilled" }), refuses(500), { shows: ["ERR-ADM-500-01"] }),
  // load/rateLimits judges which requests are refused; this one only provokes a refusal for the laws of its words.
  scenario(
    [],
    { requests: burst, consent: "throttle", shows: ["ERR-ADM-429-01", "EXT-HTTP-05", "EXT-HTTP-06"] },
    async ({ atOnce, fresh }) => {
      await atOnce(burst.map(fresh));
      return [];
    },
  ),
];
