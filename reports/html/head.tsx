/** @jsxImportSource hono/jsx */
// What stands in the head of each of our pages?
import { raw } from "hono/html";

interface HeadProps {
  readonly title: string;
  /** What may be run, applied and fetched: nothing but what the page itself holds. */
  readonly policy: string;
  /** As a data URL: browsers ask the server for an icon unless the page names one. */
  readonly icon: string;
  readonly style: string;
}

export const Head = ({ title, policy, icon, style }: HeadProps) => (
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content={policy} />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="referrer" content="no-referrer" />
    <title>{title}</title>
    <link rel="icon" href={icon} />
    <style>{raw(style)}</style>
  </head>
);
