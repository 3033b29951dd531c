// A server that takes remote writes for tests, and keeps what arrived in clear
import type { IncomingMessage } from "node:http";
import { uncompress } from "snappyjs";
import { vendor } from "./vendor.ts";

const bytesOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/**
 * @param statusOf the answer to each write, counted from 1
 * @param onto a Prometheus that gets the writes as well, and then answers
 */
export async function remoteWrites(statusOf: (nth: number) => number, onto?: string) {
  /** Heads and bodies: all that arrived. */
  const arrived: string[] = [];
  const statusOn = async (request: IncomingMessage): Promise<number> => {
    const body = await bytesOf(request);
    arrived.push(`${request.url} ${JSON.stringify(request.rawHeaders)} ${uncompress(body).toString("latin1")}`);
    const nth = arrived.length;
    if (onto === undefined) return statusOf(nth);
    const { "content-type": type = "", "content-encoding": encoding = "" } = request.headers;
    const headers = {
      "content-type": type,
      "content-encoding": encoding,
      "x-prometheus-remote-write-version": "0.1.0",
    };
    return (await fetch(onto, { method: "POST", body, headers })).status;
  };
  const { base, close } = await vendor((request, response) => {
    statusOn(request).then(
      (status) => response.writeHead(status).end(),
      (error: unknown) => response.writeHead(502).end(String(error)),
    );
  });
  return { address: `${base}/api/v1/write`, arrived, close };
}
