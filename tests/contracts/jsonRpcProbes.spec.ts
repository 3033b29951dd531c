// Does each probe of the JSON-RPC address see the choice that it looks for, and does no check take the choice for a breach?

import { expect, test } from "@playwright/test";
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { suite } from "../../contracts/suite.ts";
import { unspecifiedBehaviour } from "../../harness/core/interface.ts";
import { canonical } from "../../harness/core/json.ts";
import { Engine, type EngineOptions } from "../../harness/engine/engine.ts";
import type { Observed } from "../../harness/model/probe.ts";
import type { Suite } from "../../harness/model/suite.ts";
import type { Target } from "../../harness/target/target.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { inProcess } from "../../proof/inProcess.ts";
import type { EnvelopeChoices } from "../../reference/platform/rpcChoices.ts";
import type { RpcChange } from "../../reference/platform/rpcRules.ts";
import type { Choices, RuleChange } from "../../reference/platform/rules.ts";
import type { ResponseMutation, WireAnswer } from "../../reference/platform/wire.ts";
import type { ObservationId } from "../../specs/generated/observations.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";

interface Choice {
  readonly sees: ObservationId;
  readonly title: string;
  readonly rules?: RuleChange;
  readonly answer?: ResponseMutation;
  /** What the target says otherwise, on both sides of the comparison. */
  readonly target?: (target: Target) => Target;
  /** Rules on both sides of the comparison. */
  readonly always?: RpcChange;
  /** What servers choose where h2 is offered; h2 unless said otherwise. */
  readonly protocol?: string;
  /** Also looked at, for what it draws. */
  readonly beside?: readonly ObservationId[];
  /** Advisory standards that the choice does go against. */
  readonly warned?: readonly RequirementId[];
}

const envelope = (choices: Partial<EnvelopeChoices>): Pick<Choice, "rules"> => ({
  rules: { rpc: { envelope: choices } },
});
const rpc = (change: RpcChange): Pick<Choice, "rules"> => ({ rules: { rpc: change } });
const http = (choices: Partial<Choices>): Pick<Choice, "rules"> => ({ rules: { choices } });
/** At the JSON-RPC address only. */
const answers = (change: (answer: WireAnswer) => WireAnswer): Pick<Choice, "answer"> => ({
  answer: (answer, { path }) => (path === "/" ? change(answer) : answer),
});
const header = (name: string, value: string | null): Pick<Choice, "answer"> =>
  answers((answer) => {
    const { [name]: _, ...rest } = answer.headers;
    return { ...answer, headers: value === null ? rest : { ...rest, [name]: value } };
  });
const gateway: ResponseMutation = (answer, { method, path }) =>
  method === "GET" && path === "/"
    ? { status: 502, headers: { "content-type": "text/html" }, body: { raw: "<html><h1>Bad Gateway</h1></html>" } }
    : answer;

/** Longer than the narrowest band of latencies. */
const slow_ms = 320;
const slowly: ResponseMutation = (answer, { rpc: call }) => {
  for (
    const until_ms = performance.now() + slow_ms;
    call?.method === "getMultipleNewAddressProofs" && performance.now() < until_ms;
  );
  return answer;
};
const secure = "https://reference.assay.example";
const overHttps = (target: Target): Target => ({ ...target, bases: { admin: secure, rpc: secure } });

