// Mutants that only a certain sequence of commands shows
import Big from "big.js";
import { cycleAt, timeOf } from "./metering/calendar.ts";
import { type ChargedProduct, type LedgerEntry, sumOfAmounts } from "./platform/ledger.ts";
import { replaced, unlistedOf, usageDoc } from "./platform/mutant.ts";
import { nowOf, type Project } from "./platform/project.ts";
import { creditsOf } from "./platform/usageParts.ts";
import type { Doc, JsonRpcCall, PlatformAnswer, ResponseMutation, Value } from "./platform/wire.ts";

/** Entries of a project from before its current cycle, and of it. */
function partedIn(
  { billingAnchor, ledger }: Project,
  now_ms: number,
): { readonly before: readonly LedgerEntry[]; readonly current: readonly LedgerEntry[] } {
  const from_ms = timeOf(cycleAt(billingAnchor, now_ms).start);
  return {
    before: ledger.entries.filter(({ at_ms }) => at_ms < from_ms),
    current: ledger.entries.filter(({ at_ms }) => at_ms >= from_ms),
  };
}

const isOf =
  (product: ChargedProduct) =>
  (entry: LedgerEntry): boolean =>
    entry.product === product;

/** Its counter was closed with the cycle. */
const closedCounter: ResponseMutation = replaced("/requests/compression", (honest, _, { project, now_ms }) =>
  project && partedIn(project, now_ms).before.some(isOf("compression")) ? 0 : honest,
);

/** What was rounded off at the end of a cycle comes back with the product's next use. */
const fractionsKept: ResponseMutation = usageDoc((doc, { project, now_ms }) => {
  if (!project) return doc;
  const { before, current } = partedIn(project, now_ms);
  const total = (entries: readonly LedgerEntry[], product: ChargedProduct): Big =>
    sumOfAmounts(entries.filter(isOf(product)).map(({ credits }) => credits));
  const shown = (product: ChargedProduct, honest: number): number => {
    const left = total(before, product).mod(1);
    return left.eq(0) || !current.some(isOf(product)) ? honest : total(current, product).plus(left).round(0).toNumber();
  };
  return creditsOf(doc, shown);
});

/** Wallet calls in total and by project, and those of others when a project first sent a bundle. */
const walletCalls = { all: 0, of: new WeakMap<Project, number>(), before: new WeakMap<Project, number>() };
const othersCalls = (project: Project): number => walletCalls.all - (walletCalls.of.get(project) ?? 0);

/** The cycle after one with a bundle in it is counted together with other projects' wallet calls. */
const countedTogether: ResponseMutation = (answer, call) => {
  const { project } = call;
  if (!project) return answer;
  if (call.wallet) {
    walletCalls.all += 1;
    walletCalls.of.set(project, (walletCalls.of.get(project) ?? 0) + 1);
  }
  if (isServedBundle(call) && !walletCalls.before.has(project)) walletCalls.before.set(project, othersCalls(project));
  const since = walletCalls.before.get(project);
  if (since === undefined || !partedIn(project, call.now_ms).before.some(isOf("rpc"))) return answer;
  return replaced("/requests/walletApi", (honest) => Number(honest) + othersCalls(project) - since)(answer, call);
};

const isServedBundle = ({ rpc }: JsonRpcCall): boolean => rpc?.method === "sendBundle" && rpc.cause === null;

/** So many are kept of each project. */
const keptBundles = 5;
const sentBy = new WeakMap<Project, Value[]>();

/** Of a project's bundles only the latest are told of. */
const latestOnly: ResponseMutation = (answer, call) => {
  const { project, rpc } = call;
  if (!project || !rpc || rpc.cause !== null) return answer;
  const body = answer.body as Doc;
  const sent = sentBy.get(project) ?? [];
  sentBy.set(project, sent);
  if (isServedBundle(call) && !sent.includes(body["result"] ?? null)) sent.push(body["result"] ?? null);
  if (rpc.method !== "getBundleStatuses") return answer;
  const result = body["result"] as Doc;
  const isForgotten = (entry: Value): boolean =>
    sent.slice(0, -keptBundles).includes((entry as Doc | null)?.["bundle_id"] ?? "");
  return {
    ...answer,
    body: {
      ...body,
      result: { ...result, value: (result["value"] as Value[]).map((entry) => (isForgotten(entry) ? null : entry)) },
    },
  };
};

/** In which cycle a project was first refused a bundle for its rate, and how; and when it was served of late. */
const refusedIn = new WeakMap<Project, { readonly cycle: string; readonly refusal: PlatformAnswer }>();
const servedAt = new WeakMap<Project, readonly number[]>();

/** As many bundles a second as are left to a project that once exceeded its limit. */
const leftToIt = 4;

/** The next cycle begins with a smaller limit. */
const slowedLater: ResponseMutation = (answer, { project, rpc, now_ms }) => {
  if (!project || rpc?.method !== "sendBundle") return answer;
  const cycle = cycleAt(project.billingAnchor, nowOf(project, now_ms)).start;
  if (rpc.cause === "rate" && !refusedIn.has(project)) refusedIn.set(project, { cycle, refusal: answer });
  const known = refusedIn.get(project);
  if (rpc.cause !== null || !known || known.cycle === cycle) return answer;
  const recent = (servedAt.get(project) ?? []).filter((at_ms) => now_ms - at_ms < 1_000);
  const isIn = recent.length < leftToIt;
  servedAt.set(project, isIn ? [...recent, now_ms] : recent);
  return isIn ? answer : { ...known.refusal, body: { ...(known.refusal.body as Doc), id: rpc.id } };
};

export const sequential = unlistedOf({
  "compression calls aren't counted in the cycle after one with some": ["MET-CMP-01", closedCounter],
  "a fraction of a credit comes back in the next cycle, with the product's next use": ["CRD-SCOPE-01", fractionsKept],
  "in the cycle after one with a bundle, other projects' wallet calls count too": ["MET-SCOPE-01", countedTogether],
  "bundles are forgotten once their project has sent five more": ["BST-ALIGN-01", latestOnly],
  "in the cycle after one with too many bundles at once, four a second are served": ["RATE-SB-01", slowedLater],
});
