// Laws of response headers, all advisory: the standards require them, the interface doesn't.
import { isInnerList, parseList } from "structured-headers";
import { broken, type Finding, held, must, worstOf } from "../../harness/core/finding.ts";
import { type Law, law } from "../../harness/model/law.ts";
import { type Answer, headerOf } from "../../harness/transport/exchange.ts";

const directivesOf = (answer: Answer): readonly string[] | undefined =>
  headerOf(answer, "cache-control")
    ?.toLowerCase()
    .split(",")
    .map((directive) => directive.trim());

const isShared = (directives: readonly string[]): boolean =>
  directives.some((directive) => directive === "public" || /^s-maxage=[1-9]/.test(directive));

/** Whether a structured list holds quoted names whose given parameters are non-negative integers. */
function isRateList(text: string, parameters: readonly string[]): boolean {
  try {
    return parseList(text).every((member) => {
      if (isInnerList(member) || typeof member[0] !== "string") return false;
      return parameters.every((name) => {
        const value: unknown = member[1].get(name);
        return value === undefined || (typeof value === "number" && Number.isInteger(value) && value >= 0);
      });
    });
  } catch {
    return false;
  }
}

/** A header that has to be right where it is sent. */
function whereSent(
  answer: Answer,
  name: string,
  isRight: (text: string) => boolean,
  expected: string,
): Finding | undefined {
  const text = headerOf(answer, name);
  return text === undefined ? undefined : must(isRight(text), `header ${name}`, expected, text);
}

const rateField = (answer: Answer, name: string, parameters: readonly string[]): Finding | undefined =>
  whereSent(answer, name, (text) => isRateList(text, parameters), "a structured list of quoted names with integers");

const day = "(Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const month = "(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
const secondsOrDate = new RegExp(String.raw`^(\d+|${day}, \d{2} ${month} \d{4} \d{2}:\d{2}:\d{2} GMT)$`);

const challenges = law("getProjectUsage", 401, {
  "EXT-HTTP-01": ({ answer }) => {
    const isSent = headerOf(answer, "www-authenticate") !== undefined;
    return must(isSent, "header www-authenticate", "a challenge with a 401 (RFC 9110 §11.6.1)", undefined);
  },
});

const retryAfter = law("any", "failure", {
  "EXT-HTTP-05": ({ answer }) => {
    if (answer.status !== 429 && answer.status !== 503) return undefined;
    const expected = "whole seconds or an HTTP date (RFC 9110 §10.2.3)";
    return whereSent(answer, "retry-after", (text) => secondsOrDate.test(text), expected);
  },
});

const refusalsUncached = law("any", 429, {
  "EXT-HTTP-06": ({ answer }) => {
    const directives = directivesOf(answer) ?? [];
    const age = headerOf(answer, "age");
    if (age !== undefined) return broken("header age", "a 429 that no cache has stored (RFC 6585 §4)", age);
    const isStored =
      !directives.includes("no-store") &&
      (isShared(directives) || directives.some((directive) => /^max-age=[1-9]/.test(directive)));
    const control = headerOf(answer, "cache-control");
    return must(!isStored, "header cache-control", "a 429 that no cache stores (RFC 6585 §4)", control);
  },
});

const ownersDocuments = law("getProjectUsage", 200, {
  "EXT-HTTP-07": ({ answer }) => {
    const directives = directivesOf(answer);
    if (!directives) return undefined;
    const expected = "nothing that lets shared caches store one key's document (RFC 9111 §3.5)";
    if (isShared(directives)) return broken("header cache-control", expected, directives.join(", "));
    return directives.some((directive) => /^(private|no-store|no-cache)\b/.test(directive)) ? held : undefined;
  },
  "EXT-RL-02": ({ answer }) =>
    whereSent(answer, "x-ratelimit-limit", (limit) => limit.trim() === "5", "5, the documented limit (§8)"),
});

const rateFields = law("any", "any", {
  "EXT-RL-01": ({ answer }) =>
    worstOf([rateField(answer, "ratelimit-policy", ["q", "w"]), rateField(answer, "ratelimit", ["r", "t"])]),
});

/** Judges a 405 to an undocumented method, which laws don't see. */
export const allowsWith405 = (answer: Answer): Finding =>
  must(headerOf(answer, "allow") !== undefined, "header allow", "the allowed methods (RFC 9110 §15.5.6)", undefined);

export const laws: readonly Law[] = [challenges, retryAfter, refusalsUncached, ownersDocuments, rateFields];