/** None of them breaks a sentence of the interface. */
const choices: readonly Choice[] = [
  { sees: "OBS-RPC-OKSTATUS", title: "results come with HTTP 202", ...envelope({ servedStatus: 202 }) },
  { sees: "OBS-RPC-PARSE", title: "what is no JSON comes with HTTP 400", ...envelope({ parseStatus: 400 }) },
  { sees: "OBS-RPC-INVALID", title: "the version isn't looked at", ...envelope({ version: "not looked at" }) },
  {
    sees: "OBS-RPC-METHOD",
    title: "methods are known however they are spelled",
    ...envelope({ methodSpelling: "any case and white space" }),
  },
  { sees: "OBS-RPC-ID", title: "ids of any type are echoed", ...envelope({ otherIds: "echoed" }) },
  { sees: "OBS-RPC-ID", title: "fractional ids are refused", ...envelope({ fractionalIds: "refused" }) },
  { sees: "OBS-RPC-ID", title: "ids of more than 1,024 characters are refused", ...envelope({ longestId: 1024 }) },
  { sees: "OBS-RPC-NOTIFY", title: "notifications draw HTTP 200", ...envelope({ notificationStatus: 200 }) },
  { sees: "OBS-RPC-NOTIFY", title: "notifications draw HTTP 202", ...envelope({ notificationStatus: 202 }) },
  {
    sees: "OBS-RPC-NOTIFY",
    title: "notifications are answered",
    ...rpc({ notifications: "answered" }),
    warned: ["EXT-JR-05", "EXT-JR-07"],
  },
  { sees: "OBS-RPC-BATCH", title: "batches are refused", ...rpc({ batches: "refused" }) },
  { sees: "OBS-RPC-BATCH", title: "batches of more than 10 are refused", ...envelope({ longestBatch: 10 }) },
  {
    sees: "OBS-RPC-BATCH",
    title: "batches are answered in another order",
    ...envelope({ batchOrder: "the last first" }),
  },
  { sees: "OBS-RPC-DUPKEY", title: "the first of two members counts", ...envelope({ duplicates: "the first counts" }) },
  { sees: "OBS-RPC-DUPKEY", title: "a member that is there twice is refused", ...envelope({ duplicates: "refused" }) },
  { sees: "OBS-RPC-EXTRA", title: "unknown members are refused", ...envelope({ otherMembers: "refused" }) },
  { sees: "OBS-RPC-PARAMS", title: "scalar params are bad params", ...envelope({ scalarParams: "bad params" }) },
  { sees: "OBS-RPC-DEPTH", title: "100 levels are the most", ...envelope({ deepest: 100 }) },
  { sees: "OBS-RPC-GET", title: "GET finds nothing", ...envelope({ get: "not found" }) },
  { sees: "OBS-RPC-GET", title: "GET draws a page", ...envelope({ get: "a page" }) },
  { sees: "OBS-RPC-DISCOVER", title: "rpc.discover is unknown", ...envelope({ discover: "unknown" }) },
  { sees: "OBS-RPC-UNICODE", title: "lone surrogates are refused", ...envelope({ loneSurrogates: "refused" }) },
  { sees: "OBS-RPC-UNICODE", title: "lone surrogates are replaced", ...envelope({ loneSurrogates: "replaced" }) },

  { sees: "OBS-CTX-MONO", title: "one of several machines is behind", ...envelope({ contextSlots: "of several" }) },
  { sees: "OBS-CTX-EXTRA", title: "context tells a version", ...envelope({ contextMembers: "slot and version" }) },

  { sees: "OBS-ERR-RPC-DATA", title: "errors carry data", ...envelope({ errorData: "the cause" }) },
  {
    sees: "OBS-ERR-RPC-HTTP",
    title: "errors come with HTTP statuses of their own",
    ...rpc({ errorStatus: "by cause" }),
  },
  { sees: "OBS-ERR-RPC-EXTRA", title: "envelopes carry a request id", ...envelope({ requestId: "in every envelope" }) },
  { sees: "OBS-ERR-GATEWAY", title: "a gateway answers to GET", answer: gateway, beside: ["OBS-RPC-GET"] },
  {
    sees: "OBS-ERR-TA-NOTFOUND",
    title: "an owner of nothing isn't found",
    ...rpc({ choices: { tokenAccounts: { unknownOwners: "not found" } } }),
  },
  {
    sees: "OBS-ERR-TA-PERM",
    title: "a blocked address is told by HTTP alone",
    ...envelope({ blockedAddress: "by HTTP alone" }),
  },

  {
    sees: "OBS-AUTH-RPCHDR",
    title: "a key in the header is as good",
    ...envelope({ keyInHeader: "as good as in the query" }),
  },
  { sees: "OBS-AUTH-BEARER", title: "a bearer is a key", ...http({ bearer: "a key" }) },
  {
    sees: "OBS-AUTH-TIMING",
    title: "the key is judged before the body",
    ...envelope({ keyJudged: "before the envelope" }),
  },
  {
    sees: "OBS-AUTH-TIMING",
    title: "the key is judged after the method",
    ...envelope({ keyJudged: "after the method" }),
  },
  {
    sees: "OBS-AUTH-IP",
    title: "a blocked address is told by HTTP alone",
    ...envelope({ blockedAddress: "by HTTP alone" }),
  },
  {
    sees: "OBS-PREC-RPC",
    title: "the key is judged before the body",
    ...envelope({ keyJudged: "before the envelope" }),
  },
  { sees: "OBS-PREC-RPC", title: "the limit is judged last", ...envelope({ limitJudged: "last" }) },

  { sees: "OBS-HTTP-OPTIONS", title: "pages of other origins may ask", ...http({ otherOrigins: "any" }) },
  { sees: "OBS-HTTP-METHOD", title: "GET finds nothing", ...envelope({ get: "not found" }) },
  { sees: "OBS-HTTP-SLASH", title: "doubled slashes are one", ...http({ doubledSlashes: "the same path" }) },
  {
    sees: "OBS-HTTP-SLASH",
    title: "a slash at the end of the base makes no difference",
    ...http({ slashAtEnd: "the same path" }),
    target: (target) => ({ ...target, bases: { ...target.bases, rpc: `${target.bases.rpc}/rpc` } }),
    always: { paths: ["/rpc/"] },
  },
  { sees: "OBS-HTTP-404", title: "the key is judged before the path", ...http({ unknownPath: "key first" }) },
  { sees: "OBS-HTTP-QUERY", title: "unknown parameters are refused", ...http({ unknownQuery: "refused" }) },
  {
    sees: "OBS-HTTP-CTYPE",
    title: "text/plain is refused",
    ...rpc({ mediaTypes: ["application/json", "application/json-rpc", ""] }),
  },
  {
    sees: "OBS-HTTP-CTYPE",
    title: "all but application/json is refused",
    ...rpc({ mediaTypes: ["application/json"] }),
  },
  {
    sees: "OBS-HTTP-CHARSET",
    title: "no charset is told",
    ...answers((answer) =>
      "content-type" in answer.headers
        ? { ...answer, headers: { ...answer.headers, "content-type": "application/json" } }
        : answer,
    ),
  },
  { sees: "OBS-HTTP-GZIP", title: "compressed bodies are refused", ...envelope({ gzipped: "refused" }) },
  { sees: "OBS-HTTP-GZIP", title: "compressed bodies are unpacked", ...envelope({ gzipped: "unpacked" }) },
  { sees: "OBS-HTTP-CACHE", title: "answers aren't to be stored", ...header("cache-control", "no-store") },
  { sees: "OBS-HTTP-HDRS", title: "answers tell a request id", ...header("x-request-id", "0193") },
  { sees: "OBS-HTTP-SIZE", title: "128 KiB are the most", ...envelope({ largestBody: 128 * 1024 }) },
  { sees: "OBS-HTTP-TLS", title: "plain http is redirected", ...http({ plainHttp: "redirected" }), target: overHttps },
  { sees: "OBS-HTTP-TLS", title: "h2 isn't spoken", protocol: "http/1.1", target: overHttps },
  { sees: "OBS-HTTP-DATE", title: "no date is told", ...header("date", null) },
  { sees: "OBS-HTTP-LATENCY", title: "proofs take longer", answer: slowly },
  { sees: "OBS-VER", title: "a version is told", ...header("api-version", "2.0.0") },
];

