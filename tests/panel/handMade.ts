// Polls made by hand: what each vendor answered, and when, so that it is known who went back.
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { steppedClock } from "../../harness/core/clock.ts";
import { transportTo } from "../../harness/transport/transport.ts";
import { PanelFindings } from "../../panel/findings.ts";
import type { Backwards } from "../../panel/panelReport.ts";
import type { Reply } from "../../panel/polling.ts";
import { namedQuestions } from "../../panel/questions.ts";
import { freshWorld } from "../../proof/inProcess.ts";

const owner = "D1VtmGG1jUKtipm1ZGmkbro3akJ5J6CxzfJSJPnqoe5w";
const asked = {
  accounts: { getTokenAccounts: { owner } },
  others: { getTokenAccounts: { owner, mint: owner } },
  balance: { getCompressedBalance: { address: owner } },
  statuses: { getBundleStatuses: [["a", "b"]] },
};
type Asked = keyof typeof asked;

/** Each vendor's result as JSON; null where it gives none. */
interface HandMadePoll {
  readonly asked: Asked;
  readonly results: readonly (string | null)[];
  /** Unix time in ms; by default each poll is sent 1 s after the one before, and answered at once. */
  readonly sent_ms?: number;
  readonly received_ms?: number;
  readonly isTogether?: boolean;
}

async function replyOf(vendor: number, result: string | null, poll: HandMadePoll, nth: number): Promise<Reply> {
  const [question] = namedQuestions([asked[poll.asked]]);
  if (!question) throw new Error("no question");
  const wire = ({ body = "{}" }: { readonly body?: string }) => {
    const { id } = JSON.parse(body) as { id: number };
    const text = result === null ? `"error":{"code":-32000,"message":"no"}` : `"result":${result}`;
    return Promise.resolve({
      status: 200,
      headers: [["content-type", "application/json"]] as const,
      body: Buffer.from(`{"jsonrpc":"2.0","id":${id},${text}}`),
    });
  };
  const { targetAt } = freshWorld("handMade");
  const exchange = await transportTo(targetAt("http://a.example"), wire, steppedClock(0)).send(question.requestSpec);
  const { sent_ms = nth * 1_000, received_ms = sent_ms + 10 } = poll;
  return { vendor, exchange: { ...exchange, sentAt_ms: sent_ms }, received_ms, isCold: false, connection: null };
}

/** Who went back in these polls, of as many vendors as give results. */
export async function backwardsOfPolls(
  polls: readonly HandMadePoll[],
  reference: number | null = null,
): Promise<readonly Backwards[]> {
  const findings = new PanelFindings(polls[0]?.results.length ?? 0, reference, dataPlatform);
  for (const [nth, poll] of polls.entries()) {
    const [question] = namedQuestions([asked[poll.asked]]);
    const replies = await Promise.all(poll.results.map((result, vendor) => replyOf(vendor, result, poll, nth)));
    if (question) findings.add({ question, round: nth, replies, isTogether: poll.isTogether ?? true });
  }
  return findings.report((id) => id).backwards ?? [];
}

const resultOf: { readonly [of in Asked]: (slot: number) => string } = {
  accounts: (slot) => `{"last_indexed_slot":${slot},"total":0,"limit":100,"token_accounts":[]}`,
  others: (slot) => `{"last_indexed_slot":${slot},"total":0,"limit":100,"token_accounts":[]}`,
  balance: (slot) => `{"context":{"slot":${slot}},"value":7}`,
  statuses: (slot) => `{"context":{"slot":${slot}},"value":[null,null]}`,
};

/** One vendor's answer that has this slot. */
export const withSlot = (of: Asked, slot: number, when: Partial<HandMadePoll> = {}): HandMadePoll => ({
  asked: of,
  results: [resultOf[of](slot)],
  ...when,
});

/**
 * Balances as a table: a row for each poll, with the slot and what each vendor says, as a letter; `-` for no answer. An
 * answer may name a slot of its own: `b@12`.
 */
export const balances = (...rows: readonly string[]): readonly HandMadePoll[] =>
  rows.map((row) => {
    const [slot = "", ...given] = row.split(/\s+/);
    const results = given.map((text) => {
      const [letter = "", own = slot] = text.split("@");
      return letter === "-" ? null : `{"context":{"slot":${own}},"value":${letter.charCodeAt(0)}}`;
    });
    return { asked: "balance", results };
  });

/** One vendor's statuses of bundle `a`, and of `b` after a comma; `-`: null. A slot of its own follows an at sign. */
export const stages = (...answers: readonly string[]): readonly HandMadePoll[] =>
  answers.map((answer, nth) => {
    const [text = "", slot = 100 + nth] = answer.split("@");
    const list = text
      .split(",")
      .map((status, at) => (status === "-" ? "null" : `{"bundle_id":"${"ab"[at]}","confirmation_status":"${status}"}`));
    const value = [...list, "null"].slice(0, 2).join();
    return { asked: "statuses", results: [`{"context":{"slot":${slot}},"value":[${value}]}`] };
  });
