// Whether a platform knows a key that it refuses: by another carrier, or by what it serves elsewhere (§5)
import { operationOf } from "../../harness/core/interface.ts";
import type { Carrier, RequestSpec } from "../../harness/core/requestSpec.ts";
import type { CheckContext } from "../../harness/model/check.ts";
import { isServed } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";

/** The same request with other carriers. The interface doesn't describe it, so that no law judges the answer. */
const carriedOtherwise = (requestSpec: RequestSpec, change: (carrier: Carrier) => Carrier): RequestSpec => ({
  ...requestSpec,
  operation: null,
  carriers: requestSpec.carriers.map(change),
});

const inHeader = ({ key }: Carrier): Carrier => ({ in: "header", key });
const byUnknownKey = ({ key, ...carrier }: Carrier): Carrier => ({
  ...carrier,
  key: "keyOf" in key ? { likeKeyOf: key.keyOf } : key,
});

/** Whether a request is served for its key: the same request with an unknown key of the same form is refused. */
async function isServedForKey(exchange: Exchange, { ask }: CheckContext): Promise<boolean> {
  if (!isServed(exchange)) return false;
  const { requestSpec } = exchange;
  const other = await ask(carriedOtherwise(requestSpec, byUnknownKey));
  return other.answer !== null && !isServed(other);
}

/**
 * Whether a key that was refused is known to the platform all the same, so that neither the target file nor the user is
 * at fault: the same key is served in the header, or with another operation. Calls that can't be undone aren't tried.
 * @throws Inconclusive where no answer came that can be judged
 */
export async function isKnownElsewhere(exchange: Exchange, context: CheckContext): Promise<boolean> {
  const { requestSpec, asker } = exchange;
  const { interface: tables } = context.target;
  const isHarmless = ({ operation }: RequestSpec): boolean =>
    operation !== null && operationOf(tables, operation)?.irreversible === undefined;
  if (!asker || !isHarmless(requestSpec)) return false;
  if (await isServedForKey(await context.ask(carriedOtherwise(requestSpec, inHeader)), context)) return true;
  const elsewhere = context
    .exchanges()
    .filter((one) => one.asker?.role === asker.role && isHarmless(one.requestSpec) && isServed(one));
  const byOperation = new Map(elsewhere.map((one) => [one.requestSpec.operation, one]));
  for (const exchange of byOperation.values()) if (await isServedForKey(exchange, context)) return true;
  return false;
}
