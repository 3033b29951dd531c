// Is every method reached and answered as JSON-RPC 2.0 says, with the id that was sent? (§4.3, §9)

import { broken, held } from "../../harness/core/finding.ts";
import { type Json, valueAt } from "../../harness/core/json.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import type { Stimulus } from "../../harness/core/stimulus.ts";
import { type Check, check, type Oracle, type Shown, scenario } from "../../harness/model/check.ts";
import { isServed, outcomeOf, rpcErrorOf } from "../../harness/transport/answers.ts";
import { type Exchange, mediaTypeOf } from "../../harness/transport/exchange.ts";
import { notRefusedWith, resultOf, shows, takesKey } from "../shared/jsonRpcOracles.ts";
import { mint, owner, tokenAccounts } from "../shared/jsonRpcRequests.ts";
import { type BaselineRequest, baselineRequests, onePerFeature } from "./baselineRequests.ts";

const routingStatuses = [301, 302, 307, 308, 404, 405, 501];

/** An envelope came, whatever it says; an HTTP answer that speaks of method or path alone shows that nobody listens there. */
const isReached: Oracle = (exchange) => {
  if (isServed(exchange) || rpcErrorOf(exchange)) return held;
  const status = exchange.answer?.status ?? 0;
  if (routingStatuses.includes(status)) return broken("status", "an envelope", status);
  throw new Withheld(`hidden: it drew ${outcomeOf(exchange)}`);
};

const takesJson: Oracle = (exchange) => {
  const status = exchange.answer?.status;
  if (status === 415) return broken("status", "a body labelled application/json accepted", status);
  if (!isServed(exchange) && !rpcErrorOf(exchange)) throw new Withheld(`hidden: it drew ${outcomeOf(exchange)}`);
  return held;
};

/** The documented envelope with its members in another order. */
const permuted = (stimulus: Stimulus): Stimulus => {
  const { jsonrpc = null, id = null, method = null, ...rest } = stimulus.json as { readonly [member: string]: string };
  return { ...stimulus, json: { ...rest, method, id, jsonrpc } };
};

const texts = ["1", "01", "", "a b", "CamelCase-0042-ÄÖ-ключ-🙂", "x".repeat(64), "Xy".repeat(128)];
const numbers = [0, 1, -1, 7, 4_294_967_297, Number.MAX_SAFE_INTEGER];

function checksOf({ method, feature, ask }: BaselineRequest): readonly Check[] {
  const good = ask();
  return [
    check(["RPC-PATH-01", "GEN-POST-01"], good, isReached, { feature }),
    check("GEN-JSON-02", good, takesJson, { feature }),
    check("GEN-SURF-01", good, notRefusedWith(-32601), { feature }),
    check("AUTH-RPC-QRY-01", good, takesKey, { feature }),
    ...(["second", "other", "free"] as const).map((as) =>
      check("AUTH-RPC-QRY-01", ask({ as }), takesKey, { feature, optional: true }),
    ),
    check(["RPC-ENV-01", "RPC-ENV-04", "EXT-JR-01"], good, undefined, { feature }),
    check(["GEN-JSON-01", "GEN-JSON-03", "EXT-JSON-01"], good, undefined, { feature }),
    check(["RPC-ENV-09", "VER-RPC-01"], good, notRefusedWith(-32600), { feature }),
    check("RPC-ENV-09", ask({ id: method }), notRefusedWith(-32600), { feature, shows: ["RPC-ENV-02"] }),
    check("RPC-ENV-09", permuted(ask({ id: 2 })), notRefusedWith(-32600), { feature, shows: ["RPC-ENV-03"] }),
  ];
}

/** Ids are the envelope's matter, so that one method of each part is asked for all of them. */
const idsOf = ({ feature, ask }: BaselineRequest): readonly Check[] => [
  ...texts.map((id) => check("RPC-ENV-02", ask({ id }), undefined, { feature })),
  ...numbers.map((id) => check("RPC-ENV-03", ask({ id }), undefined, { feature })),
];

/** Distinguishable by what they ask for, and by their ids. */
const parallel: readonly Stimulus[] = Array.from({ length: 32 }, (_, nth) =>
  tokenAccounts({ ...(nth % 2 === 0 ? { owner } : { mint }), limit: 2 }, { id: `parallel ${nth}` }),
);

/** Undefined where the call wasn't served. */
function itsOwn(exchange: Exchange): Shown | undefined {
  if (!isServed(exchange)) return undefined;
  const { sent, answer } = exchange;
  const [wanted, got] = [valueAt(sent.json, "/id"), valueAt(answer?.json?.value, "/id")];
  if (got !== wanted) return { exchange, finding: broken("/id", JSON.stringify(wanted), got) };
  const accounts = resultOf(exchange, "/token_accounts");
  for (const [member, value] of Object.entries((valueAt(sent.json, "/params") ?? {}) as object) as [string, Json][]) {
    const strange = Array.isArray(accounts)
      ? (accounts as readonly Json[]).find(
          (account) => typeof valueAt(account, `/${member}`) === "string" && valueAt(account, `/${member}`) !== value,
        )
      : undefined;
    if (strange !== undefined)
      return {
        exchange,
        finding: broken(
          "/result/token_accounts",
          `the answer to its own request (${member} ${JSON.stringify(value)})`,
          valueAt(strange, `/${member}`),
        ),
      };
  }
  return { exchange, finding: held };
}

/** Fewer would hardly overlap. */
const fewest = 8;

const concurrent = scenario(
  "RPC-ENV-08",
  { feature: "tokenAccounts", requests: parallel, consent: "throttle" },
  async ({ atOnce }) => {
    const shown = (await atOnce(parallel)).flatMap((exchange) => itsOwn(exchange) ?? []);
    if (shown.length < fewest) throw new Withheld(`only ${shown.length} of 32 calls at once were served`);
    return shown;
  },
);

/** A body of more than 8 KiB, whole. */
const large = check(
  ["GEN-JSON-01", "GEN-JSON-03"],
  tokenAccounts({ owner, limit: 50 }),
  shows(({ answer }) => {
    const media = answer ? mediaTypeOf(answer) : undefined;
    return media === "application/json" ? held : broken("header content-type", "application/json", media);
  }),
  { feature: "tokenAccounts" },
);

export const checks: readonly Check[] = [
  ...baselineRequests.flatMap(checksOf),
  ...onePerFeature.flatMap(idsOf),
  concurrent,
  large,
];
