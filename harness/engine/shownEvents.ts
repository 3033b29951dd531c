// Events without keys: what they quote of answers may hold some.
import type { Json } from "../core/json.ts";
import { withTexts } from "../core/reason.ts";
import { type Redactor, redactedIn } from "../core/secret.ts";
import type { EngineEvent } from "../model/event.ts";
import type { Observed, ProbeReading } from "../model/probe.ts";

/**
 * The same event without keys. Verdicts have none, as outcomes and breaches are recorded without; an exchange stays as
 * it came, so that it is classed by that, and only its record is written (`recordOf`).
 */
export function shownEvent(event: EngineEvent, redact: Redactor): EngineEvent {
  switch (event.event) {
    case "preflight":
      return { ...event, preflight: { ...event.preflight, unusable: event.preflight.unusable.map(redact) } };
    case "sample": {
      const { value, how } = event.sample;
      return { ...event, sample: { ...event.sample, value: redactedIn(value, redact), how: redact(how) } };
    }
    case "observation":
      return { ...event, observation: shownObservation(event.observation, redact) };
    case "audit": {
      const { audit } = event;
      const entries = audit.entries.map((one) => ({ ...one, reason: one.reason && redact(one.reason) }));
      return { ...event, audit: { ...audit, entries, reason: audit.reason && redact(audit.reason) } };
    }
    case "remarks":
      return { ...event, sentences: event.sentences.map(redact) };
    case "outage":
      return { ...event, outage: { ...event.outage, outcome: redact(event.outage.outcome) } };
    case "intermittent":
      return { ...event, cause: redact(event.cause) };
    case "exchange":
    case "verdict":
    case "waiting":
    case "cutShort":
    case "unjudged":
    case "usedByOthers":
      return event;
  }
}

function shownObservation(observed: Observed, redact: Redactor): Observed {
  const shown = ({ summary, fingerprints, ...rest }: ProbeReading): ProbeReading => ({
    ...rest,
    summary: redactedIn(summary, redact) as ProbeReading["summary"],
    fingerprints: redactedIn(fingerprints as unknown as Json, redact) as unknown as ProbeReading["fingerprints"],
  });
  return { ...observed, values: observed.values.map(shown), reasons: withTexts(observed.reasons, redact) };
}
