// Which mutants can something tell that stands before the platform, and sees keys and commands?

import { getAt } from "./platform/mutant.ts";
import type { Asked, PlatformProxy } from "./platform/proxy.ts";
import type { Doc } from "./platform/wire.ts";

const number = (doc: Doc, pointer: string): number => Number(getAt(doc, pointer));

const keyIn = ({ url, headers }: Asked): string | null =>
  headers.find(([name]) => name.toLowerCase() === "x-api-key")?.[1] ?? new URL(url).searchParams.get("api-key");

/** Good keys are remembered and found again by their first 28 characters of 36. */
export const rememberedByPrefix: PlatformProxy = (serve) => {
  const good = new Map<string, string>();
  return async (asked) => {
    const key = keyIn(asked) ?? "";
    const known = (key.length === 36 && good.get(key.slice(0, 28))) || key;
    const headers = asked.headers.map(([name, value]) => [name, value === key ? known : value] as const);
    const answered = await serve({ ...asked, headers, url: asked.url.replace(`api-key=${key}`, `api-key=${known}`) });
    if (answered.status === 200) good.set(known.slice(0, 28), known);
    return answered;
  };
};

/** All prepaid consumption is told to the key that asked first; others are shown the pool untouched. */
export const prepaidByKey: PlatformProxy = (serve) => {
  const first = new Map<string, string>();
  return async (asked) => {
    const answered = await serve(asked);
    const [key, { pathname }] = [keyIn(asked), new URL(asked.url)];
    if (!pathname.endsWith("/usage") || answered.status !== 200 || key === null) return answered;
    const holder = first.get(pathname) ?? key;
    first.set(pathname, holder);
    if (holder === key) return answered;
    const doc = JSON.parse(new TextDecoder().decode(answered.body)) as Doc;
    const untouched = {
      ...doc,
      prepaidCreditsUsed: 0,
      prepaidCreditsRemaining: number(doc, "/prepaidCreditsRemaining") + number(doc, "/prepaidCreditsUsed"),
    };
    const creditsRemaining = Math.max(
      0,
      number(doc, "/subscriptionDetails/creditsLimit") - number(doc, "/creditsUsed"),
    );
    return { ...answered, body: new TextEncoder().encode(JSON.stringify({ ...untouched, creditsRemaining })) };
  };
};

interface Command {
  readonly do: string;
  readonly project: string;
  readonly credits: string;
  readonly times?: number;
  readonly pool?: string;
}

/** Which pool pays where the command names none. */
export const paying =
  (from: (prepaidLeft: number, amount: number) => "regular" | "prepaid"): PlatformProxy =>
  (serve) =>
  async (asked) => {
    const command = asked.url.endsWith("/control") ? (JSON.parse(asked.body ?? "{}") as Command) : null;
    if (command?.do !== "consume" || command.pool !== undefined) return serve(asked);
    const told = await serve({ ...asked, body: JSON.stringify({ do: "readLedger", project: command.project }) });
    const { ledger } = JSON.parse(new TextDecoder().decode(told.body)) as {
      readonly ledger: { readonly prepaidRemaining: string };
    };
    const pool = from(Number(ledger.prepaidRemaining), Number(command.credits) * (command.times ?? 1));
    return serve({ ...asked, body: JSON.stringify({ ...command, pool }) });
  };
