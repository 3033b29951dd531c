// Which JSON-RPC requests are as documented, and which have one member that isn't? Of most of those it is open what they draw. (§4.3)
import fc from "fast-check";
import type { BaselineRequest } from "../../contracts/jsonrpc/baselineRequests.ts";
import type { Json } from "../../harness/core/json.ts";
import { envelope } from "../../specs/generated/requests.ts";
import { envelope as validate } from "../../specs/generated/requestValidators.js";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { brokenAt } from "./breakings.ts";
import { filtered } from "./filtered.ts";
import { rpcId } from "./rpcIds.ts";
import { breaksAlone, type Request, standingOf } from "./schemas.ts";

export const envelopeShape: Request = { operation: "envelope", ...envelope, validate };

/** Samples stand in it by their names. */
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

/** A method's good request by any documented id, its members in any order. */
export const envelopesOf = (good: readonly BaselineRequest[]): fc.Arbitrary<Json> =>
  fc
    .tuple(fc.constantFrom(...good), rpcId, anyOrder)
    .map(([one, id, order]): Json => inOrder({ ...membersOf(one), id }, order));

/** A keyword at a place of the envelope. */
interface Way {
  readonly at: string;
  readonly keyword: string;
}

/** Every member in every way, the open ones among them; without an id nothing is answered. */
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

/** One member is otherwise than in its twin, whose request is documented. */
export interface OtherEnvelope extends Way {
  readonly request: Json;
  readonly twin: Json;
}

/** Of all of them nothing is said but what is promised whatever was asked. */
export const otherEnvelopes = (
  good: readonly BaselineRequest[],
  ways: readonly Way[] = everyWay,
): fc.Arbitrary<OtherEnvelope> =>
  fc.oneof(
    ...good.flatMap((one) =>
      ways.flatMap((way): fc.Arbitrary<OtherEnvelope>[] => {
        const members = membersOf(one);
        const broken = brokenAt(members, way, envelopeShape.schema, () => []);
        if (!broken) return [];
        const whole = (some: Json, id: Json, order: readonly string[]): Json =>
          inOrder({ ...(some as Members), ...(way.at === "/id" ? {} : { id }) }, order);
        return [
          fc.tuple(broken, rpcId, anyOrder).map(([{ params }, id, order]) => ({
            ...way,
            request: whole(params, id, order),
            twin: whole({ ...members, id }, id, order),
          })),
        ];
      }),
    ),
  );

/** Those that a requirement has answered in one way: invalid by both validators, and for this keyword alone. */
export const brokenEnvelopes = (good: readonly BaselineRequest[], id: RequirementId): fc.Arbitrary<OtherEnvelope> =>
  filtered(
    otherEnvelopes(
      good,
      envelopeShape.sites.filter((site) => site.id === id).map(({ at, keyword }) => ({ at, keyword })),
    ),
    ({ request, at, keyword }) =>
      standingOf(request, envelopeShape) === "invalid" && breaksAlone(request, at, keyword, envelopeShape),
    `request of which ${id} says what it draws`,
  );
