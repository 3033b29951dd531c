// Laws of the usage document: its statuses, members, products and plan (§2.1).
import { broken, equals, type Finding, held, must } from "../../harness/core/finding.ts";
import { type Law, type LawReading, law, lawScopes } from "../../harness/model/law.ts";
import { mayBeRewritten } from "../../harness/model/recorded.ts";
import type { components } from "../../specs/generated/openapi.ts";
import { operations } from "../../specs/generated/operations.ts";
import { documentedPlaces, products, walletPrice } from "../shared/figures.ts";

export type ProjectUsage = components["schemas"]["ProjectUsage"];

/**
 * A law of usage documents.
 * @param whose narrows it, e.g. to documents of the asker's own project
 */
export const usageLaw = (judgements: Parameters<typeof law<ProjectUsage>>[2], whose?: Parameters<typeof law>[3]): Law =>
  law<ProjectUsage>("getProjectUsage", 200, judgements, whose);

const usageId: string = "getProjectUsage";
const documented = operations.find(({ id }) => id === usageId)?.answers ?? [];
const streams = ["streamGrpc", "streamWebsocket"];

const usageStatuses = law("getProjectUsage", "any", {
  "USG-HTTP-03": ({ answer }) =>
    must(documented.includes(String(answer.status)), "status", `one of ${documented.join(", ")}`, answer.status),
});

/** The members of the document itself (§2.1). */
export const usageMembers = documentedPlaces.flatMap((at) => /^\/(\w+)$/.exec(at)?.slice(1) ?? []);

const usageDocument = usageLaw({
  "USG-HTTP-01": ({ answer }) => {
    const value = answer.json?.value;
    if (typeof value !== "object" || value === null || Array.isArray(value) || "statusCode" in value) return undefined;
    const isUsage = usageMembers.some((member) => member in value);
    return must(isUsage, "", "the usage document itself", Object.keys(value));
  },
  "CRD-REM-02": ({ any }) => {
    const left = any("/creditsRemaining");
    return left === null || typeof left === "number"
      ? must(left !== null, "/creditsRemaining", "0 where nothing remains", left)
      : undefined;
  },
  "MET-WAL-06": ({ any, exchange }) => {
    // Credits that control injects aren't calls.
    if (exchange.asker?.isMade) return undefined;
    const credits = any("/credits/walletApi");
    return typeof credits === "number" && Number.isSafeInteger(credits) && !mayBeRewritten(exchange, credits)
      ? must(credits % walletPrice === 0, "/credits/walletApi", `a multiple of ${walletPrice}`, credits)
      : undefined;
  },
  "USG-KEYS-05": ({ names }) => {
    const unmetNeedsIn = (group: "/credits" | "/dataTransfer"): readonly string[] =>
      streams.filter((stream) => !names(group).includes(stream)).map((stream) => `${group}/${stream}`);
    const [at] = [...unmetNeedsIn("/credits"), ...unmetNeedsIn("/dataTransfer")];
    return at === undefined ? held : broken(at, "both streams in credits and in dataTransfer", undefined);
  },
  "USG-KEYS-07": ({ names }) => {
    // Undocumented product keys are drift and must meet nothing (amendment 8).
    const documented: readonly string[] = products;
    const counted = [...names("/requests"), ...names("/dataTransfer")].filter((name) => documented.includes(name));
    const lacking = counted.find((product) => !names("/credits").includes(product));
    return counted.length === 0
      ? undefined
      : must(lacking === undefined, `/credits/${lacking}`, "a key for every metered product", undefined);
  },
});

function planName({ asker, exchange, text }: LawReading<ProjectUsage>): Finding | undefined {
  const [at, expected] = ["/subscriptionDetails/plan", asker?.project.planName] as const;
  const got = text(at);
  if (expected === undefined || (got !== expected && mayBeRewritten(exchange, got, expected))) return undefined;
  return equals(at, got, expected);
}

export const laws: readonly Law[] = [
  usageStatuses,
  usageDocument,
  usageLaw({ "USG-PLAN-01": planName }, lawScopes.own),
];
