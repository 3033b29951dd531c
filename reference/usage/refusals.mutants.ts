// Mutants of refusals of the usage endpoint (§7.1)
import { benignVariant, mutant, refusalOf, usageDoc } from "../platform/mutant.ts";
import type { ResponseMutation, Value, WireAnswer } from "../platform/wire.ts";

const worded = (
  status: number,
  change: (body: { [member: string]: Value }) => { [member: string]: Value },
): { answer: ResponseMutation } => ({
  answer: refusalOf(status, (answer, body) => ({ ...answer, body: change(body) })),
});
const message = (status: number, text: string) => worded(status, (body) => ({ ...body, message: text }));
const name = (status: number | "any", change: (error: string) => string): { answer: ResponseMutation } => ({
  answer: refusalOf(status, (answer, body) => ({ ...answer, body: { ...body, error: change(String(body["error"])) } })),
});
const leaveOut = (status: number, member: string) => worded(status, ({ [member]: _, ...rest }) => rest);

const html = (answer: WireAnswer): WireAnswer => ({
  ...answer,
  headers: { ...answer.headers, "content-type": "text/html" },
  body: { raw: "<html><body><h1>500 Internal Server Error</h1></body></html>" },
});

/** A document is served although billing data is missing. */
const served = (change: (doc: { [member: string]: Value }) => { [member: string]: Value }) => ({
  rules: { refusals: { unbilled: null } },
  answer: usageDoc((doc, { project }) => (project?.billingData === "missing" ? change(doc) : doc)),
});

export const mutants = [
  mutant("ERR-ADM-SHAPE-01.no-error-on-429", leaveOut(429, "error")),
  mutant("ERR-ADM-SHAPE-01.no-error-on-500", leaveOut(500, "error")),
  mutant(
    "ERR-ADM-SHAPE-01.message-array",
    worded(400, (body) => ({ ...body, message: [body["message"] ?? ""] })),
  ),
  mutant("ERR-ADM-SHAPE-02.http-200", { answer: refusalOf(401, (answer) => ({ ...answer, status: 200 })) }, "AUTH-"),
  mutant(
    "ERR-ADM-SHAPE-02.body-400",
    worded(403, (body) => ({ ...body, statusCode: 400 })),
  ),
  mutant(
    "ERR-ADM-SHAPE-03.code-name",
    name("any", (error) => error.toUpperCase().replaceAll(" ", "_")),
    "ERR-ADM-",
  ),
  mutant(
    "ERR-ADM-SHAPE-03.no-space",
    name("any", (error) => error.replaceAll(" ", "")),
    "ERR-ADM-",
  ),
  mutant("ERR-ADM-400-01.other-text", message(400, "Validation failed (uuid is expected)")),
  mutant(
    "ERR-ADM-400-01.error-text",
    name(400, () => "Invalid project id"),
    "ERR-ADM-SHAPE-03",
  ),
  mutant("ERR-ADM-401-01.bare", message(401, "Unauthorized")),
  mutant("ERR-ADM-401-01.leaks", {
    rules: { refusals: { unknownKey: { status: 401, message: "API key not found", error: "Unauthorized" } } },
  }),
  mutant("ERR-ADM-403-01.bare", message(403, "Forbidden resource")),
  mutant("ERR-ADM-403-01.plan-text", message(403, "Upgrade your plan to use the Admin API")),
  mutant("ERR-ADM-429-01.trimmed", message(429, "Too Many Requests")),
  mutant(
    "ERR-ADM-429-01.error-name",
    name(429, () => "ThrottlerException"),
    "ERR-ADM-SHAPE-03",
  ),
  mutant(
    "ERR-ADM-500-01.leaks-stack",
    message(500, "TypeError: Cannot read properties of undefined (reading 'anchor')"),
  ),
  mutant("ERR-ADM-500-01.case", message(500, "Internal Server Error")),
  mutant(
    "ERR-ADM-500-02.zeros",
    served((doc) => ({ ...doc, creditsRemaining: 0, creditsUsed: 0 })),
    "CRD-REM-01",
  ),
  mutant(
    "ERR-ADM-500-02.partial",
    served(({ creditCycle: _, subscriptionDetails: __, ...rest }) => rest),
    "USG-FLD-05",
    "USG-FLD-08",
    "CYC-PRES-01",
  ),
  mutant(
    "ERR-ADM-500-02.503",
    {
      rules: { refusals: { unbilled: { status: 503, message: "Service Unavailable", error: "Service Unavailable" } } },
    },
    "USG-HTTP-03",
  ),
  mutant("GEN-JSON-01.admin-500-html", { answer: refusalOf(500, html) }, "ERR-ADM-SHAPE-01"),
];

export const benignVariants = [
  benignVariant("GEN-JSON-01.ok-charset", {
    answer: (answer) => ({
      ...answer,
      headers: { ...answer.headers, "content-type": "Application/JSON; charset=UTF-8" },
    }),
  }),
];
