// Errors of the token account methods (§7.2)
import { protocol, type RefusalsByCause } from "./causes.ts";

export const refusals: RefusalsByCause = {
  ...protocol,
  params: { code: -32602, message: "Invalid request parameters." },
  key: { code: -32001, message: "Authentication failed. Missing or invalid API key." },
  permission: { code: -32003, message: "You do not have permission to access this resource." },
  notFound: { code: -32004, message: "The requested resource was not found." },
  rate: { code: -32029, message: "Rate limit exceeded. Please try again later." },
  server: { code: -32000, message: "An unexpected error occurred on the server." },
};
