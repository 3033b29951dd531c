// The OpenRPC view of the JSON-RPC methods: valid, complete, and what rpc.discover returns.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { assay, root } from "../support/assay.ts";
import { platform } from "../support/bundles.ts";
import { specAt } from "../support/register.ts";
import { openRpcProblems, schemaProblems } from "../support/standards.ts";

interface Schema {
  readonly type?: string;
  readonly examples?: readonly unknown[];
}
interface Method {
  readonly method: string;
  readonly "x-errors": string;
  readonly params: Schema;
  readonly result: Schema;
}
interface OpenRpc {
  readonly methods: readonly { readonly name: string; readonly errors: readonly { readonly code: number }[] }[];
}

const methods = readdirSync(join(root, "specs/rpc"))
  .sort()
  .map((file) => specAt(`rpc/${file}`) as Method);
const openRpc = async () => JSON.parse((await assay(["spec", "openrpc"])).stdout) as OpenRpc;

test("the view fits the meta-schema of OpenRPC", async () => {
  expect(openRpcProblems(await openRpc())).toEqual([]);
});

test("the view lists every method, with the codes of its error table, each once", async () => {
  const shown = (await openRpc()).methods;
  expect(shown.map(({ name }) => name)).toEqual(methods.map(({ method }) => method));
  for (const [nth, { errors }] of shown.entries()) {
    const { rows } = specAt(`errors/${methods[nth]?.["x-errors"]}.yaml`) as { readonly rows: typeof errors };
    const codes = errors.map(({ code }) => code);
    expect(codes).toEqual(rows.map(({ code }) => code));
    expect(new Set(codes).size).toBe(codes.length);
  }
});

for (const { method, params, result } of methods) {
  test(`every example of ${method} fits its schema, and params of another type don't`, () => {
    for (const schema of [params, result])
      for (const example of schema.examples ?? []) expect(schemaProblems(schema, example)).toEqual([]);
    expect(result.examples?.length).toBeGreaterThan(0);
    if (params.type !== undefined)
      expect([1, "x", true].filter((other) => schemaProblems(params, other).length === 0)).toEqual([]);
  });
}

test("rpc.discover returns the view", async () => {
  expect(await platform().call("rpc.discover", undefined)).toEqual({ jsonrpc: "2.0", id: 7, result: await openRpc() });
});