const alone: Suite = { ...suite, checks: [] };
const offering =
  (...offers: readonly Feature[]) =>
  (target: Target): Target => ({ ...target, offers });
const onlyRpc = offering("tokenAccounts", "compression");

interface Judged {
  readonly observed: readonly Observed[];
  readonly broken: readonly string[];
  readonly exchanges: readonly Exchange[];
}

async function judged(
  judges: Suite,
  { rules: chosen, answer, always, protocol = "h2" }: Partial<Choice>,
  target: (target: Target) => Target,
  observe?: readonly ObservationId[],
): Promise<Judged> {
  const [observed, exchanges]: [Observed[], Exchange[]] = [[], []];
  const rules = always ? { ...chosen, rpc: { ...chosen?.rpc, ...always } } : chosen;
  const mutant =
    rules || answer ? { id: "another choice", ...(rules ? { rules } : {}), ...(answer ? { answer } : {}) } : undefined;
  const options = inProcess(judges, mutant);
  const onEvent: EngineOptions["onEvent"] = (event) => {
    if (event.event === "observation") observed.push(event.observation);
    if (event.event === "exchange") exchanges.push(event.exchange);
  };
  const handshake = () => Promise.resolve({ protocol });
  const verdicts = await new Engine({
    ...options,
    target: target(options.target),
    onEvent,
    handshake,
    ...(observe ? { observe } : {}),
  }).run();
  return { observed, broken: verdicts.filter(({ verdict }) => verdict === "broken").map(({ id }) => id), exchanges };
}

