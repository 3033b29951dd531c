// What do answers show of versions? (§9)

import type { Json } from "../../harness/core/json.ts";
import { type Answered, masked } from "../../harness/model/fingerprint.ts";
import { type Probe, requestProbe, unsupported } from "../../harness/model/probe.ts";
import { health } from "../shared/jsonRpcRequests.ts";
import { open, owners } from "../shared/probeRequests.ts";
import { cases } from "../wallet/describeCalls.ts";

/** Headers by which versions and their end are told. */
const telling = /version|^deprecation$|^sunset$/;

function versionHeaders({ answer }: Answered): Json {
  const told = answer.headers
    .filter(([name]) => telling.test(name))
    .map(([name, value]) => [name, masked(value)] as const);
  return { status: answer.status, headers: told.length ? Object.fromEntries(told) : "none that tell a version" };
}

export const probes: readonly Probe[] = [
  requestProbe(
    "OBS-VER",
    {
      "the documented path": owners,
      "the same path under v1": open({ path: ["/v1/admin/projects/", { projectOf: "owner" }, "/usage"] }),
      "a JSON-RPC call": health(),
      ...cases.VERSION,
    },
    { feature: ["usage", "compression", "wallet"], summary: versionHeaders, informs: ["VER-ADM-02"] },
  ),
  unsupported("OBS-VER-DESC", "the target names no address of a description", "usage"),
];
