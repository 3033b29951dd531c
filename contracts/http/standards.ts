// Checks of the HTTP standards on the usage endpoint, all advisory.
import { broken, held } from "../../harness/core/finding.ts";
import { notSeen } from "../../harness/core/outcomes.ts";
import type { Check, Oracle } from "../../harness/model/check.ts";
import { forFeature } from "../shared/forFeature.ts";
import { notTested } from "../shared/masked.ts";
import { answers } from "../shared/oracles.ts";
import { ownersUsage, undescribed, usagePath, usageRequest } from "../shared/requestSpecs.ts";
import { allowsWith405 } from "./headers.laws.ts";

const { check } = forFeature("usage");

const inUpperCase = { ...ownersUsage, path: usagePath({ projectOf: "owner", upperCase: true }) };
const byHeader = usageRequest({ as: "owner", keyIn: "header" });

/** The answer to GET without its content. */
const headLikeGet: Oracle = async ({ answer }, { ask }) => {
  const got = await ask(ownersUsage);
  if (got.answer?.status !== 200) throw notTested(`GET got ${got.answer?.status}`);
  if (answer?.status !== 200) return broken("status", "200, as to GET", answer?.status);
  return answer.text === "" ? held : broken("", "no content", answer.text.slice(0, 80));
};

const hasAllow: Oracle = ({ answer }) => {
  if (answer?.status !== 405) throw notSeen(`no 405: POST returned ${answer?.status}`);
  return allowsWith405(answer);
};

export const checks: readonly Check[] = [
  check("EXT-HTTP-01", usageRequest({ as: "anonymous" })),
  check("EXT-HTTP-02", undescribed("POST", usagePath({ projectOf: "owner" }), "owner"), hasAllow),
  check("EXT-HTTP-03", undescribed("HEAD", usagePath({ projectOf: "owner" }), "owner"), headLikeGet),
  ...["x-api-key", "X-API-KEY"].map((keyName) =>
    check("EXT-HTTP-04", usageRequest({ as: "owner", keyIn: "header", keyName }), answers(200, byHeader), {
      positiveControl: byHeader,
    }),
  ),
  check(["EXT-HTTP-07", "EXT-RL-01", "EXT-RL-02"], ownersUsage),
  check("EXT-UUID-01", inUpperCase, answers(200, ownersUsage), { positiveControl: ownersUsage }),
];