const summary = (observed: readonly Observed[], id: ObservationId): string =>
  canonical(observed.filter((one) => one.id === id).map(({ values }) => values.map((reading) => reading.summary)));
const same = (target: Target): Target => target;

/** Others' rows are theirs. */
const mine: readonly ObservationId[] = suite.probes
  .filter(
    ({ id, features }) =>
      features.some((feature) => feature !== "usage" && feature !== "wallet") &&
      !/^OBS-(TA|NAP|CB|IH|BND|BST|SIM|RATE-SB|MET|CRD|USG)-/.test(id),
  )
  .map(({ id }) => id);

test("every probe that looks at the JSON-RPC address has a choice that it sees there", () => {
  expect([...new Set(choices.map(({ sees }) => sees))].sort()).toEqual([...mine].sort());
});

for (const choice of choices) {
  const { sees, title, target = same, beside = [] } = choice;
  test(`${sees} sees that ${title}: ${unspecifiedBehaviour(dataPlatform, sees).question}`, async () => {
    const { always } = choice;
    const look = async (one: Partial<Choice>): Promise<readonly Observed[]> =>
      (await judged(alone, one, (given) => onlyRpc(target(given)), [sees, ...beside])).observed;
    // One after the other: what is slow here would be slow there.
    const readings = [await look(always ? { always } : {}), await look(choice)] as const;
    expect(
      readings
        .flat()
        .filter(({ id }) => id === sees)
        .map(({ state, reason }) => ({ state, reason })),
    ).toEqual([1, 2].map(() => ({ state: "stable", reason: null })));
    expect(summary(readings[1], sees)).not.toBe(summary(readings[0], sees));
  });
}

for (const choice of choices) {
  test(`no requirement is broken where ${choice.title} (${choice.sees})`, { tag: "@slow" }, async () => {
    const { broken, observed } = await judged(suite, choice, choice.target ?? same, [
      choice.sees,
      ...(choice.beside ?? []),
    ]);
    expect([...broken].sort()).toEqual([...(choice.warned ?? [])].sort());
    expect(observed.filter(({ reason }) => reason?.startsWith("the probe itself"))).toEqual([]);
  });
}

test("what isn't offered isn't asked", async () => {
  const asked = async (...features: readonly Feature[]): Promise<readonly string[]> => {
    const { exchanges, observed } = await judged(alone, {}, offering(...features));
    expect(
      observed.filter(
        ({ state, id }) => state === "unstable" || (state === "withheld" && /^OBS-(RPC|CTX|HTTP-(?!TLS)|ERR)/.test(id)),
      ),
    ).toEqual([]);
    const methods = exchanges.map(({ sent }) =>
      typeof sent.json === "object" && sent.json !== null && "method" in sent.json ? sent.json["method"] : null,
    );
    return [
      ...new Set([
        ...exchanges.map(({ stimulus }) => stimulus.api),
        ...methods.filter((method) => typeof method === "string" && /^get[A-Z]/.test(method)),
      ]),
    ]
      .map(String)
      .sort();
  };
  expect(await asked("usage")).toEqual(["admin"]);
  expect(await asked("compression")).toEqual([
    "getCompressedBalance",
    "getIndexerHealth",
    "getMultipleNewAddressProofs",
    "rpc",
  ]);
  expect(await asked("tokenAccounts")).toEqual(["getTokenAccounts", "rpc"]);
});
