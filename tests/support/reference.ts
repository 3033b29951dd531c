// The reference platform on a free port of loopback, and JSON-RPC requests to it
import { demo } from "../../reference/demo.ts";
import { listen } from "../../reference/http.ts";
import { createPlatform } from "../../reference/platform.ts";

export interface StartedReference {
  readonly base: string;
  /** Key of the project `main`. */
  readonly key: string;
  rpc(request: object): Promise<unknown>;
  close(): Promise<void>;
}

export async function startReference(): Promise<StartedReference> {
  const { world, keys } = demo();
  const { base, close } = await listen(createPlatform({ world, now_ms: Date.now }), 0);
  return {
    base,
    key: keys.paid,
    close,
    rpc: async (request) => {
      const answer = await fetch(`${base}/?api-key=${keys.paid}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(request),
      });
      return answer.json();
    },
  };
}
