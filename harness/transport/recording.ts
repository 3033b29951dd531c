// The record of one request: its answer read, what may be shown of it, and what the target knows of who asked.

import { type Protocol, protocolOf } from "../core/interface.ts";
import { parseJson } from "../core/json.ts";
import { keyHolder, type RequestSpec } from "../core/requestSpec.ts";
import { isGiven } from "../core/template.ts";
import { keyOf, projectNameOf, type Target } from "../targets/target.ts";
import { type Answer, type Exchange, type HeaderList, type KnownAsker, type Sent, textIn } from "./exchange.ts";
import type { WireAnswer, WireRequest } from "./wire.ts";
import { WireFault } from "./wireFault.ts";

/** The reference names its mutant here; no law may see it. */
export const mutantHeader = "x-assay-mutant";

/** What came of a request: an answer, or the fault that came instead. */
export type Received = Pick<Exchange, "answer" | "fault">;

/** The answer, or the fault where none can be read. */
export function receivedOf(outcome: WireAnswer | WireFault, target: Target): Received {
  try {
    if (outcome instanceof WireFault) throw outcome;
    return { answer: answerOf(outcome, target), fault: null };
  } catch (error) {
    if (!(error instanceof WireFault)) throw error;
    return { answer: null, fault: { kind: error.kind, detail: target.redact(error.message) } };
  }
}

export function exchangeOf(
  target: Target,
  requestSpec: RequestSpec,
  request: WireRequest,
  { latency_ms, ...timed }: Received & Pick<Exchange, "number" | "sentAt_ms" | "latency_ms">,
): Exchange {
  const { method, url, headers, body } = request;
  const asked = askerOfRequest(target, requestSpec);
  return {
    ...timed,
    requestSpec,
    ...asked,
    sent: {
      method,
      url: target.redact(url),
      headers: redactHeaders(target, headers),
      ...(body === undefined ? {} : sentBody(body, target, asked.protocol.kind)),
    },
    latency_ms: Math.round(latency_ms * 1000) / 1000,
  };
}

/** By which protocol a request spec is answered, to whom, and whether about their own project. */
export function askerOfRequest(
  target: Target,
  requestSpec: RequestSpec,
): Pick<Exchange, "protocol" | "asker" | "isOwn"> {
  const asker = knownAsker(target, requestSpec);
  return {
    protocol: protocolOf(target.interface, requestSpec.api, requestSpec.operation),
    asker,
    isOwn:
      asker !== null &&
      requestSpec.path.every(
        (part) =>
          typeof part === "string" ||
          isGiven(part) ||
          ("projectOf" in part && projectNameOf(target, part.projectOf) === asker.projectName),
      ),
  };
}

function sentBody(text: string, { redact }: Target, protocol: Protocol["kind"]): Pick<Sent, "body" | "json"> {
  const body = redact(text);
  const json = protocol === "json-rpc" ? parseJson(text)?.value : undefined;
  return json === undefined ? { body } : { body, json };
}

function answerOf(raw: WireAnswer, target: Target): Answer {
  const headers = raw.headers.filter(([name]) => name !== mutantHeader);
  const read = textIn(raw.body);
  const shown = { headers: redactHeaders(target, headers), text: target.redact(read.text) };
  const holdsKey = shown.headers !== headers || shown.text !== read.text;
  return { ...read, status: raw.status, headers, json: jsonOf(read.text), ...(holdsKey && { shown }) };
}

/** What may be written of an answer: a key in it is replaced by its role. */
export const shownOf = (answer: Answer | null) =>
  answer && { status: answer.status, headers: answer.headers, text: answer.text, ...answer.shown };

export function jsonOf(text: string): Answer["json"] {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new WireFault("oversized", error.message);
  }
}

/** As one text first: hardly any header holds a key. */
function redactHeaders(target: Target, headers: HeaderList): HeaderList {
  const all = headers.flat().join("\n");
  return target.redact(all) === all
    ? headers
    : headers.map(([name, value]) => [target.redact(name), target.redact(value)]);
}

/** What the target says of the holder of the valid key that is sent; null where none is. */
export function knownAsker(target: Target, requestSpec: RequestSpec): KnownAsker | null {
  const holder = keyHolder(requestSpec);
  const key = holder ? keyOf(target, holder) : undefined;
  if (!key) return null;
  const { role, isMade = false, projectName, project } = key;
  return { role, isMade, projectName, project, rounding: target.rounding };
}
