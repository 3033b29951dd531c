// JSON-RPC envelopes: documented ones, and those with one member that isn't (§4.3)
import fc from "fast-check";
import { type BaselineRequest, baselineRequests } from "../../contracts/jsonrpc/baselineRequests.ts";
import type { Json } from "../../harness/core/json.ts";
import { unmetNeedOf } from "../../harness/engine/unmetNeeds.ts";
import type { Target } from "../../harness/targets/target.ts";
import { envelope } from "../../specs/generated/requests.ts";
import { envelope as validate } from "../../specs/generated/requestValidators.js";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { brokenAt } from "./breakings.ts";
import { filtered } from "./filtered.ts";
import { rpcId } from "./rpcIds.ts";
import { breaksAlone, type Request, validityOf } from "./schemas.ts";

export const envelopeShape: Request = { operation: "envelope", ...envelope, validate };

/** The baseline request of a method. @throws Error where there is none */
export function baselineOf(method: Json | undefined): BaselineRequest {
  const baseline = baselineRequests.find((one) => one.method === method);
  if (!baseline) throw new Error(`no baseline request of ${JSON.stringify(method)}`);
  return baseline;
}

/** Cases made of those methods that the target has the sample data for; null where it has it for none. */
export function ofAskable<One extends BaselineRequest, Case>(
  baseline: readonly One[],
  target: Target,
  casesOf: (requests: readonly One[]) => fc.Arbitrary<Case>,
): fc.Arbitrary<Case> | null {
  const askable = baseline.filter(({ ask }) => unmetNeedOf(ask(), target) === null);
  return askable.length > 0 ? casesOf(askable) : null;
}

/** Members of an envelope; sample data is named, not filled in. */
type Members = { readonly [member: string]: Json };

const documented = ["jsonrpc", "id", "method", "params"];
const anyOrder: fc.Arbitrary<readonly string[]> = fc.shuffledSubarray(documented, { minLength: documented.length });

const inOrder = (members: Members, order: readonly string[]): Members =>
  Object.fromEntries(
    [...order.filter((name) => Object.hasOwn(members, name)), ...Object.keys(members)].map((name) => [
      name,
      members[name] ?? null,
    ]),
  );

const membersOf = ({ ask }: BaselineRequest): Members => ask().json as Members;

/** Baseline requests with any documented id, their members in any order. */
export const envelopesOf = (baseline: readonly BaselineRequest[]): fc.Arbitrary<Json> =>
  fc
    .tuple(fc.constantFrom(...baseline), rpcId, anyOrder)
    .map(([one, id, order]): Json => inOrder({ ...membersOf(one), id }, order));

type Way = Pick<Request["sites"][number], "at" | "keyword">;

/** All ways to break a member, unspecified ones included; an envelope without id gets no answer. */
export const everyWay: readonly Way[] = [
  { at: "/jsonrpc", keyword: "present" },
  { at: "/jsonrpc", keyword: "type" },
  { at: "/jsonrpc", keyword: "const" },
  { at: "/id", keyword: "type" },
  { at: "/method", keyword: "present" },
  { at: "/method", keyword: "type" },
  { at: "/method", keyword: "pattern" },
  { at: "/params", keyword: "present" },
  { at: "/params", keyword: "type" },
  { at: "", keyword: "additionalProperties" },
];

/** An envelope that differs from its documented positive control in one member. */
export interface OtherEnvelope extends Way {
  readonly request: Json;
  readonly positiveControl: Json;
}

/** For most of them only the general requirements on errors hold. */
export const otherEnvelopes = (
  baseline: readonly BaselineRequest[],
  ways: readonly Way[] = everyWay,
): fc.Arbitrary<OtherEnvelope> =>
  fc.oneof(
    ...baseline.flatMap((request) =>
      ways.flatMap((way): fc.Arbitrary<OtherEnvelope>[] => {
        const members = membersOf(request);
        const broken = brokenAt(members, way, envelopeShape.schema, () => []);
        if (!broken) return [];
        const whole = (members: Json, id: Json, order: readonly string[]): Json =>
          inOrder({ ...(members as Members), ...(way.at === "/id" ? {} : { id }) }, order);
        return [
          fc
            .tuple(broken, rpcId, anyOrder)
            .map(([{ params }, id, order]) => ({
              at: way.at,
              keyword: way.keyword,
              request: whole(params, id, order),
              positiveControl: whole({ ...members, id }, id, order),
            })),
        ];
      }),
    ),
  );

/** Envelopes whose answer a requirement specifies: invalid by both validators, for this keyword alone. */
export const brokenEnvelopes = (baseline: readonly BaselineRequest[], id: RequirementId): fc.Arbitrary<OtherEnvelope> =>
  filtered(
    otherEnvelopes(
      baseline,
      envelopeShape.sites.filter((site) => site.id === id),
    ),
    ({ request, at, keyword }) =>
      validityOf(request, envelopeShape) === "invalid" && breaksAlone(request, at, keyword, envelopeShape),
    `request whose answer ${id} specifies`,
  );
