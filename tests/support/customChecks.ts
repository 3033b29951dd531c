// Checks of one's own, whose functions are those of a test: a config beside a target file, and a vendor of its document.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CustomChecks } from "../../package/index.ts";
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

/** Writes a config beside its document, which is `spec.json`; gives its file. */
export function configFile(config: CustomChecks, document?: object): string {
  const [folder, at] = [emptyFolder(), configs.push(config) - 1];
  if (document) writeFileSync(join(folder, "spec.json"), JSON.stringify(document));
  const file = join(folder, "assay.config.mjs");
  writeFileSync(file, `export default globalThis.configsOfTests[${at}];\n`);
  return file;
}

export type Answering = (request: { readonly method: string; readonly path: string }) => Response;

/** What `assay run` finds of a vendor that offers one feature alone, and what it was asked. */
export async function judgedByConfig(config: CustomChecks, document: object, answering: Answering) {
  const requests: string[] = [];
  const { base, close } = await vendor((request, response) => {
    const { pathname: path, search } = new URL(request.url ?? "", "http://vendor.example");
    const method = request.method ?? "";
    requests.push(`${method} ${path}${search}`);
    const answer = answering({ method, path });
    void answer.text().then((text) => response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(text));
  });
  const file = configFile(config, document);
  const target = join(file, "../acme.yaml");
  const { api = "api", feature } = config.spec ?? {};
  writeFileSync(
    target,
    JSON.stringify({
      ...{ name: "acme", bases: { [api]: base }, offers: [feature], pace: { perSecond: 1_000 } },
      ...{ projects: { main: { plan: "paid" } }, keys: { paid: { project: "main", env: "KEY" } } },
    }),
  );
  const { run } = await assayRun(["run", "--target", target], { KEY: "0123456789" });
  await close();
  return { run, requests, target };
}

/** What `assay mutants` finds by a config. */
export const mutantsBy = async (config: CustomChecks, document?: object, ...names: readonly string[]) =>
  JSON.parse((await assay(["mutants", ...names, "--json"], { ASSAY_CONFIG: configFile(config, document) })).stdout) as {
    readonly honest: readonly string[];
    readonly results: readonly { readonly id: string; readonly result: string }[];
    readonly pending: readonly string[];
  };

/** What a command says of a config. */
export const listedBy = (config: CustomChecks, document?: object): Promise<Ended> =>
  assay(["requirements"], { ASSAY_CONFIG: configFile(config, document) });
