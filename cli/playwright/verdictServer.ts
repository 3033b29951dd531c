// Verdicts over loopback: Playwright workers request them from the engine in the main process.
import type { RequirementId } from "../../harness/core/interface.ts";
import type { Engine } from "../../harness/engine/engine.ts";
import { type Listening, listen } from "../../reference/http.ts";

/** `GET <base>/<requirement id>` answers a Verdict as JSON. */
export function openVerdictServer(engine: Engine): Promise<Listening> {
  const fetch = async ({ url }: Request): Promise<Response> => {
    const id = new URL(url).pathname.slice(1);
    try {
      return Response.json(await engine.judge(id as RequirementId));
    } catch (error) {
      return Response.json({ message: String(error) }, { status: 500 });
    }
  };
  return listen({ fetch }, 0);
}
