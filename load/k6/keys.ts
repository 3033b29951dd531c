// Keys apart from the requests that carry them, so that requests can be written down
import { type Redactor, redactorOf, Secret } from "../../harness/core/secret.ts";
import type { Target } from "../../harness/targets/target.ts";
import type { K6Request } from "./orders.ts";

/** Stands for the key of a role in addresses and headers; nothing in it is encoded there. */
const markOf = (role: string): string => `assay-key-of-${role}.`;

const marked = (role: string): Secret => new Secret(role, markOf(role));

/** The target with a mark in the place of each key. */
export const markedTarget = (target: Target): Target => ({
  ...target,
  keys: new Map([...target.keys].map(([role, key]) => [role, { ...key, secret: marked(role) }])),
  baseKeys: new Map([...target.baseKeys].map(([name, secret]) => [name, marked(secret.role)])),
});

/** Whether requests with marks need the key of a role. */
export const needsKey = (requests: unknown, role: string): boolean => JSON.stringify(requests).includes(markOf(role));

/** The request with the keys of these roles in the place of their marks. */
export function withKeys(request: K6Request, keys: ReadonlyMap<string, string>): K6Request {
  const filled = (text: string, spelled: (key: string) => string): string =>
    [...keys].reduce((all, [role, key]) => all.replaceAll(markOf(role), () => spelled(key)), text);
  const headers = Object.entries(request.headers).map(([name, value]) => [name, filled(value, (key) => key)] as const);
  return { ...request, url: filled(request.url, encodeURIComponent), headers: Object.fromEntries(headers) };
}

export const redactorFor = (keys: ReadonlyMap<string, string>): Redactor =>
  redactorOf([...keys].map(([role, key]) => new Secret(role, key)));
