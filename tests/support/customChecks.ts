// A user's own checks with a test's functions: a config beside a target file, and a vendor of its document.
import { writeFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type CustomChecks, equals } from "../../package/index.ts";
import { assay, assayRun, type Ended, emptyFolder } from "./assay.ts";
import { vendor } from "./vendor.ts";

export {
  broken,
  type CustomCheck,
  type CustomChecks,
  defineLaw,
  equals,
  type Finding,
  held,
  must,
  sample,
} from "../../package/index.ts";

const configs: CustomChecks[] = [];
Object.assign(globalThis, { configsOfTests: configs });

/** Is loaded, and judges next to nothing. */
export const smallestConfig: CustomChecks = {
  requirements: [{ id: "OWN-A-01", sentence: "Its health is served", clause: "Ours §1" }],
  checks: [
    {
      proves: "OWN-A-01",
      request: { operation: "getIndexerHealth" },
      by: ({ status }) => equals("status", status, 200),
    },
  ],
};

/** Writes a config beside its document, which is `spec.json`; gives its file. */
export function configFile(config: CustomChecks, document?: object): string {
  const [folder, at] = [emptyFolder(), configs.push(config) - 1];
  if (document) writeFileSync(join(folder, "spec.json"), JSON.stringify(document));
  const file = join(folder, "assay.config.mjs");
  writeFileSync(file, `export default globalThis.configsOfTests[${at}];\n`);
  return file;
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

export type Answering = (request: Asked) => Response;

/**
 * What `assay run` finds of a vendor that offers the feature of a config alone, and what it was asked.
 * @param more of the target file
 */
export async function judgedByConfig(config: CustomChecks, document: object, answering: Answering, more: object = {}) {
  const requests: Asked[] = [];
  const { base, close } = await vendor((request, response) => {
    void text(request).then(async (body) => {
      const { pathname: path, search: query } = new URL(request.url ?? "", "http://vendor.example");
      const asked = { method: request.method ?? "", path, query, body, headers: request.headers };
      requests.push(asked);
      const answer = answering(asked);
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    });
  });
  const file = configFile(config, document);
  const target = join(file, "../acme.yaml");
  const { api = "api", feature } = config.spec ?? {};
  writeFileSync(
    target,
    JSON.stringify({
      ...{ name: "acme", bases: { [api]: base }, offers: [feature], pace: { perSecond: 1_000 } },
      ...{ projects: { main: { plan: "paid" } }, keys: { paid: { project: "main", env: "KEY" } } },
      ...more,
    }),
  );
  const { run } = await assayRun(["run", "--target", target, "--config", file], { KEY: "0123456789" });
  await close();
  return { run, requests, target, file };
}

/** What `assay mutants` finds by a config. */
export const mutantsBy = async (config: CustomChecks, document?: object, ...names: readonly string[]) =>
  JSON.parse((await assay(["mutants", ...names, "--json", "--config", configFile(config, document)])).stdout) as {
    readonly honest: readonly string[];
    readonly results: readonly { readonly id: string; readonly result: string }[];
    readonly pending: readonly string[];
  };

/** What a command says of a config. */
export const listedBy = (config: CustomChecks, document?: object): Promise<Ended> =>
  assay(["requirements", "--config", configFile(config, document)]);
