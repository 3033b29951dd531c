// Who sent recorded requests, as far as their keys tell, and the removal of all keys that they show.
import { createHash } from "node:crypto";
import type { KnownProject } from "../core/interface.ts";
import type { Carrier, Made, Role } from "../core/requestSpec.ts";
import { KeyHider, Secret } from "../core/secret.ts";
import { basePattern } from "../targets/bases.ts";
import { nameOn } from "../targets/renaming.ts";
import type { Target } from "../targets/target.ts";
import type { Exchange, HeaderList } from "../transport/exchange.ts";
import type { Recorded } from "./recorded.ts";

/** By the SHA-256 of a key, in hexadecimal: its role, and what is known of a project that the target doesn't have. */
export type GivenKeys = ReadonlyMap<string, { readonly role: Role; readonly project?: KnownProject }>;

/** The role of callers whose key isn't known. */
const someone = "someone";
/** Names of fields that let somebody in, as `accessToken` and `sessionId` do. */
const credentials =
  /(key|token|secret|auth|authorization|jwt|passw(or)?d|cookie|session(-?id)?|\bsid|sig(nature)?)s?$/i;
/** Whether a field of that name lets somebody in. */
export const mayLetIn = (name: string): boolean => credentials.test(name);

/** Those whose values are keys, which are searched for in other places, too. */
const keyNames = /(api[-_]?key|authorization|secret|password)$/i;
/** Not to their ends: an expression keeps a place on the stack for each letter. */
const inBodies = /"(?:api[-_]?key|secret|password|private[-_]?key|authorization)"\s*:\s*"((?:[^"\\]|\\.){0,1000})/gi;
/** As our own reports show keys. */
const masked = /^<key:(\w+)>$/;
const shortestKey = 6;
const longestKey = 200;
const mostKeys = 2_000;

const hashOf = (key: string): string => createHash("sha256").update(key).digest("hex");

export class RecordedCallers {
  /** With the projects of given keys, and a redactor of all keys that were seen. */
  readonly target: Target;
  readonly #given: GivenKeys;
  readonly #roles = new Map<string, Role | Made | null>([["<key:made>", "made-0"]]);
  readonly #hider = new KeyHider();
  readonly #bases: readonly ReturnType<typeof basePattern>[];
  readonly #names: { readonly header: string; readonly query: string };

