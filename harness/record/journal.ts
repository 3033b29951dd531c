// The journal of a run, appended line by line, so that a killed run keeps what it found.
import { createHash } from "node:crypto";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { CommandLineError } from "../core/commandLineError.ts";
import type { Edition, Interface, RequirementId } from "../core/interface.ts";
import { jsonOrNull } from "../core/json.ts";
import { textOfMember } from "../core/memberFile.ts";
import { questionOf, type RequestSpec } from "../core/requestSpec.ts";
import { asSpelledBefore } from "../core/template.ts";
import type { Plan } from "../engine/plan.ts";
import type { Remedy } from "../engine/remedies.ts";
import type { EngineEvent } from "../model/event.ts";
import { type ShownObserved, type ShownVerdict, shownObserved, shownVerdict } from "../model/shown.ts";
import type { Spent } from "../targets/budget.ts";
import { classOf } from "../transport/answers.ts";
import type { Answer, Exchange, Fault, HeaderList, Sent } from "../transport/exchange.ts";
import { shownOf } from "../transport/recording.ts";
import { curlOf, requestTitle } from "../transport/rendering.ts";
import type { LoadReport } from "./load.ts";
import type { OwnRequirement } from "./ownRequirements.ts";
import type { RecordingReport } from "./recording.ts";

/** `throttled`: refused for our rate · `failed`: no answer that can be judged. */
export type ExchangeOutcome = "served" | "refused" | "throttled" | "failed";

/** An exchange as recorded: redacted, long heads and bodies cut. */
export interface ExchangeRecord {
  readonly number: number;
  /** E.g. `GET /orders/{id} as paid (header)`. */
  readonly title: string;
  readonly operation: string | null;
  readonly api: string;
  /** A digest of the request spec: the same on every target, in every run, and for repetitions. */
  readonly stimulus: string;
  /** The role whose valid key was sent; null where none was. */
  readonly asker: string | null;
  readonly outcome: ExchangeOutcome;
  readonly curl: string;
  readonly sent: Omit<Sent, "json">;
  readonly answer:
    | (Pick<Answer, "status" | "headers"> & { readonly body: string; readonly cutAt_chars: number | null })
    | null;
  readonly fault: string | null;
  /** Absent where there is an answer, and in journals of older versions. */
  readonly faultKind?: Fault["kind"];
  readonly sentAt: string;
  readonly latency_ms: number;
}

/** The value of a flag, as it was parsed. */
export type FlagValue = string | boolean | readonly string[];

/** How a run was called, as data: what its `command` says in a line. */
export interface CommandCall {
  /** How the command line was started, e.g. `npx assay`. */
  readonly program: string;
  /** The command and its arguments, e.g. `["load", "smoke"]`. */
  readonly words: readonly string[];
  readonly flags: { readonly [name: string]: FlagValue };
}

/** What a file holds, by its SHA-256 in hexadecimal. */
export interface FileDigest {
  readonly name: string;
  readonly sha256: string;
}

export interface RunStart {
  readonly record: "start";
  readonly version: string;
  readonly interface: Edition;
  /** The format of the run; 1 where it is left out. */
  readonly format?: number;
  readonly id: string;
  readonly target: string;
  /** As given on the command line. */
  readonly targetFile?: string;
  /** By feature, the line of the target file that is about it; missing in older journals. */
  readonly targetLines?: { readonly [feature: string]: number };
  /** Of the target file and of its known deviations, as they were; missing in older journals. */
  readonly targetDigests?: readonly FileDigest[];
  /** By role, the environment variable that holds its key; missing in older journals. */
  readonly keyVariables?: { readonly [role: string]: string };
  readonly isReference: boolean;
  readonly bases: { readonly [api: string]: string };
  readonly command: string;
  /** Missing in older journals. */
  readonly call?: CommandCall;
  readonly startedAt: string;
  readonly planned: readonly string[];
  /** Requirements that no check of this version cites. */
  readonly unchecked: readonly RequirementId[];
  /** Of the config that judged; missing without one, and in older journals. */
  readonly ownRequirements?: readonly OwnRequirement[];
  readonly plan: Pick<Plan, "requests" | "credits" | "unpriced">;
  /** What the target file could add; missing in older journals. */
  readonly unlocks?: readonly Remedy[];
  /** By JSON pointer, what to write for a sample that the run looks for, in case it isn't found. */
  readonly samplesToAdd?: { readonly [pointer: string]: string };
}

export interface RunEnd {
  readonly record: "end";
  readonly endedAt: string;
  readonly spent: Spent;
  readonly exitCode: number;
}

/** An event as it is recorded, under its name; those apart that are recorded in another form. */
type Recorded<Event> = Event extends { readonly event: infer Name }
  ? Omit<Event, "event"> & { readonly record: Name }
  : never;

export type JournalLine =
  | RunStart
  | { readonly record: "exchange"; readonly exchange: ExchangeRecord }
  | { readonly record: "verdict"; readonly verdict: ShownVerdict; readonly spent: Spent }
  | { readonly record: "observation"; readonly observation: ShownObserved }
  | Recorded<Exclude<EngineEvent, { readonly event: "exchange" | "verdict" | "observation" }>>
  /** Written again and again while a load is sent: the last one counts. */
  | { readonly record: "load"; readonly load: LoadReport; readonly spent?: Spent }
  | { readonly record: "recording"; readonly recording: RecordingReport }
  | RunEnd;

