// Mutants made by a proxy, which sees keys and commands
import { numberAt } from "./platform/mutant.ts";
import { docIn, inBytes, keyIn, type PlatformProxy } from "./platform/proxy.ts";

/** Valid keys are found again by their first 28 characters of 36. */
export const rememberedByPrefix: PlatformProxy = (serve) => {
  const good = new Map<string, string>();
  return async (request) => {
    const key = keyIn(request) ?? "";
    const known = (key.length === 36 && good.get(key.slice(0, 28))) || key;
    const headers = request.headers.map(([name, value]) => [name, value === key ? known : value] as const);
    const answer = await serve({ ...request, headers, url: request.url.replace(`api-key=${key}`, `api-key=${known}`) });
    if (answer.status === 200) good.set(known.slice(0, 28), known);
    return answer;
  };
};

/** All prepaid use is shown to the first key that reads; other keys see the pool untouched. */
export const prepaidByKey: PlatformProxy = (serve) => {
  const first = new Map<string, string>();
  return async (request) => {
    const answer = await serve(request);
    const key = keyIn(request);
    const { pathname } = new URL(request.url);
    if (!pathname.endsWith("/usage") || answer.status !== 200 || key === null) return answer;
    const holder = first.get(pathname) ?? key;
    first.set(pathname, holder);
    if (holder === key) return answer;
    const doc = docIn(answer);
    const untouched = {
      ...doc,
      prepaidCreditsUsed: 0,
      prepaidCreditsRemaining: numberAt(doc, "/prepaidCreditsRemaining") + numberAt(doc, "/prepaidCreditsUsed"),
    };
    const creditsRemaining = Math.max(
      0,
      numberAt(doc, "/subscriptionDetails/creditsLimit") - numberAt(doc, "/creditsUsed"),
    );
    return { ...answer, body: inBytes({ ...untouched, creditsRemaining }) };
  };
};

interface Command {
  readonly do: string;
  readonly project: string;
  readonly credits: string;
  readonly times?: number;
  readonly pool?: string;
}

/** The pool that pays where the command names none. */
export const paying =
  (from: (prepaidLeft: number, amount: number) => "regular" | "prepaid"): PlatformProxy =>
  (serve) =>
  async (request) => {
    const command = request.url.endsWith("/control") ? (JSON.parse(request.body ?? "{}") as Command) : null;
    if (command?.do !== "consume" || command.pool !== undefined) return serve(request);
    const read = await serve({ ...request, body: JSON.stringify({ do: "readLedger", project: command.project }) });
    const pool = from(
      numberAt(docIn(read), "/ledger/prepaidRemaining"),
      Number(command.credits) * (command.times ?? 1),
    );
    return serve({ ...request, body: JSON.stringify({ ...command, pool }) });
  };
