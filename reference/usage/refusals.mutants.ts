// Mutants of refusals of the usage endpoint (§7.1)
import { benignVariantsOf, mutantsOf, refusalOf, refusedWith, usageDoc, withHeaders } from "../platform/mutant.ts";
import type { Doc, ResponseMutation } from "../platform/wire.ts";

const worded = (status: number | "any", change: (body: Doc) => Doc): ResponseMutation =>
  refusalOf(status, (answer, body) => ({ ...answer, body: change(body) }));
const message = (status: number, text: string) => worded(status, (body) => ({ ...body, message: text }));
const name = (status: number | "any", change: (error: string) => string): ResponseMutation =>
  worded(status, (body) => ({ ...body, error: change(String(body["error"])) }));
const leaveOut = (status: number, member: string) => worded(status, ({ [member]: _, ...rest }) => rest);

const html: ResponseMutation = refusalOf(500, (answer) => ({
  ...withHeaders(answer, { "content-type": "text/html" }),
  body: { raw: "<html><body><h1>500 Internal Server Error</h1></body></html>" },
}));

/** A document is served although billing data is missing. */
const served = (change: (doc: Doc) => Doc) => ({
  rules: { refusals: { unbilled: null } },
  answer: usageDoc((doc, { project }) => (project?.billingData === "missing" ? change(doc) : doc)),
});

export const mutants = mutantsOf({
  "ERR-ADM-SHAPE-01.no-error-on-429": leaveOut(429, "error"),
  "ERR-ADM-SHAPE-01.no-error-on-500": leaveOut(500, "error"),
  "ERR-ADM-SHAPE-01.message-array": worded(400, (body) => ({ ...body, message: [body["message"] ?? ""] })),
  "ERR-ADM-SHAPE-02.http-200": [refusalOf(401, (answer) => ({ ...answer, status: 200 })), "AUTH-"],
  "ERR-ADM-SHAPE-02.body-400": worded(403, (body) => ({ ...body, statusCode: 400 })),
  "ERR-ADM-SHAPE-03.code-name": [name("any", (error) => error.toUpperCase().replaceAll(" ", "_")), "ERR-ADM-"],
  "ERR-ADM-SHAPE-03.no-space": [name("any", (error) => error.replaceAll(" ", "")), "ERR-ADM-"],
  "ERR-ADM-400-01.other-text": message(400, "Validation failed (uuid is expected)"),
  "ERR-ADM-400-01.error-text": [name(400, () => "Invalid project id"), "ERR-ADM-SHAPE-03"],
  "ERR-ADM-401-01.bare": message(401, "Unauthorized"),
  "ERR-ADM-401-01.leaks": refusedWith("unknownKey", 401, "API key not found"),
  "ERR-ADM-403-01.bare": message(403, "Forbidden resource"),
  "ERR-ADM-403-01.plan-text": message(403, "Upgrade your plan to use the Admin API"),
  "ERR-ADM-429-01.trimmed": message(429, "Too Many Requests"),
  "ERR-ADM-429-01.error-name": [name(429, () => "ThrottlerException"), "ERR-ADM-SHAPE-03"],
  "ERR-ADM-500-01.leaks-stack": message(500, "TypeError: Cannot read properties of undefined (reading 'anchor')"),
  "ERR-ADM-500-01.case": message(500, "Internal Server Error"),
  "ERR-ADM-500-02.zeros": [served((doc) => ({ ...doc, creditsRemaining: 0, creditsUsed: 0 })), "CRD-REM-01"],
  "ERR-ADM-500-02.partial": [
    served(({ creditCycle: _, subscriptionDetails: __, ...rest }) => rest),
    "USG-FLD-05",
    "USG-FLD-08",
    "CYC-PRES-01",
  ],
  "ERR-ADM-500-02.503": [refusedWith("unbilled", 503, "Service Unavailable"), "USG-HTTP-03"],
  "GEN-JSON-01.admin-500-html": [html, "ERR-ADM-SHAPE-01"],
});

export const benignVariants = benignVariantsOf({
  "GEN-JSON-01.ok-charset": (answer) => withHeaders(answer, { "content-type": "Application/JSON; charset=UTF-8" }),
});
