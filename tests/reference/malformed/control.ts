// Malformed commands of control, and control without its token (specs/control.yaml)
import { parse } from "yaml";
import { type Row, row, sized, split, type Tables, texts } from "./rows.ts";

/** What a forged command would do to the project that is watched. */
export const forged = '{"do":"consume","project":"{watched}","product":"rpc","credits":"5"}';
const adding = (members: string): string => forged.replace(/}$/, `,${members}}`);

const tokens = [
  ...texts`"", "\t", "{token}0", "0{token}", "{token},{token}", "Bearer {token}", "'{token}'", "{watched}", "{key}",
    "{paidKey}", "null", __proto__, "x\r\nX-Assay-Control: {token}"`,
  "a".repeat(10_000),
]
  .map((value) => `X-Assay-Control: ${value}`)
  .concat(
    texts`"X-Assay_Control: {token}", "Authorization: Bearer {token}", "Cookie: x-assay-control={token}",
    "X-Api-Key: {token}", "X-None: 0"`,
  )
  .map((header) => row(`the token in ${JSON.stringify(header)}`, 401, sized("POST", "/control", [header], forged)));

const command = (title: string, body: string): Row =>
  row(title, 400, sized("POST", "/control", ["X-Assay-Control: {token}"], body));

const commands = [
  ...texts`"", " ", "null", "true", "0", "\"\"", "[]", "{}", "[{}]", "{", "}", "{\"do\"}", "{'do':'consume'}",
    "do=consume", "<do/>", "--- do", "NaN", "\0", "\ufeff"`,
  ...[
    `[${forged}]`,
    forged + forged,
    `${forged},`,
    `${forged}\0`,
    `//\n${forged}`,
    JSON.stringify(forged),
    forged.slice(0, -1),
    forged.replace(':"5', ':"5\n'),
  ],
  ...split(
    `"do":"readLedger" "project":"x" "credits":"-5" "product":"none" "times":1e400 "times":01 "times":0x1
    "pool":"prepaid","times":1000`,
  ).map(adding),
  ...split("__proto__ constructor prototype toString hasOwnProperty").flatMap((name) => [
    adding(`"${name}":{"times":3}`),
    `{"${name}":${forged}}`,
    forged.replace("rpc", name),
  ]),
  ...[
    "[".repeat(100_000),
    "[".repeat(100_000) + "]".repeat(100_000),
    `${'{"do":'.repeat(50_000)}1${"}".repeat(50_000)}`,
    "9".repeat(1_000_000),
    `"${"x".repeat(1_000_000)}"`,
  ],
].map((text) => command(`control: ${JSON.stringify(text)}`, text));

type Fields = { readonly [field: string]: unknown };

