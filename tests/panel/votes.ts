// What answers of vendors mean as votes on one question, and what differs in them.
import { balance, proofs, tokenAccounts } from "../../contracts/shared/jsonRpcRequests.ts";
import { steppedClock } from "../../harness/core/clock.ts";
import { keyOf } from "../../harness/targets/target.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { transportTo } from "../../harness/transport/transport.ts";
import { differencesIn } from "../../panel/differing.ts";
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
  const target = targetAt("http://a.example");
  const key = keyOf(target, "paid")?.secret.open() ?? "";
  const wire = ({ body = "{}" }: { readonly body?: string }) => {
    const { id } = JSON.parse(body) as { id: number };
    const text = `{"jsonrpc":"2.0","id":${id},"result":${result.replaceAll("KEY", key)}}`;
    return Promise.resolve({
      status: 200,
      headers: [["content-type", "application/json"]] as const,
      body: Buffer.from(text),
    });
  };
  return transportTo(target, wire, steppedClock(0)).send(requests[what]);
}

const meantBy = async (what: Asked, text: string) => meaningOf(await exchangeOf(what, text), 100);

export const hasMeaning = async (what: Asked, text: string): Promise<boolean> => (await meantBy(what, text)) !== null;

/** What differs between the answers of vendors that gave these results; `KEY` in them is the asker's key. */
export async function differencesFor(what: Asked, ...texts: readonly string[]) {
  const answers = await Promise.all(
    texts.map(async (text, vendor) => {
      const exchange = await exchangeOf(what, text);
      const meaning = meaningOf(exchange, 100);
      return meaning ? [{ vendor, exchange, meaning }] : [];
    }),
  );
  return differencesIn(answers.flat());
}

/** The votes of vendors that gave these results, of those that mean anything. */
export async function votesFor(what: Asked, ...texts: readonly string[]) {
  const meanings = await Promise.all(texts.map((text) => meantBy(what, text)));
  return votesOf(meanings.flatMap((meaning, vendor) => (meaning ? [[vendor, meaning] as const] : [])));
}