  /** @param placeholder stands for keys of the target that nobody has set */
  constructor(target: Target, given: GivenKeys, placeholder: string) {
    const { carriers } = target.interface;
    this.#given = given;
    this.#bases = Object.values<string>(target.bases).map(basePattern);
    this.#names = { header: nameOn(target, carriers.header).toLowerCase(), query: nameOn(target, carriers.query) };
    for (const [role, { secret }] of target.keys)
      if (secret.open() !== placeholder) this.#roles.set(secret.open(), role);
    // Of our own journals: credits of projects that control made aren't calls.
    const made = { projectName: "made", project: target.interface.madeProject, isMade: true } as const;
    const keys = new Map(target.keys).set("made-0", { secret: new Secret("made", "made"), ...made });
    for (const [hash, { role, project }] of given)
      if (project) keys.set(role, { secret: new Secret(role, hash), projectName: role, project });
    this.target = { ...target, keys, redact: (text) => this.#hider.hide(target.redact(text)) };
  }

  /** The key of a request. One that shows none was perhaps sent with one that isn't recorded. */
  carrierOf({ url, headers }: Recorded): Carrier {
    const keys: (readonly [place: Carrier["in"], key: string])[] = [
      ...headers.flatMap(([name, key]) => (name === this.#names.header ? [["header", key] as const] : [])),
      ...new URL(url).searchParams.getAll(this.#names.query).map((key) => ["query", key] as const),
    ];
    // Where a base holds keys, they may be there alone.
    if (keys.length === 0) keys.push(...this.#keysInBase(url).map((key) => ["either", key] as const));
    const [[place, key] = ["either", null] as const] = keys;
    // Which of two keys counts isn't described.
    const isOne = keys.every(([, other]) => other === key);
    return { in: place, key: { keyOf: (key !== null && isOne && this.#roleOf(key)) || someone } };
  }

  /** Learns the keys of a request, so that they are removed from whatever is written. */
  note({ url, headers, body }: Recorded): void {
    const query = [...new URLSearchParams(/\?([^#]*)/.exec(url)?.[1])];
    for (const [name, value] of [...headers, ...query])
      if (name === this.#names.header || name === this.#names.query || keyNames.test(name))
        for (const key of [value, value.slice(value.indexOf(" ") + 1)]) this.#roleOf(key);
    for (const [, text = ""] of (body ?? "").matchAll(inBodies)) this.#roleOf(text);
    for (const key of this.#keysInBase(url)) this.#roleOf(key);
  }

  /** What stands in a base where the target has a variable: in others' requests, their keys. */
  #keysInBase(url: string): readonly string[] {
    if (!URL.canParse(url)) return [];
    const { host, pathname } = new URL(url);
    return this.#bases.flatMap((base) => {
      const found = base.host.exec(host);
      const parts = found ? [...found.slice(1), ...(base.prefix.exec(pathname) ?? []).slice(1)] : [];
      // Of our own journals.
      return parts.filter((part) => !/^%3Ckey:\w+%3E$/.test(part));
    });
  }

  /** The exchange without keys, and without what else lets somebody in. */
  shown(exchange: Exchange): Exchange {
    const { redact } = this.target;
    const { sent, answer } = exchange;
    return {
      ...exchange,
      sent: { ...this.#head(sent), ...(sent.body === undefined ? {} : { body: redact(sent.body) }) },
      answer: answer && { ...answer, shown: { headers: this.#headers(answer.headers), text: redact(answer.text) } },
    };
  }

  /** A request and the head of its answer likewise; keys may still be in bodies. */
  hidden(recorded: Recorded): Recorded {
    const { answer } = recorded;
    const shown = "status" in answer ? { ...answer, headers: this.#headers(answer.headers) } : answer;
    return { ...this.#head(recorded), answer: shown };
  }

  /** An address likewise. */
  shownUrl(url: string): string {
    return this.target.redact(this.#parameters(url).replace(/^([a-z]+:\/\/)[^/?#]*@/i, "$1"));
  }

  /** The beginning of a value likewise. */
  shownJson(value: unknown, longest_chars: number): string {
    const text = JSON.stringify(value, (name, member: unknown) =>
      typeof member === "string" && credentials.test(name) ? this.#credential(member) : member,
    );
    // Twice as much, so that no key is cut where it can be seen.
    return this.target.redact(text.slice(0, 2 * longest_chars + longestKey)).slice(0, longest_chars);
  }

  #head<Request extends Pick<Recorded, "url" | "headers">>(request: Request): Request {
    return { ...request, url: this.shownUrl(request.url), headers: this.#headers(request.headers) };
  }

  #headers(headers: HeaderList): HeaderList {
    const { redact } = this.target;
    return headers.map(([name, value]) => [
      redact(name),
      credentials.test(name) ? this.#credential(value) : redact(this.#parameters(value)),
    ]);
  }

  /** Addresses are in headers, too. */
  #parameters(text: string): string {
    return text.replace(/([?&#])([^=?&#\s]+)=([^&#\s]*)/g, (_, before: string, name: string, value: string) => {
      return `${before}${name}=${credentials.test(name) ? this.#credential(value) : value}`;
    });
  }

  #credential(value: string): string {
    const shown = this.target.redact(value);
    return /^(\w+ )?<key:\w+>$/.test(shown) ? shown : `<key:${someone}>`;
  }

  #roleOf(key: string): Role | Made | null {
    const known = this.#roles.get(key);
    if (known !== undefined) return known;
    const label = masked.exec(key)?.[1];
    if (label !== undefined) return this.target.interface.roles.find(({ name }) => name === label)?.name ?? null;
    const role = this.#given.get(hashOf(key))?.role ?? null;
    if (key.length < shortestKey || this.#roles.size >= mostKeys) return role;
    this.#roles.set(key, role);
    this.#hider.add(new Secret(role ?? someone, key.slice(0, longestKey)));
    return role;
  }
}
