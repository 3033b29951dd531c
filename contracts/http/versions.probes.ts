// Probes of version headers and of unknown versions in paths (§9).
import type { Json } from "../../harness/core/json.ts";
import { type AnsweredExchange, withoutNumbers } from "../../harness/model/fingerprint.ts";
import { type Probe, unsupported } from "../../harness/model/probe.ts";
import { probesFor } from "../shared/forFeature.ts";
import { health } from "../shared/jsonRpcRequests.ts";
import { open } from "../shared/probeRequests.ts";
import { ownersUsage } from "../shared/requestSpecs.ts";
import { walletCalls } from "../wallet/describeCalls.ts";

/** Names of headers that announce versions or their end. */
const versionNames = /version|^deprecation$|^sunset$/;

function versionHeaders({ answer }: AnsweredExchange): Json {
  const found = answer.headers
    .filter(([name]) => versionNames.test(name))
    .map(([name, value]) => [name, withoutNumbers(value)] as const);
  return { status: answer.status, headers: found.length ? Object.fromEntries(found) : "none about versions" };
}

export const probes: readonly Probe[] = [
  probesFor(["usage", "compression", "wallet"]).requestProbe(
    "OBS-VER",
    {
      "the documented path": ownersUsage,
      "the same path under v1": open({ path: ["/v1/admin/projects/", { projectOf: "owner" }, "/usage"] }),
      "a JSON-RPC call": health(),
      ...walletCalls.VERSION,
    },
    { summary: versionHeaders, informs: ["VER-ADM-02"] },
  ),
  unsupported("usage", "OBS-VER-DESC", "the target gives no address of an OpenAPI document"),
];
