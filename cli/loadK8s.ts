// assay load --k8s: writes the folder by which a cluster sends a load and judges it.
import { randomBytes } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { join, normalize } from "node:path";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { meansOwnMachine } from "../harness/core/loopback.ts";
import { withCarrier } from "../harness/core/requestSpec.ts";
import { removeHalf } from "../harness/record/wholeFile.ts";
import { parseableBase } from "../harness/targets/bases.ts";
import type { Target } from "../harness/targets/target.ts";
import { orderedTo } from "../load/k6/bundle.ts";
import { needsKey } from "../load/k6/keys.ts";
import { type ClusterLoad, manifestName, manifestsOf } from "../load/k8s/manifests.ts";
import { requestsInPhases, secondsOfPhases } from "../load/shapes/shapes.ts";
import type { LoadSuite } from "../load/traffic/mix.ts";
import type { LoadPlan } from "../load/traffic/plan.ts";
import { ordersFor } from "../load/traffic/traffic.ts";
import { counted, toTenths } from "../reports/numbers.ts";
import { type LoadFlags, refuseUnused } from "./flags.ts";
import { type LoadIdentity, partIdentity, type TargetTexts, targetTexts } from "./partFolders.ts";
import { version } from "./version.ts";
import { writeText } from "./writeText.ts";

interface K8sOrder extends Pick<ClusterLoad, "parts">, Pick<LoadFlags, "target" | "implied"> {
  readonly folder: string;
}

/** @throws CommandLineError for what can't be said of a load that is only set up */
export function refuseBesideK8s(flags: LoadFlags): void {
  const why = "with --k8s, which writes files for a cluster and sends nothing. Leave one out.";
  refuseUnused(flags, ["part", "start", "plan", "out", "history", "vantage", "json"], why);
}

const scriptFile = "load.js";
/** All that a ConfigMap may hold. */
const largest_bytes = 2 ** 20;

/**
 * Writes all files or none.
 * @returns what to do next
 * @throws CommandLineError where the folder holds files, or can't be written
 */
export async function loadK8s(suite: LoadSuite, target: Target, plan: LoadPlan, order: K8sOrder): Promise<string> {
  // An empty name is this folder's.
  const folder = normalize(order.folder);
  const copies = targetTexts("--k8s", target, order.target);
  refuseOwnMachine(target, plan, order.target);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() && readdirSync(folder).length > 0)
    throw new CommandLineError(`The folder ${folder} already contains files. Name another with --k8s, or empty it.`);
  const { name, texts } = await textsOf(suite, target, plan, { ...order, copies });
  try {
    for (const [file, text] of texts) writeText(join(folder, file), text, "Name another place with --k8s.");
  } catch (error) {
    for (const file of texts.keys()) removeHalf(join(folder, file));
    throw error;
  }
  return `${name} in ${counted(order.parts, "part")} is set up. ${join(folder, "README.md")} has its three commands.`;
}

/** @throws CommandLineError where what is loaded has an address that a pod can't reach */
function refuseOwnMachine({ bases }: Target, { mix }: LoadPlan, file: string | undefined): void {
  const loaded = [...new Set(mix.shares.map(({ requestSpec }) => requestSpec.api))];
  const unreachable = loaded.filter((api) => meansOwnMachine(new URL(parseableBase(bases[api] ?? ""))));
  if (unreachable.length === 0) return;
  const each = unreachable.map((api) => `bases.${api} is ${bases[api]}`).join(", ");
  throw new CommandLineError(
    `${file}: ${each}. A pod that calls this reaches only itself. Write an address that the cluster reaches, such as ` +
      "that of a Service, or leave out --k8s to send the load from this machine.",
  );
}

/** All files by their names. */
async function textsOf(
  { script }: LoadSuite,
  target: Target,
  plan: LoadPlan,
  { copies, parts, implied = "warn" }: K8sOrder & { readonly copies: TargetTexts },
) {
  const shape = plan.shape.name;
  // Two may be set up in one millisecond.
  const at = `${new Date().toISOString()}-${randomBytes(4).toString("hex")}`;
  // No preflight finds out which carrier each API accepts.
  const shares = plan.mix.shares.map((share) => ({ ...share, requestSpec: withCarrier(share.requestSpec, "header") }));
  const sent = { ...plan, mix: { ...plan.mix, shares } };
  const kept = await partIdentity(script, sent, `in ${counted(parts, "part")} by a cluster, set up at ${at}`, copies);
  const { orders, variable } = await ordersOf(script, target, kept, parts);
  const mapped = new Map([[scriptFile, await orderedTo(script, orders)], ...copies]);
  const bytes = Buffer.byteLength([...mapped.values()].join(""));
  if (bytes > largest_bytes)
    throw new CommandLineError(
      `The script and the files of ${target.name} have ${bytes} bytes, and a ConfigMap may have ${largest_bytes}. ` +
        "Shorten the target file, or send the load by `--part` on machines of your own.",
    );
  const requests = requestsInPhases(plan.phases);
  const seconds = secondsOfPhases(plan.phases);
  const load: ClusterLoad = {
    name: manifestName(target.name, shape),
    summary: `${shape} on ${target.name}: ${counted(requests, "request")} in ${toTenths(seconds)} s`,
    stamp: at.toLowerCase().replace(/[^0-9a-z]/g, ""),
    file: [...mapped.keys()],
    variable,
    assay: version,
    parts,
    requests,
    seconds,
    implied,
  };
  return { name: load.name, texts: new Map([...manifestsOf(load), ...mapped]) };
}

/** Orders that name variables in the place of keys, and only those of keys that are sent. */
async function ordersOf(script: LoadSuite["script"], target: Target, kept: LoadIdentity, of: number) {
  const { phases, mix, seed } = kept.plan;
  const traffic = { phases, shares: mix.shares, seed, script };
  const orders = await ordersFor(target, traffic, { of, startAt_ms: null, kept });
  const keys = target.variables.flatMap(({ name, at: [list, member = ""] }) => {
    const role = list === "keys" ? member : target.baseKeys.get(name)?.role;
    return role !== undefined && needsKey(orders.shares, role) ? [[role, { variable: name }] as const] : [];
  });
  const variable = [...new Set(keys.map(([, of]) => of.variable))];
  return { orders: { ...orders, keys: Object.fromEntries(keys) }, variable };
}
