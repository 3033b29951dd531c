// A platform fast enough to measure the generator: it replays the reference's answers
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { withCarrier } from "../harness/core/requestSpec.ts";
import type { Target } from "../harness/targets/target.ts";
import { render } from "../harness/transport/rendering.ts";
import { reads } from "../load/reads.ts";
import { type MixShare, mixFor } from "../load/traffic/mix.ts";
import { freshWorld, wireTo } from "../proof/inProcess.ts";
import { createPlatform } from "../reference/platform.ts";
import type { Answers } from "./replayServer.ts";

export interface Replayed {
  readonly target: Target;
  /** Every read operation. */
  readonly shares: readonly MixShare[];
}

const replay = fileURLToPath(new URL("replayServer.ts", import.meta.url));

/** Asks the reference once for each answer, so that it refuses none, then runs `work` on the replaying platform. */
export async function replayed<Result>(work: (replayed: Replayed) => Promise<Result>): Promise<Result> {
  const { world, targetAt } = freshWorld("not used");
  const platform = createPlatform({ world, now_ms: Date.now });
  const target = targetAt("http://127.0.0.1:1");
  const shares = mixFor(target, reads).shares.map((share) => ({
    ...share,
    requestSpec: withCarrier(share.requestSpec, "header"),
  }));
  const wire = wireTo(platform, undefined);
  const answers: Record<string, Answers[string]> = {};
  for (const { requestSpec } of shares) {
    const request = render(target, requestSpec);
    const { status, headers, body } = await wire(request, new AbortController().signal);
    if (status !== 200) throw new Error(`${requestSpec.operation} was answered ${status}`);
    answers[`${request.method} ${request.url.slice(target.bases[requestSpec.api]?.length)} ${request.body ?? ""}`] = {
      status,
      headers,
      body: new TextDecoder().decode(body),
    };
  }
  const server = spawn(process.execPath, ["--import", "tsx", replay], { stdio: ["pipe", "pipe", "inherit"] });
  try {
    server.stdin.end(JSON.stringify(answers));
    const [port] = (await once(server.stdout, "data")) as [Buffer];
    return await work({ target: targetAt(`http://127.0.0.1:${port.toString().trim()}`), shares });
  } finally {
    server.kill();
  }
}
