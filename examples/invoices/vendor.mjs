// A vendor to try it on, at port 8787 or PORT: honest, or wrong as the mutant that is named.
import { createServer } from "node:http";
import config from "./assay.config.mjs";

const { platform, mutants } = config;
const mutant = mutants?.[process.argv[2] ?? ""] ?? ((answer) => answer);
const server = createServer(async ({ url }, response) => {
  const request = new Request(`http://127.0.0.1${url}`);
  const answer = await mutant(await platform.fetch(request), request);
  response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
});
server.listen(Number(process.env["PORT"] ?? 8787), "127.0.0.1", () => {
  console.log(`port ${Object(server.address()).port}`);
});
