// Verdicts over loopback: Playwright workers request them from the engine in the main process.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { RequirementId } from "../../harness/core/interface.ts";
import type { Engine } from "../../harness/engine/engine.ts";
import { described } from "../described.ts";

export interface VerdictServer {
  /** `GET <url>/<requirement id>` answers a Verdict as JSON. */
  readonly url: string;
  close(): Promise<void>;
}

export function openVerdictServer(engine: Engine): Promise<VerdictServer> {
  const known: ReadonlySet<string> = new Set(described.tables.requirements.map(({ id }) => id));
  const server = createServer((request, response) => {
    const id = (request.url ?? "").slice(1);
    const reply = (status: number, body: unknown): void => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    if (known.has(id)) {
      engine.judge(id as RequirementId).then(
        (verdict) => reply(200, verdict),
        (error: unknown) => reply(500, { message: String(error) }),
      );
    } else reply(404, { message: `no requirement ${id}` });
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      resolve({
        url: `http://127.0.0.1:${port}`,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      });
    });
  });
}
