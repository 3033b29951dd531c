// Hostile texts for the HTML report.

/** Markup, script, and characters that hide or reorder. */
export const hostileTexts = [
  "<script>hacked = 1</script>",
  "<img src=x onerror='hacked = 1'>",
  '"><svg onload="hacked = 1">',
  "' onmouseover='hacked = 1' x='",
  "</script></style></title></pre></details><h1>Nothing is broken</h1>",
  "<!-- ",
  "]]><![CDATA[",
  "javascript:hacked=1",
  "&lt;script&gt;hacked = 1&lt;/script&gt;",
  "${hacked = 1}{{hacked = 1}}",
  "<style>* { display: none }</style><base href='http://127.0.0.1:9/'><meta http-equiv=refresh " +
    "content='0;url=http://127.0.0.1:9/'>",
  "\u202egnp.exe \u2066hidden\u2069 \u200b",
  "\u0000\u0007\u001b[2J\u001b]0;hacked\u0007\u009b31m",
  "\ud800 a lone surrogate \udfff \ufffe\u2028\u2029",
  "ｆｕｌｌ ".repeat(2_000),
] as const;

/** The same data with every text in it, member names included, made hostile; members that `keeps` selects stay. */
export function poisoned<Data>(data: Data, keeps: (member: string) => boolean): Data {
  let count = 0;
  const next = (text: string): string => `${hostileTexts[((count += 1)) % hostileTexts.length]}${text}`;
  const walk = (value: unknown): unknown => {
    if (typeof value === "string") return next(value);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(walk);
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, keeps(name) ? member : walk(member)]),
    );
  };
  return walk(data) as Data; // The shape stays; only texts differ.
}

/** A JSON document with hostile strings and member names. */
export const hostileDocument = {
  creditsRemaining: hostileTexts[0],
  creditsUsed: hostileTexts[1],
  statusCode: hostileTexts[2],
  message: hostileTexts[4],
  error: hostileTexts[11],
  subscriptionDetails: { plan: hostileTexts[3], billingCycle: hostileTexts[12] },
  usage: Object.fromEntries(hostileTexts.map((text, index) => [`${text}${index}`, [text]])),
};
