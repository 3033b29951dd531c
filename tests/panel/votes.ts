// What answers of vendors mean as votes on one question.
import { balance, proofs, tokenAccounts } from "../../contracts/shared/jsonRpcRequests.ts";
import { steppedClock } from "../../harness/core/clock.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { transportTo } from "../../harness/transport/transport.ts";
import { meaningOf, votesOf } from "../../panel/meaning.ts";
import { freshWorld } from "../../proof/inProcess.ts";

const owner = "D1VtmGG1jUKtipm1ZGmkbro3akJ5J6CxzfJSJPnqoe5w";
const requests = {
  accounts: tokenAccounts({ owner, limit: 100 }),
  balance: balance({ address: owner }),
  proofs: proofs([owner]),
};

export type Asked = keyof typeof requests;

/** An answer with a result, given as text. */
function exchangeOf(what: Asked, result: string): Promise<Exchange> {
  const { targetAt } = freshWorld("meaning");
  const wire = ({ body = "{}" }: { readonly body?: string }) => {
    const { id } = JSON.parse(body) as { id: number };
    const text = `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
    return Promise.resolve({
      status: 200,
      headers: [["content-type", "application/json"]] as const,
      body: Buffer.from(text),
    });
  };
  return transportTo(targetAt("http://a.example"), wire, steppedClock(0)).send(requests[what]);
}

const meantBy = async (what: Asked, text: string) => meaningOf(await exchangeOf(what, text), 100);

export const hasMeaning = async (what: Asked, text: string): Promise<boolean> => (await meantBy(what, text)) !== null;

/** The votes of vendors that gave these results, of those that mean anything. */
export async function votesFor(what: Asked, ...texts: readonly string[]) {
  const meanings = await Promise.all(texts.map((text) => meantBy(what, text)));
  return votesOf(meanings.flatMap((meaning, vendor) => (meaning ? [[vendor, meaning] as const] : [])));
}
