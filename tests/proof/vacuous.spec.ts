// Tests that a platform that does nothing, or the same for everything, verifies nothing
import { expect, test } from "@playwright/test";
import { assayRun, type Run } from "../support/assay.ts";
import { goodUsage, refusalBody, unauthorized } from "../support/faultyPlatform.ts";
import { always, smallEnvironment, smallTarget, targetFile, vendor, vendorProject } from "../support/vendor.ts";

const json = "application/json";
const anyUsage = goodUsage({ start: "2000-01-01", end: "2099-12-31" });

const vacuous = [
  ["an empty 200", 200, json, ""],
  ["{}", 200, json, "{}"],
  ["null", 200, json, "null"],
  ["an HTML page", 200, "text/html", "<html><body>Welcome</body></html>"],
  ["one right answer replayed for everything", 200, json, anyUsage],
  ["one right refusal replayed for everything", 401, json, unauthorized],
  ["a wall of 404", 404, json, refusalBody(404, "Not Found", "Not Found")],
  ["a wall of 500", 500, json, refusalBody(500, "Internal server error", "Internal Server Error")],
] as const;

const judged = (base: string) => assayRun(["run", "--target", targetFile(smallTarget(base))], smallEnvironment);
/** Why the usage of a known project wasn't judged. */
const reasonIn = ({ requirements }: Run) => requirements.find(({ id }) => id === "USG-HTTP-01")?.reason;

for (const [title, status, type, body] of vacuous) {
  test(`${title} verifies nothing and is never green`, async () => {
    const { base, close } = await vendor(always(status, type, body));
    const { code, run } = await judged(base);
    await close();
    expect(run.totals.holds).toBe(0);
    expect([1, 3]).toContain(code);
  });
}

test("a dead port verifies nothing and is inconclusive", async () => {
  const { base, close } = await vendor(always(200, json, "{}"));
  await close();
  const { code, run } = await judged(base);
  expect(run.totals).toMatchObject({ holds: 0, broken: 0 });
  expect(code).toBe(3);
});

test("a wrong key in the target is inconclusive, not broken", async () => {
  const { base, close } = await vendor(always(401, json, unauthorized));
  const { code, run } = await judged(base);
  await close();
  expect(run.totals.broken).toBe(0);
  expect(reasonIn(run)).toContain("doesn't know the key `paid`");
  expect(code).toBe(3);
});

test("a wrong project id in the target is inconclusive, not broken", async () => {
  const { base, close } = await vendor((request, response) => {
    const hasKey = request.headers["x-api-key"] !== undefined || request.url?.includes("api-key=");
    const [status, body] = hasKey ? [400, refusalBody(400, "Invalid project id", "Bad Request")] : [401, unauthorized];
    response.writeHead(status, { "content-type": json }).end(body);
  });
  const { code, run } = await judged(base);
  await close();
  const broken = run.requirements.filter(({ verdict, enforced }) => verdict === "broken" && enforced === "fail");
  expect(broken.map(({ id }) => id)).toEqual([]);
  expect(reasonIn(run)).toContain("refuses the project id (HTTP 400, §4.1)");
  expect(code).toBe(3);
  expect(run.exchanges.some(({ sent }) => sent.url.includes(vendorProject))).toBe(true);
});