const longestBody_chars = 64 * 1024;
/** Once whole bodies have taken so much, all reports together would be too large for the memory of a small machine. */
const wholeBodies_chars = 8 * 1024 * 1024;
const laterBody_chars = 2 * 1024;
/** Several times an ordinary head. */
const longestHead_chars = 8 * 1024;

/** The lines of a head as far as they are recorded; the last one then says how many are left out. */
function recordedHead(headers: HeaderList): HeaderList {
  let chars = 0;
  let recorded = 0;
  for (const [name, value] of headers) {
    chars += name.length + value.length;
    if (chars <= longestHead_chars) recorded += 1;
  }
  const left = headers.length - recorded;
  const note = ["…", `${left} more, ${chars} characters in all: recorded up to here`] as const;
  return left === 0 ? headers : [...headers.slice(0, recorded), note];
}

/** @param most_chars of each body that are recorded */
export function recordOf(exchange: Exchange, tables: Interface, most_chars = longestBody_chars): ExchangeRecord {
  const { number, requestSpec, fault, sentAt_ms, latency_ms } = exchange;
  const answer = shownOf(exchange.answer);
  const { method, url, headers, body } = exchange.sent;
  const sent = { method, url, headers, ...(body === undefined ? {} : { body: body.slice(0, most_chars) }) };
  const text = answer?.text ?? "";
  const outcome = classOf(exchange);
  return {
    number,
    title: requestTitle(requestSpec, tables),
    operation: requestSpec.operation,
    api: requestSpec.api,
    stimulus: stimulusOf(requestSpec),
    asker: exchange.asker?.role ?? null,
    outcome: outcome === "limited" ? "throttled" : outcome,
    curl: curlOf(sent),
    sent,
    answer: answer && {
      status: answer.status,
      headers: recordedHead(answer.headers),
      body: text.slice(0, most_chars),
      cutAt_chars: text.length > most_chars ? most_chars : null,
    },
    fault: fault && `${fault.kind}: ${fault.detail}`,
    ...(fault && { faultKind: fault.kind }),
    sentAt: new Date(sentAt_ms).toISOString(),
    latency_ms,
  };
}

/** Journals of older versions hold the kind of a fault in its text alone. */
export const faultKindOf = ({ fault, faultKind }: Pick<ExchangeRecord, "fault" | "faultKind">): string | undefined =>
  faultKind ?? fault?.split(":", 1)[0];

/** Numbers of test projects are left out: they depend on the order in which scenarios ran. */
export function stimulusOf(requestSpec: RequestSpec): string {
  const text = asSpelledBefore(questionOf(requestSpec)).replace(/"made-\d+"/g, '"made"');
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

export const journalName = "journal.jsonl";

export class Journal {
  readonly #file: string;
  readonly #tables: Interface;
  readonly #written = new Set<JournalLine["record"]>();
  /** Of all bodies so far, as they are recorded. */
  #bodies_chars = 0;
  #isSealed = false;

  constructor(folder: string, tables: Interface) {
    this.#file = join(folder, journalName);
    this.#tables = tables;
  }

  /** @throws NodeJS.ErrnoException that names the file; its last line may then be cut */
  write(line: JournalLine): void {
    if (this.#isSealed) return;
    try {
      // Its first line makes it: a file or a link that is there already is somebody else's.
      appendFileSync(this.#file, `${JSON.stringify(line)}\n`, { flag: this.#written.size === 0 ? "ax" : "a" });
    } catch (error) {
      throw Object.assign(error as NodeJS.ErrnoException, { path: this.#file });
    }
    this.#written.add(line.record);
  }

  /** Its reports are made: what comes later would be in none of them. */
  seal(): void {
    this.#isSealed = true;
  }

  has(record: JournalLine["record"]): boolean {
    return this.#written.has(record);
  }

  note(noted: EngineEvent): void {
    const { event: record, ...rest } = noted;
    if (noted.event === "exchange") {
      const most_chars = this.#bodies_chars < wholeBodies_chars ? longestBody_chars : laterBody_chars;
      const exchange = recordOf(noted.exchange, this.#tables, most_chars);
      this.#bodies_chars += (exchange.answer?.body.length ?? 0) + (exchange.sent.body?.length ?? 0);
      this.write({ record: "exchange", exchange });
    } else if (noted.event === "verdict")
      this.write({ record: "verdict", verdict: shownVerdict(noted.verdict), spent: noted.spent });
    else if (noted.event === "observation")
      this.write({ record: "observation", observation: shownObserved(noted.observation) });
    else this.write({ record, ...rest } as JournalLine);
  }
}

/**
 * Every complete line of a run's journal; a crash may have cut the last.
 * @throws CommandLineError where a line before it is damaged: a verdict may be lost with it
 */
export function readJournal(folder: string): readonly JournalLine[] {
  const file = join(folder, journalName);
  const texts = textOfMember(folder, journalName)?.split("\n") ?? [];
  const lines = texts.map((text) => jsonOrNull(text) as JournalLine | null);
  const damaged = lines.findIndex((line, nth) => line === null && texts[nth] !== "");
  if (damaged !== -1 && lines.slice(damaged).some((line) => line !== null))
    throw new CommandLineError(`${file} is damaged in line ${damaged + 1}. Copy it again, or judge the target again.`);
  return lines.filter((line) => line !== null);
}
