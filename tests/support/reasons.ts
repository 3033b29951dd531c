// Reasons in tests: made of a text, and read as the sentence that is shown
import type { Reason } from "../../harness/core/reason.ts";
import { shownVerdict } from "../../harness/model/shown.ts";
import type { Verdict } from "../../harness/model/verdict.ts";

export const inWords = (text: string): Reason => ({ kind: "ownWords", text });

export const sentenceOf = (verdict: Verdict | undefined): string | null | undefined =>
  verdict && shownVerdict(verdict).reason;
