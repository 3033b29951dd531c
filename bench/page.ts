// A page of many token accounts, served by the reference in this process
import { jsonRpcRequest } from "../contracts/shared/requestSpecs.ts";
import { realClock } from "../harness/core/clock.ts";
import type { Exchange } from "../harness/transport/exchange.ts";
import { transportTo } from "../harness/transport/transport.ts";
import { freshWorld, wireTo } from "../proof/inProcess.ts";
import { chainAddressOf } from "../reference/platform/chain.ts";
import { createPlatform } from "../reference/platform.ts";

/** Accounts on the largest page that the reference serves. */
export const accountsPerPage = 1000;

/** All accounts of one owner on the largest page; one in sixteen amounts exceeds 2^53. */
export async function fullPage(): Promise<Exchange> {
  const { world, targetAt } = freshWorld("not used");
  const owner = chainAddressOf("owner of a full page");
  const held = world.chain.accounts(({ amount }) => amount > 0n).slice(0, accountsPerPage);
  world.chain.write(held.map((account) => ({ ...account, owner })));
  const platform = createPlatform({ world, now_ms: Date.now });
  const target = targetAt("http://reference.assay.example");
  const { send } = transportTo(target, wireTo(platform, undefined), realClock);
  const exchange = await send(jsonRpcRequest("getTokenAccounts")({ owner, limit: accountsPerPage }));
  const served = exchange.answer?.text.match(/"burnt"/g)?.length ?? 0;
  if (served !== accountsPerPage)
    throw new Error(`${served} accounts instead of ${accountsPerPage}: ${exchange.answer?.text.slice(0, 200)}`);
  return exchange;
}

/** The answer with its accounts repeated until its body has at least so many bytes. */
export function enlarged({ answer }: Exchange, bytes: number): string {
  const text = answer?.text ?? "";
  const mark = '"token_accounts":[';
  const [begin, end] = [text.lastIndexOf(mark) + mark.length, text.lastIndexOf("]")];
  const [head, accounts, tail] = [text.slice(0, begin), text.slice(begin, end), text.slice(end)];
  return head + Array.from({ length: Math.ceil(bytes / accounts.length) }, () => accounts).join(",") + tail;
}
