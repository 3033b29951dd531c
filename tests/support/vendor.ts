// A platform for one test, on loopback, and its target file.
import { writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { join } from "node:path";
import { emptyFolder } from "./assay.ts";

/** Starts a server on a free port of loopback; gives the port. */
export async function portOf(server: Server): Promise<number> {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return (server.address() as AddressInfo).port;
}

export async function vendor(listener: RequestListener) {
  const server = createServer(listener);
  const base = `http://127.0.0.1:${await portOf(server)}`;
  const close = (): Promise<void> =>
    new Promise((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  return { base, server, close };
}

/** A base where nothing listens. */
export async function deadBase(): Promise<string> {
  const { base, close } = await vendor(() => undefined);
  await close();
  return base;
}

/** Gives the same answer to every request. */
export const always =
  (status: number, contentType: string, body: string): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { "content-type": contentType }).end(body);
  };

export const vendorKey = "a3d6c1f0-5b7e-4c29-8f14-6e0d9b2a7c58";
export const vendorProject = "7f9c24e5-1f0b-4c55-9a5c-6f4d1f3b8a10";

/** The smallest target: a base, one ordinary key, its project's id. */
export const smallTarget = (base: string): string => `
name: small
bases: { admin: "${base}" }
offers: [usage]
projects: { main: { id: ${vendorProject}, plan: paid } }
keys: { paid: { project: main, env: SMALL_KEY } }
pace: { perSecond: 200, usagePerSecond: 1000 }
`;

export const smallEnvironment = { SMALL_KEY: vendorKey };

/** Writes a target file into a folder of its own; gives its path. */
export function targetFile(yaml: string): string {
  const file = join(emptyFolder(), "target.yaml");
  writeFileSync(file, yaml);
  return file;
}

export interface LoadedAt {
  readonly base?: string | undefined;
  /** Its plan, or what else the file says of the project. */
  readonly project?: string | undefined;
}

/** The file of a target that offers everything, with samples for loads. @param more lines of it */
export const loadTargetFile = (more = "", { base = "http://127.0.0.1:9", project = "plan: paid" }: LoadedAt = {}) =>
  targetFile(`
name: acme
bases: { admin: "${base}", api: "${base}", rpc: "${base}" }
projects: { main: { id: ${vendorProject}, ${project} } }
keys: { paid: { project: main, env: SMALL_KEY } }
samples:
  wallets: [5esGTe7gDxMcXo97WWuPRha9NDjvoVvf3bXkZeLRyUzv]
  owner: D1VtmGG1jUKtipm1ZGmkbro3akJ5J6CxzfJSJPnqoe5w
pace: { perSecond: 12, usagePerSecond: 4.9 }
${more}
`);
