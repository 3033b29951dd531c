// Everything that is looked at and never judged.
import type { Probe } from "../../harness/probe.ts";
import { probes as auth } from "./auth.ts";
import { probes as bundleEntries } from "./bundleEntries.ts";
import { probes as bundleSends } from "./bundleSends.ts";
import { probes as bundleStatuses } from "./bundleStatuses.ts";
import { probes as bundles } from "./bundles.ts";
import { probes as compression } from "./compression.ts";
import { probes as context } from "./context.ts";
import { probes as credits } from "./credits.ts";
import { probes as cycles } from "./cycles.ts";
import { probes as errors } from "./errors.ts";
import { probes as http } from "./http.ts";
import { probes as meteredInside } from "./meteredInside.ts";
import { probes as metering } from "./metering.ts";
import { probes as prec } from "./prec.ts";
import { probes as rpc } from "./rpc.ts";
import { probes as rpcErrors } from "./rpcErrors.ts";
import { probes as rpcHttp } from "./rpcHttp.ts";
import { probes as tokenAccounts } from "./tokenAccounts.ts";
import { probes as tokenPages } from "./tokenPages.ts";
import { probes as usage } from "./usage.ts";
import { probes as versions } from "./versions.ts";

export const probes: readonly Probe[] = [
  ...http,
  ...rpcHttp,
  ...rpc,
  ...context,
  ...auth,
  ...prec,
  ...usage,
  ...cycles,
  ...credits,
  ...metering,
  ...meteredInside,
  ...errors,
  ...rpcErrors,
  ...versions,
  ...tokenAccounts,
  ...tokenPages,
  ...compression,
  ...bundles,
  ...bundleSends,
  ...bundleStatuses,
  ...bundleEntries,
];
