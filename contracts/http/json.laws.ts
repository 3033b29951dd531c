// Laws of JSON bodies: their label, their syntax, and their encoding (§4).
import { must, onlyWarning } from "../../harness/core/finding.ts";
import { type Law, law } from "../../harness/model/law.ts";
import { mediaTypeOf } from "../../harness/transport/exchange.ts";

/** Members of the platform's own errors, which even a malformed text shows (§7.1, §7.2). */
const isOwnError = /"(statusCode|jsonrpc)"\s*:/;

const jsonBodies = law("any", "any", {
  "GEN-JSON-01": ({ answer, exchange }) => {
    if (answer.text === "") return undefined;
    const media = mediaTypeOf(answer);
    // Only the usage endpoint documents the body of every refusal; elsewhere a refusal may be plain text.
    if (answer.status >= 400 && exchange.requestSpec.api !== "admin" && answer.json === null && media === "text/plain")
      return undefined;
    return must(media === "application/json", "header content-type", "application/json", media);
  },
  "GEN-JSON-03": ({ answer }) => {
    if (answer.text === "" || mediaTypeOf(answer) !== "application/json") return undefined;
    const got = answer.hasBom ? "a byte-order mark before the text" : answer.text.slice(-80);
    const finding = must(answer.json !== null, "", "one well-formed JSON text", got);
    // An error in another shape may be a gateway's rather than the platform's (amendment 12).
    return answer.status < 300 || isOwnError.test(answer.text) ? finding : onlyWarning(finding);
  },
  "EXT-JSON-01": ({ answer }) => {
    if (answer.text === "" || mediaTypeOf(answer) !== "application/json") return undefined;
    const duplicate = answer.json?.duplicates[0];
    if (duplicate !== undefined) return must(false, duplicate, "each member named once", "named again");
    if (!answer.json && !answer.hasBom && !answer.invalidUtf8) return undefined;
    return must(
      !answer.hasBom && !answer.invalidUtf8,
      "",
      "UTF-8 without a byte-order mark",
      answer.hasBom ? "a byte-order mark" : "bytes that are not UTF-8",
    );
  },
});

export const laws: readonly Law[] = [jsonBodies];
