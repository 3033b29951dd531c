// A small client of the reference, in this process, that records what it exchanges.

import { wireTo } from "../../proof/inProcess.ts";
import type { Variant } from "../../reference/platform/mutant.ts";
import { createPlatform } from "../../reference/platform.ts";
import { people } from "../../reference/wallet/people.ts";
import { began_ms, type Exchanged, host, type World, worldAt } from "./recordings.ts";
import { variantNamed } from "./wallets.ts";

type Sending = Pick<Exchanged, "method" | "url" | "headers" | "body">;

/** The calls of an ordinary client: every operation but sendBundle, served and refused. */
export function ordinaryCalls({ keys, ids, target }: World): readonly Sending[] {
  const { compressed, owner, newAddresses } = target.samples as unknown as Samples;
  const usage = (role: string, of = role, name = "x-api-key"): Sending => ({
    method: "GET",
    url: `${host}/v0/admin/projects/${ids[of] ?? of}/usage${name === "" ? `?api-key=${keys[role]}` : ""}`,
    headers: name === "" ? [] : [[name, keys[role] ?? role]],
  });
  let id = 0;
  const call = (method: string, params?: unknown, key = keys["paid"]): Sending => ({
    method: "POST",
    url: `${host}/?api-key=${key}`,
    headers: [["content-type", "application/json"]],
    body: JSON.stringify({ jsonrpc: "2.0", id: ++id, method, ...(params === undefined ? {} : { params }) }),
  });
  const [wallet] = people;
  const walletCall = (name: string): Sending => ({
    method: "GET",
    url: `${host}/v1/wallet/${wallet?.address}/${name}`,
    headers: [["x-api-key", keys["paid"] ?? ""]],
  });
  const [first, second] = compressed;
  return [
    usage("paid"),
    call("getIndexerHealth"),
    call("getIndexerHealth", {}),
    call("getCompressedBalance", { address: first?.address }),
    usage("free"),
    call("getCompressedBalance", { hash: second?.hash }),
    call("getCompressedBalance", { address: "0" }),
    call("getMultipleNewAddressProofs", newAddresses.slice(0, 2)),
    usage("paid", "other"),
    call("getTokenAccounts", { owner, limit: 3 }),
    call("getTokenAccounts", { owner, limit: 3, page: 2 }),
    usage("nobody", "paid"),
    call("getTokenAccounts", { owner: 7 }),
    call("getIndexerHealth", undefined, "00000000-0000-4000-8000-000000000000"),
    usage("adminOff"),
    usage("unbilled"),
    usage("second", "paid", ""),
    call("getBundleStatuses", [target.samples["landedBundles"]]),
    walletCall("identity"),
    walletCall("balances"),
    usage("paid", "not-a-uuid"),
    usage("other"),
  ];
}

interface Samples {
  readonly compressed: readonly { readonly address: string; readonly hash: string }[];
  readonly owner: string;
  readonly newAddresses: readonly string[];
}

/** What a client exchanges with a fresh reference, its calls three times. */
export async function exchangedWith(named?: Variant | string, calls = ordinaryCalls, times = 3) {
  const variant = typeof named === "string" ? variantNamed(named) : named;
  const world = worldAt();
  let at_ms = began_ms;
  const platform = createPlatform({ world: world.world, now_ms: () => at_ms, ...(variant ? { variant } : {}) });
  const direct = wireTo(platform, variant);
  const wire = variant?.proxy?.(direct) ?? direct;
  const exchanged: Exchanged[] = [];
  for (const sending of Array.from({ length: times }, () => calls(world)).flat()) {
    at_ms += 700;
    const { body, ...rest } = sending;
    const answer = await wire({ ...rest, ...(body === undefined ? {} : { body }) }, AbortSignal.timeout(10_000));
    const text = Buffer.from(answer.body).toString();
    exchanged.push({ ...sending, at_ms, status: answer.status, answerHeaders: answer.headers, text });
  }
  return { world, exchanged };
}
