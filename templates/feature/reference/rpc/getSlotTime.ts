// getSlotTime: when a slot began (§4.3)
import { timeOfSlot } from "../platform/chain.ts";
import type { Value } from "../platform/wire.ts";
import type { RpcContext, ServedMethod } from "./method.ts";
import { needs } from "./refusals.ts";

const isSlot = (value: Value | undefined): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;

/** @throws Refused for anything but a list that begins with a slot */
function handle({ params }: RpcContext): Value {
  const [slot] = Array.isArray(params) ? params : [];
  needs(isSlot(slot));
  return { slot, time: Math.floor(timeOfSlot(slot) / 1000) };
}

export const getSlotTime: ServedMethod = { errorTable: "slots", handle };
