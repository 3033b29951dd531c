// Tests that a platform that does nothing, or the same for everything, verifies nothing
import { expect, test } from "@playwright/test";
import type { Run } from "../../harness/record/run.ts";
import { assay, emptyFolder } from "../support/assay.ts";
import { always, smallEnvironment, smallTarget, targetFile, vendor, vendorProject } from "../support/vendor.ts";

const goodUsage = JSON.stringify({
  creditsRemaining: 900,
  creditsUsed: 100,
  prepaidCreditsRemaining: 0,
  prepaidCreditsUsed: 0,
  creditCycle: { start: "2000-01-01", end: "2099-12-31" },
  subscriptionDetails: {
    billingCycle: { start: "2000-01-01", end: "2099-12-31" },
    creditsLimit: 1000,
    plan: "business",
  },
  credits: {
    rpc: 100,
    enhancedApi: 0,
    walletApi: 0,
    das: 0,
    webhooks: 0,
    streamGrpc: 0,
    streamWebsocket: 0,
    preConfirmations: 0,
    archival: 0,
    compression: 0,
    other: 0,
  },
  requests: {
    rpc: 100,
    enhancedApi: 0,
    walletApi: 0,
    das: 0,
    webhooks: 0,
    preConfirmations: 0,
    archival: 0,
    compression: 0,
    other: 0,
  },
  dataTransfer: { streamGrpc: 0, streamWebsocket: 0 },
});
const good401 = JSON.stringify({ statusCode: 401, message: "Missing or invalid API key", error: "Unauthorized" });

const vacuous = [
  { title: "an empty 200", status: 200, type: "application/json", body: "" },
  { title: "{}", status: 200, type: "application/json", body: "{}" },
  { title: "null", status: 200, type: "application/json", body: "null" },
  { title: "an HTML page", status: 200, type: "text/html", body: "<html><body>Welcome</body></html>" },
  { title: "one right answer replayed for everything", status: 200, type: "application/json", body: goodUsage },
  { title: "one right refusal replayed for everything", status: 401, type: "application/json", body: good401 },
  {
    title: "a wall of 404",
    status: 404,
    type: "application/json",
    body: JSON.stringify({ statusCode: 404, message: "Not Found", error: "Not Found" }),
  },
  {
    title: "a wall of 500",
    status: 500,
    type: "application/json",
    body: JSON.stringify({ statusCode: 500, message: "Internal server error", error: "Internal Server Error" }),
  },
];

async function judged(base: string): Promise<{ code: number | null; run: Run }> {
  const file = targetFile(smallTarget(base));
  const { code, stdout } = await assay(
    ["run", "--target", file, "--out", `${emptyFolder()}/run`, "--json"],
    smallEnvironment,
  );
  return { code, run: JSON.parse(stdout) as Run };
}

for (const { title, status, type, body } of vacuous) {
  test(`${title} verifies nothing and is never green`, async () => {
    const { base, close } = await vendor(always(status, type, body));
    const { code, run } = await judged(base);
    await close();
    expect(run.totals.holds).toBe(0);
    expect([1, 3]).toContain(code);
  });
}

test("a dead port verifies nothing and is inconclusive", async () => {
  const { base, close } = await vendor(always(200, "application/json", "{}"));
  await close();
  const { code, run } = await judged(base);
  expect(run.totals.holds).toBe(0);
  expect(run.totals.broken).toBe(0);
  expect(code).toBe(3);
});

test("a wrong key in the target is inconclusive, not broken", async () => {
  const { base, close } = await vendor(always(401, "application/json", good401));
  const { code, run } = await judged(base);
  await close();
  expect(run.totals.broken).toBe(0);
  expect(run.requirements.find(({ id }) => id === "USG-HTTP-01")?.reason).toContain(
    "the key `paid` is unknown there (401)",
  );
  expect(code).toBe(3);
});

test("a wrong project id in the target is inconclusive, not broken", async () => {
  const { base, close } = await vendor((request, response) => {
    const hasKey = request.headers["x-api-key"] !== undefined || request.url?.includes("api-key=");
    const body = hasKey
      ? { statusCode: 400, message: "Invalid project id", error: "Bad Request" }
      : { statusCode: 401, message: "Missing or invalid API key", error: "Unauthorized" };
    response.writeHead(body.statusCode, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  const { code, run } = await judged(base);
  await close();
  expect(
    run.requirements.filter(({ verdict, enforced }) => verdict === "broken" && enforced === "fail").map(({ id }) => id),
  ).toEqual([]);
  expect(run.requirements.find(({ id }) => id === "USG-HTTP-01")?.reason).toContain("the id of the project `main`");
  expect(code).toBe(3);
  expect(run.exchanges.some(({ sent }) => sent.url.includes(vendorProject))).toBe(true);
});
