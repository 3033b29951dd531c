// What to add next can be pasted into the target file, and unlocks what it promises
import { expect, test } from "@playwright/test";
import { proposalsPasted } from "../support/snippets.ts";

const bases = 'name: acme\nbases: { admin: "https://a.example", api: "https://b.example", rpc: "https://c.example" }\n';
const main = "projects: { main: { plan: paid } }\nkeys: { paid: { project: main, env: ACME_KEY } }\n";
const free = "projects: { main: { plan: free } }\nkeys: { free: { project: main, env: F } }\n";
const payer = "bundles: { tipLamports: 5 }\nchain: solana-mainnet\n";
const files = {
  "with one key": bases + main,
  "with a chain": `${bases}${main}chain: solana-mainnet\nsamples: {}\n`,
  "as init writes it":
    `${bases}projects: { main: { id: 7f9c24e5-1f0b-4c55-9a5c-6f4d1f3b8a10, plan: paid, creditsLimit: 5 } }\n` +
    "keys: { paid: { project: main, env: ACME_KEY } }\nallow: []\nquiet: false\nnames: {}\n",
  "that allows much": `${bases}${main}allow: [sendBundle, throttle]\n${payer}`,
  "with a key of a free plan": bases + free,
  "with JSON-RPC methods alone": `name: acme\nbases: { rpc: "https://c.example" }\n${main}`,
};

for (const [which, text] of Object.entries(files))
  test(`what is proposed for a file ${which} can be pasted, and unlocks what it says`, () => {
    const proposals = proposalsPasted(text);
    expect(proposals.length).toBeGreaterThan(3);
    expect(proposals.filter(({ promised, unlocked }) => unlocked < promised)).toEqual([]);
  });

test("a chain's public facts are proposed where the file names no chain", () => {
  const says = (text: string) => proposalsPasted(text).map((one) => one.says);
  expect(says(files["with one key"])).toContain("chain: solana-mainnet");
  expect(says(`${files["with one key"]}chain: none\n`)).not.toContain("chain: solana-mainnet");
});
