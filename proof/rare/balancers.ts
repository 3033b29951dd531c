// When a rare defect shows: which requests reach the faulty one of two replicas, or which of its answers are changed
import { isObject, type Json, valueAt } from "../../harness/core/json.ts";
import type { WireRequest } from "../../harness/transport/wire.ts";
import { chanceOf } from "../../load/k6/chance.ts";
import type { Variant } from "../../reference/platform/mutant.ts";
import { nowOf } from "../../reference/platform/project.ts";
import { keyIn } from "../../reference/platform/proxy.ts";
import { bodyText } from "../../reference/platform/wire.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import { type Balancer, balancedBy, type Replicas } from "../inProcess.ts";

/** A way to be wrong only now and then. */
export interface Rarity {
  readonly name: string;
  /** The only feature whose requests can be so. */
  readonly feature?: Feature;
  readonly balancer?: Balancer;
  /** The defect as it shows then; null where it can't be made of this variant. */
  readonly changed?: (variant: Variant) => Variant | null;
}

/** One request in so many, by a seeded draw. */
export const oneIn = (many: number, seed: number): Balancer => {
  let sent = 0;
  return balancedBy(() => chanceOf(seed, sent++) < 1 / many);
};

/** The owner's key is the first of the first project. */
const otherKeys = balancedBy((request, { world }) => {
  const key = keyIn(request);
  return key !== null && key !== world.projects[0]?.keys[0]?.value;
});

const isFebruary = (request: WireRequest, { world, now_ms }: Replicas): boolean => {
  const holder = world.holderOf(keyIn(request) ?? "");
  return holder !== undefined && new Date(nowOf(holder.project, now_ms())).getUTCMonth() === 1;
};

/** Pages from the third on, by their number or by how many cursors led there. */
const thirdPages: Balancer = ({ honest, faulty }) => {
  const depths = new Map<string, number>();
  return async (request, ...rest) => {
    const params = paramsIn(request.body);
    const cursor = params?.["cursor"];
    const page = params?.["page"];
    const depth = typeof cursor === "string" ? (depths.get(cursor) ?? 1) : typeof page === "number" ? page : 1;
    const answer = await (depth >= 3 ? faulty : honest)(request, ...rest);
    const next = params && /"cursor":"([^"]+)"/.exec(new TextDecoder().decode(answer.body))?.[1];
    if (next) depths.set(next, depth + 1);
    return answer;
  };
};

function paramsIn(body: string | undefined): { readonly [name: string]: Json } | null {
  if (!body?.includes('"getTokenAccounts"')) return null;
  try {
    const params = valueAt(JSON.parse(body) as Json, "/params");
    return isObject(params) ? params : null;
  } catch {
    return null;
  }
}

/** More requests than this within a second are a load. */
const calm_perSecond = 30;

const underLoad: Balancer = (replicas) => {
  const sent_ms: number[] = [];
  return balancedBy((_, { now_ms }) => {
    sent_ms.push(now_ms());
    const before_ms = sent_ms.at(-1 - calm_perSecond);
    return before_ms !== undefined && now_ms() - before_ms <= 1_000;
  })(replicas);
};

/** A whole number of 2^53 or more, bare or as text. */
const large = /(?<![\d.])\d{16,20}(?![\d.])/g;
const hasLarge = (text: string): boolean => (text.match(large) ?? []).some((one) => BigInt(one) >= 2n ** 53n);

/** Answers that hold a number beyond 2^53. */
function aboveSafe({ answer, ...variant }: Variant): Variant | null {
  if (!answer || variant.rules || variant.proxy) return null;
  return {
    ...variant,
    answer: (honest, call) => {
      const text = bodyText(structuredClone(honest.body));
      return typeof text === "string" && hasLarge(text) ? answer(honest, call) : honest;
    },
  };
}

/** Those that a run may meet. */
export const inRuns: readonly Rarity[] = [
  { name: "for other keys than the owner's", balancer: otherKeys },
  { name: "from the third page on", feature: "tokenAccounts", balancer: thirdPages },
  { name: "in February", feature: "usage", balancer: balancedBy(isFebruary) },
  { name: "above 2^53", changed: aboveSafe },
];

/** Those that only many requests meet. */
export const inLoads: readonly Rarity[] = [
  { name: "in one answer of fifty", balancer: oneIn(50, 20) },
  { name: "under load", balancer: underLoad },
];
