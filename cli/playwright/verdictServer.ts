// Verdicts over loopback: Playwright workers request them from the engine in the main process.
import type { RequirementId } from "../../harness/core/interface.ts";
import type { Engine } from "../../harness/engine/engine.ts";
import { type Listening, listen } from "../../reference/http.ts";

/**
 * `GET <base>/<requirement id>` answers a Verdict as JSON.
 * @param held those that this shard judges; without the reporter Playwright gives it others
 */
export function openVerdictServer(engine: Engine, held: ReadonlySet<string>): Promise<Listening> {
  const noTest = "isn't in this shard's share: leave the reporter of playwright.config.ts in, which selects its tests";
  const fetch = async ({ url }: Request): Promise<Response> => {
    const id = new URL(url).pathname.slice(1);
    if (!held.has(id)) return Response.json({ message: `${id} ${noTest}` }, { status: 404 });
    try {
      return Response.json(await engine.judge(id as RequirementId));
    } catch (error) {
      return Response.json({ message: String(error) }, { status: 500 });
    }
  };
  return listen({ fetch }, 0);
}
