/** @jsxImportSource hono/jsx */
// The frame of each HTML page: head, content policy, icon and doctype.
import { createHash } from "node:crypto";
import { raw } from "hono/html";
import type { Child } from "hono/jsx";

/** The colour of a headline, beside its words. */
export type Mood = "broken" | "holds" | "inconclusive";

/** Paths and strokes, drawn on 16 × 16. */
const icons: { readonly [mood in Mood | "comparison"]: readonly [path: string, stroke: string, width: number] } = {
  broken: ["M3 3l10 10M13 3L3 13", "%23c0392b", 3],
  holds: ["M2 8l4 5 8-10", "%23258a4e", 3],
  inconclusive: ["M3 8h10", "%23888", 3],
  comparison: ["M3 6h10M3 10h10M11 2L5 14", "%23888", 2],
};

/** As a data URL: browsers ask the server for an icon unless the page names one. */
function iconOf(name: keyof typeof icons): string {
  const [path, stroke, width] = icons[name];
  return (
    `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath ` +
    `d='${path}' fill='none' stroke='${stroke}' stroke-width='${width}'/%3E%3C/svg%3E`
  );
}

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

interface DocumentOptions {
  readonly title: string;
  readonly icon: keyof typeof icons;
  /** Hashed into the policy as it stands; contains no `</`. */
  readonly style: string;
  /** As `style`; null where the page has none. */
  readonly script: string | null;
}

/** One HTML document that sends no request; only `style` and `script` take effect, whatever answers contain. */
export function documentOf({ title, icon, style, script }: DocumentOptions, body: Child): string {
  const scripts = script === null ? "" : ` script-src ${hashOf(script)};`;
  const others = "img-src data:; base-uri 'none'; form-action 'none'";
  const policy = `default-src 'none'; style-src ${hashOf(style)};${scripts} ${others}`;
  const page = (
    <html lang="en-GB">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={policy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>{title}</title>
        <link rel="icon" href={iconOf(icon)} />
        <style>{raw(style)}</style>
      </head>
      <body>
        {body}
        {script === null ? null : <script>{raw(script)}</script>}
      </body>
    </html>
  );
  if (page instanceof Promise) throw new Error("a part of the page is asynchronous");
  return `<!doctype html>\n${page.toString()}\n`;
}
