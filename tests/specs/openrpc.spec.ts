// The OpenRPC view of the JSON-RPC methods: valid, complete, and what rpc.discover returns.
import { expect, test } from "@playwright/test";
import { methods } from "../../specs/build/catalogue.ts";
import { newAjv } from "../../specs/build/validators.ts";
import { openRpc } from "../../specs/generated/openrpc.ts";
import { rpcErrors } from "../../specs/generated/operations.ts";
import { platform } from "../support/bundles.ts";
import { openRpcProblems } from "../support/standards.ts";

test("the view fits the meta-schema of OpenRPC", () => {
  expect(openRpcProblems(openRpc)).toEqual([]);
});

test("the view lists every method, with the codes of its error table, each once", () => {
  expect(openRpc.methods.map(({ name }) => name)).toEqual(methods().map(({ method }) => method));
  for (const { name, errors } of openRpc.methods) {
    const errorTable = methods().find(({ method }) => method === name)?.["x-errors"] ?? "";
    expect(errors.map(({ code }) => code)).toEqual(
      new Map(Object.entries(rpcErrors)).get(errorTable)?.map(({ code }) => code),
    );
    expect(new Set(errors.map(({ code }) => code)).size).toBe(errors.length);
  }
});

for (const { method, params, result } of methods()) {
  test(`every example of ${method} fits its schema, and params of another type don't`, () => {
    const [isParams, isResult] = [newAjv().compile(params), newAjv().compile(result)];
    expect((params.examples ?? []).filter((example) => !isParams(example))).toEqual([]);
    expect((result.examples ?? []).filter((example) => !isResult(example))).toEqual([]);
    expect(result.examples?.length).toBeGreaterThan(0);
    if (params.type !== undefined) expect([1, "x", true].filter((other) => isParams(other))).toEqual([]);
  });
}

test("rpc.discover returns the view", async () => {
  expect(await platform().call("rpc.discover", undefined)).toEqual({ jsonrpc: "2.0", id: 7, result: openRpc });
});
