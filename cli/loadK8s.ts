// assay load --k8s: writes the folder by which a cluster sends a load and judges it.
import { randomBytes } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { join, normalize } from "node:path";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { carriedBy } from "../harness/core/stimulus.ts";
import { removeHalf } from "../harness/record/wholeFile.ts";
import type { Target } from "../harness/target/target.ts";
import { orderedTo } from "../load/k6/bundle.ts";
import { needsKey } from "../load/k6/keys.ts";
import { type ClusterLoad, manifestsOf, nameOf, scriptFile } from "../load/k8s/manifests.ts";
import { requestsOf, secondsOf } from "../load/shapes/shapes.ts";
import type { LoadSuite } from "../load/traffic/mix.ts";
import type { LoadPlan } from "../load/traffic/plan.ts";
import { ordersFor } from "../load/traffic/traffic.ts";
import { counted, toTenths } from "../reports/numbers.ts";
import { type LoadFlags, refuseUnused } from "./flags.ts";
import { identityOf, type LoadIdentity, targetTexts } from "./partFolders.ts";
import { version } from "./version.ts";
import { writeText } from "./writeText.ts";

interface K8sOrder extends Pick<ClusterLoad, "parts" | "impliedFails"> {
  readonly folder: string;
  readonly targetFile: string;
}

/** Where the files go, and which target they are for; null where no cluster sends the load. */
export function k8sNamed(flags: LoadFlags): Pick<K8sOrder, "folder" | "targetFile"> | null {
  const { k8s: folder, target } = flags;
  if (folder === undefined) return null;
  const why = "with --k8s, which writes files for a cluster and sends nothing. Leave one out.";
  refuseUnused(flags, ["part", "start", "plan", "out", "history", "vantage", "json"], why);
  if (target === undefined) throw new CommandLineError(unreachable);
  return { folder, targetFile: target };
}

const unreachable =
  "--k8s sets up a load from a cluster, which doesn't reach the embedded reference platform. " +
  "Name the target file of another with --target.";

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
  if (target.isReference) throw new CommandLineError(unreachable);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() && readdirSync(folder).length > 0)
    throw new CommandLineError(`The folder ${folder} holds files already. Name another with --k8s, or empty it.`);
  const { name, texts } = await textsOf(suite, target, plan, order);
  try {
    for (const [file, text] of texts) writeText(join(folder, file), text, "Name another place with --k8s.");
  } catch (error) {
    for (const file of texts.keys()) removeHalf(join(folder, file));
    throw error;
  }
  return `${name} in ${counted(order.parts, "part")} is set up. ${join(folder, "README.md")} has its three commands.`;
}

/** All files by their names. */
async function textsOf(
  { script }: LoadSuite,
  target: Target,
  plan: LoadPlan,
  { targetFile: file, parts, impliedFails }: K8sOrder,
) {
  const [shape, copies] = [plan.shape.name, targetTexts(file)];
  // Two may be set up in one millisecond.
  const at = `${new Date().toISOString()}-${randomBytes(4).toString("hex")}`;
  // No preflight finds out which carrier each API accepts.
  const shares = plan.mix.shares.map((share) => ({ ...share, stimulus: carriedBy(share.stimulus, "header") }));
  const sent = { ...plan, mix: { ...plan.mix, shares } };
  const kept = await identityOf(script, sent, parts, `by a cluster, set up at ${at}`, copies);
  const { orders, variables } = await ordersOf(script, target, kept);
  const mapped = new Map([[scriptFile, await orderedTo(script, orders)], ...copies]);
  const bytes = Buffer.byteLength([...mapped.values()].join(""));
  if (bytes > largest_bytes)
    throw new CommandLineError(
      `The script and the files of ${target.name} have ${bytes} bytes, and a ConfigMap may have ${largest_bytes}. ` +
        "Shorten the target file, or send the load by `--part` on machines of your own.",
    );
  const [requests, seconds] = [requestsOf(plan.phases), secondsOf(plan.phases)];
  const load: ClusterLoad = {
    ...{ name: nameOf(target.name, shape), parts, variables, impliedFails, requests, seconds },
    summary: `${shape} on ${target.name}: ${counted(requests, "request")} in ${toTenths(seconds)} s`,
    stamp: at.toLowerCase().replace(/[^0-9a-z]/g, ""),
    ...{ files: [...mapped.keys()], assay: version },
  };
  return { name: load.name, texts: new Map([...manifestsOf(load), ...mapped]) };
}

/** Orders that name variables in the place of keys, and only those of keys that are sent. */
async function ordersOf(script: LoadSuite["script"], target: Target, kept: LoadIdentity) {
  const { plan, of } = kept;
  const { shares } = plan.mix;
  const orders = await ordersFor(target, { ...plan, shares, script }, { of, startAt_ms: null, kept });
  const keys = target.variables.flatMap(({ name, field }) => {
    const [, role] = /^keys\.(\w+)\.env$/.exec(field) ?? [];
    return role !== undefined && needsKey(orders.shares, role) ? [[role, { variable: name }] as const] : [];
  });
  const variables = [...new Set(keys.map(([, { variable }]) => variable))];
  return { orders: { ...orders, keys: Object.fromEntries(keys) }, variables };
}
