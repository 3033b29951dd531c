// Refusals of access whose form the interface leaves open: whether one comes from the platform or from an edge.
import { isObject } from "../core/json.ts";
import { isServed } from "../transport/answers.ts";
import type { Exchange } from "../transport/exchange.ts";
import { answerDigest } from "../transport/repeats.ts";
import { Streaks } from "./streaks.ts";

/** Once seen this often, the commonest form of refusals is the platform's. */
const enoughSeen = 5;
/** This many in a row on one operation come from the platform. */
const enoughInARow = 3;

/** What is known of the answers of one API. */
interface Known {
  /** How often each form of a refusal was seen. */
  readonly forms: Map<string, number>;
  readonly streaks: Streaks<string | null>;
  readonly confirmed: Set<string>;
  /** Digests of the texts of 403 to callers without a valid key. */
  readonly forAll: Set<string>;
  isServing: boolean;
}

export class RepeatedRefusals {
  readonly #apis = new Map<string, Known>();
  /** Whether nothing more will be known, so that what was seen so far decides. */
  #isFinal = false;

  settle(): void {
    this.#isFinal = true;
  }

  note(exchange: Exchange): void {
    const known = this.#of(exchange);
    const form = formOf(exchange);
    const count = known.streaks.note(exchange.requestSpec.operation, form);
    known.isServing ||= isServed(exchange);
    if (form === null) return;
    known.forms.set(form, (known.forms.get(form) ?? 0) + 1);
    if (count >= enoughInARow) known.confirmed.add(form);
    if (exchange.asker === null && exchange.answer?.status === 403)
      known.forAll.add(answerDigest(exchange.answer.text));
  }

  /** Why a refusal may be another's, so that it proves no breach; null where it is the platform's. */
  doubtOn(exchange: Exchange): string | null {
    const { forms, confirmed, forAll, isServing } = this.#of(exchange);
    const form = formOf(exchange);
    if (form === null) return null;
    if (!isServing && forAll.has(answerDigest(exchange.answer?.text ?? "")))
      return "all callers are refused alike, as by a firewall";
    if (confirmed.has(form)) return null;
    const count = forms.get(form) ?? 0;
    const isRare = [...forms.values()].some((times) => times > count);
    const doubt = `HTTP ${exchange.answer?.status} in a form that other refusals don't have, as by a proxy`;
    return isRare || (count < enoughSeen && !this.#isFinal) ? doubt : null;
  }

  #of({ requestSpec: { api } }: Exchange): Known {
    const known = this.#apis.get(api) ?? {
      forms: new Map(),
      streaks: new Streaks(),
      confirmed: new Set(),
      forAll: new Set(),
      isServing: false,
    };
    this.#apis.set(api, known);
    return known;
  }
}

/** The members of a refusal of access whose form the interface leaves open; null of all else. */
function formOf({ answer, protocol: { kind, errorTable, forms } }: Exchange): string | null {
  if (!answer || kind !== "http" || errorTable === null || forms !== null) return null;
  if (answer.status !== 401 && answer.status !== 403) return null;
  const value = answer.json?.value;
  return isObject(value) ? Object.keys(value).sort().join(" ") : "no object";
}
