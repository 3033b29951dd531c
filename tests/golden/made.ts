// Exchanges with a usage request of the owner's, made without a platform
import type { Exchange } from "../../harness/transport/exchange.ts";
import { exchangeOf, type TypedAnswer } from "./build.ts";

/** Answered with that status, by an error document or by a text of another type. */
export const answeredUsage = (
  number: number,
  status: number,
  text?: string,
  headers: TypedAnswer["headers"] = {},
): Exchange =>
  exchangeOf(
    {
      title: "made",
      clause: "§4.1",
      request: { role: "paid", key: "header", of: "own" },
      status,
      headers: { "content-type": text === undefined ? "application/json" : "text/html", ...headers },
      ...(text === undefined ? { body: { statusCode: status, message: "made", error: "Made" } } : { text }),
      holds: [],
      broken: [],
      notExercised: [],
      warns: [],
    },
    number,
  );
