// The live page of the proxy, which shows states made by hand.
import { LiveExchanges } from "../../cli/liveExchanges.ts";
import { wholeSuite } from "../../cli/suite.ts";
import { placeholder } from "../../cli/target.ts";
import type { RequirementId } from "../../harness/core/interface.ts";
import { RecordedCallers } from "../../harness/recordings/callers.ts";
import { RecordingJudge } from "../../harness/recordings/judge.ts";
import type { Recorded } from "../../harness/recordings/recorded.ts";
import { type LiveExchange, type LiveNames, type LiveState, startLivePage } from "../../proxy/livePage.ts";
import { kindOf } from "../../reports/words.ts";
import { worldAt } from "./recordings.ts";

const breach = {
  id: "USG-01",
  kind: "broken",
  place: "/<i>credits</i>",
  expected: "</script><script>document.title='no'</script>",
  got: "<img src=x onerror=\"document.title='no'\">",
};

export const liveState: LiveState = {
  target: "acme",
  proxy: "http://127.0.0.1:8080",
  forwarded: 12,
  waiting: 0,
  unlisted: 0,
  counts: [
    { kind: "holds", count: 7, text: "7 passed" },
    { kind: "broken", count: 3, text: "3 broken" },
    { kind: "unjudged", count: 2, text: "2 not judged" },
  ],
  operations: [{ name: "getAsset", exchanges: 10 }],
  reasons: [{ name: "a gateway page (HTTP 502, <b>text</b>)", exchanges: 2 }],
  findings: [{ ...breach, times: 3, sentAt_ms: 0, request: "getAsset<br>" }],
  notice: "",
};

/** One whose answer breaks a requirement, but for what is given. */
export const liveExchange = (number: number, change: Partial<LiveExchange> = {}): LiveExchange => ({
  number,
  sentAt_ms: number * 1_000,
  request: "getAsset<br>",
  about: `{"id":"<i>${number}</i>"}`,
  line: "POST /?<u>",
  status: "200",
  latency_ms: 12.3,
  kind: "broken",
  calls: [{ title: "getAsset", unjudged: "", held: ["USG-02"], broken: [breach] }],
  ...change,
});

const names: LiveNames = {
  kinds: {
    broken: { sign: "✗", name: "broken" },
    holds: { sign: "✓", name: "passed" },
    unjudged: { sign: "–", name: "not judged" },
  },
  requirements: { "USG-01": "Usage is <b>whole</b> (§2.1)", "USG-02": "Usage is there (§2.2)" },
};

/** On a port of its own; `show` publishes the state, but for what is given, and exchanges. */
export async function livePage() {
  const { url, publish, close } = await startLivePage(0, names);
  return {
    url,
    close,
    show: (change: Partial<LiveState> = {}, ...fresh: readonly LiveExchange[]) =>
      publish({ ...liveState, ...change }, fresh),
  };
}

/** The lines of requests to the reference's target. */
export async function linesOf(entries: readonly Recorded[]): Promise<readonly LiveExchange[]> {
  const callers = new RecordedCallers(worldAt().target, new Map(), placeholder);
  const judge = new RecordingJudge({ callers, laws: wholeSuite.laws, impliedFails: true, onExchange: () => undefined });
  const live = new LiveExchanges();
  const kindOn = (id: RequirementId) => kindOf(judge.verdictOn(id));
  for (const recorded of entries)
    live.add({ recorded, calls: await judge.add(recorded), callers, platform: "", kindOn });
  return live.fresh();
}
