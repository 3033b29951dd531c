// Events without keys: what they quote of answers may hold some.
import { type Redactor, redactedIn } from "../core/secret.ts";
import type { EngineEvent } from "../model/event.ts";

/**
 * The same event without keys. Verdicts have none, as outcomes and breaches are recorded without; an exchange stays as
 * it came, so that it is classed by that, and only its record is written (`recordOf`).
 */
export const shownEvent = (event: EngineEvent, redact: Redactor): EngineEvent =>
  event.event === "exchange" || event.event === "verdict" ? event : redactedIn(event, redact);
