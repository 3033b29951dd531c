// The live page of the proxy, which shows states made by hand.
import { type LiveState, startLivePage } from "../../proxy/livePage.ts";

export const liveState: LiveState = {
  target: "acme",
  proxy: "http://127.0.0.1:8080",
  forwarded: 12,
  judged: 10,
  unjudged: 2,
  operations: [{ operation: "getAsset", exchanges: 10 }],
  findings: [
    {
      id: "USG-01",
      kind: "broken",
      sentence: "Usage is <b>whole</b>",
      clause: "§2.1",
      expected: "</script><script>document.title='no'</script>",
      got: "<img src=x onerror=\"document.title='no'\">",
      times: 3,
    },
  ],
  notice: "",
};

/** On a port of its own; `show` publishes the state, but for what is given. */
export async function livePage() {
  const { url, publish, close } = await startLivePage(0);
  return { url, close, show: (change: Partial<LiveState> = {}) => publish({ ...liveState, ...change }) };
}
