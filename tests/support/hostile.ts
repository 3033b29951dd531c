// A hostile vendor: each of its strings is markup, a command, a control character or a link.
import type { RequestListener } from "node:http";

/** Each would take effect in one of the formats, unless escaped. */
export const nasty = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "</code></details></td></tr></table><h1>all is well</h1>",
  "]]></failure><testcase name='made up'/>",
  "\n::error file=README.md,line=1::made up\n::add-mask::a\n",
  "\r##[add-mask]b ##[error]made up",
  "\n::stop-commands::nothing\n",
  "| a | b |\n| --- | --- |",
  "`` ` ``` **bold** [link](https://evil.example) ![image](https://evil.example/x.png) @everyone #1",
  "{0} {{1}} %0A%0D%25",
  "\u001b[31mred\u001b[0m\u0007\u0000\u0085\u2028\u202e\ufeff\u{e0041}",
  "\ud800 lone",
  "--> ]]> &amp; &#x3c; <!--",
].join(" ");

const text = JSON.stringify(nasty);

/** Answers with hostile values and hostile member names. */
export const hostile: RequestListener = (request, response) => {
  const isKnown = request.headers["x-api-key"] !== undefined || (request.url ?? "").includes("api-key=");
  response.writeHead(isKnown ? 200 : 401, {
    "content-type": "application/json",
    "x-ratelimit-limit": "<script>alert(1)</script> ##[error]made up | `x`",
  });
  response.end(
    isKnown
      ? `{${text}: ${text}, "creditsUsed": ${text}, "creditCycle": {"start": ${text}, "end": null}, ` +
          `"creditsRemaining": 1, "subscriptionDetails": ${text}, "credits": {${text}: 1, "rpc": ${text}}}`
      : `{"statusCode": ${text}, "message": ${text}, "error": ${text}}`,
  );
};