export const { good, optional, wrong } = parse(String.raw`
good:
  - do: makeProject
    plan: { name: business, kind: paid, creditsLimit: 1000 }
    billingAnchor: "2024-06-15"
    createdOn: "2024-06-01"
    standsAt: "2025-03-20T12:00:00Z"
    invoicing: monthly
    prepaid: "100"
    admin: enabled
    keys: [&key { value: c0ffee00-1111-4222-8333-444455556666 }]
  - { do: moveClock, project: "{watched}", to: "2025-04-20T12:00:00Z" }
  - { do: consume, project: "{watched}", product: rpc, credits: "5", times: 3, pool: regular }
  - { do: stream, project: "{watched}", stream: streamGrpc, bytes: 1000 }
  - { do: deliverWebhooks, project: "{watched}", count: 10 }
  - { do: setBillingData, project: "{watched}", present: false }
  - { do: readLedger, project: "{watched}" }
optional: [createdOn, invoicing, prepaid, admin, times, pool]
wrong:
  do: ["", MakeProject, "makeProject ", constructor, __proto__, 1]
  project: ["", x, __proto__, constructor, 77f2c9e1-6d3a-4b58-8e04-c1a5b9d2f630, 77F2C9E1-6D3A-4B58-8E04-C1A5B9D2F630,
    "{watched} ", "{watched}\0", 1]
  to: &instants ["", now, 1742472000000, "2025-03-20", "2025-03-20T12:00:00", "2025-03-20T12:00:00+01:00",
    "2025-03-20T12:00:00.000Z", "2025-02-30T00:00:00Z", "2025-13-01T00:00:00Z",
    "2025-03-20T24:00:00Z", "2025-03-20T12:60:00Z", "2025-03-20t12:00:00z", "2025-03-20T12:00:00Z "]
  standsAt: *instants
  billingAnchor: &days ["", 15, "2025-02-29", "2025-02-30", "2025-04-31", "2025-13-01", "2025-00-10", "2025-01-00",
    15-06-2024, 2024-6-15, "2024-06-15T00:00:00Z", "+002024-06-15"]
  createdOn: *days
  credits: &amounts [5, -5, "-5", "+5", "", "1e3", "0x10", "NaN", Infinity, "1.", ".5", "1,000", " 1", "5\n",
    "1.0000000000001", "1234567890123456", "٥"]
  prepaid: *amounts
  product: ["", RPC, rpcs, __proto__, 1, [rpc]]
  times: [0, -1, 1.5, 1001, 1000000000, "3", true]
  pool: ["", both, 1]
  stream: ["", rpc, streamgrpc, 1]
  bytes: [0, -1, 1.5, 1.0e+13, 1.0e+300, "5", true]
  count: [0, -1, 1.5, 100001, 1000000000, "5", true]
  present: ["true", "", 1, 0]
  plan: [business, {}, { name: b, kind: paid }, { name: b, kind: gratis, creditsLimit: 1 }, { name: "", kind: paid,
    creditsLimit: 1 }, { name: 1, kind: paid, creditsLimit: 1 },
    { name: b, kind: paid, creditsLimit: -1 }, { name: b, kind: paid, creditsLimit: 1.5 }, { name: b, kind: paid,
    creditsLimit: 1.0e+13 }, { name: b, kind: paid, creditsLimit: "1" },
    { name: b, kind: paid, creditsLimit: null }, { name: b, kind: paid, creditsLimit: 1, more: 1 }]
  invoicing: [weekly, "", 1]
  admin: ["on", "", true]
  keys: [key, *key, [null], [{}], [*key, *key], [*key, *key, *key, *key, *key, *key], [{ value: "" }], [{ value: x }],
    [{ value: C0FFEE00-1111-4222-8333-444455556666 }], [{ value: 1 }],
    [{ value: "{paidKey}" }], [*key, { value: "{paidKey}" }], [{ value: c0ffee00-1111-4222-8333-444455556666,
    more: 1 }],
    [{ value: c0ffee00-1111-4222-8333-444455556666, allowedAddresses: [] }],
    [{ value: c0ffee00-1111-4222-8333-444455556666, allowedAddresses: [""] }]]
`) as {
  readonly good: readonly Fields[];
  readonly optional: readonly string[];
  readonly wrong: { readonly [field: string]: readonly unknown[] };
};

const fields = good.flatMap((whole) => {
  const [name, text, names] = [String(whole["do"]), JSON.stringify(whole), Object.keys(whole)];
  const spoilt = (field: string, value: unknown): Row =>
    command(
      `${name}, ${field}: ${value === undefined ? "missing" : JSON.stringify(value)}`,
      JSON.stringify({ ...whole, [field]: value }),
    );
  return [
    ...names.filter((field) => !optional.includes(field)).map((field) => spoilt(field, undefined)),
    ...names.flatMap((field) => [null, [], ...(wrong[field] ?? [])].map((value) => spoilt(field, value))),
    ...["note", "__proto__"].map((field) =>
      command(`${name} with a further ${field}`, text.replace(/}$/, `,"${field}":1}`)),
    ),
  ];
});

export const controlTables: Tables = {
  "control without its token": tokens,
  "control with text that is no command": commands,
  "control with a field missing, wrong, out of range or too many": fields,
};
