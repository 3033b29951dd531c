/** @jsxImportSource hono/jsx */
// Exchanges: a curl line, and the answer with breaches marked. Texts are redacted and `visible`.
import { answerPlaceIn } from "../../harness/core/finding.ts";
import type { Breach } from "../../harness/model/verdict.ts";
import type { Run } from "../../harness/record/run.ts";
import { answeredText, describeCase, placeName, unescaped } from "../breach.ts";
import { counted, inMs, numberText } from "../numbers.ts";
import { capped } from "../text.ts";
import { piecesOf } from "./body.ts";
import { differenceOf } from "./difference.ts";
import { Folded, TermList } from "./elements.tsx";

type Exchange = Run["exchanges"][number];

/** Lines to copy are cut only beyond what one would paste. */
const longestCommand_chars = 20_000;
const longestHeader_chars = 2_000;
const longestTitle_chars = 300;
const longestText_chars = 1_000;
const mostPlaces = 8;
/** In the list of all exchanges; beside a breach, more is shown. */
export const longestListed_chars = 3_000;

export const Command = ({ text }: { readonly text: string }) => (
  <pre class="command">{capped(text, longestCommand_chars)}</pre>
);

interface AnswerProps {
  readonly exchange: Exchange;
  /** Where its breaches are: JSON pointers, `status`, `header <name>`. */
  readonly places: readonly string[];
  readonly longestBody_chars: number;
}

export function AnswerBlock({
  exchange: { answer, fault, latency_ms, sentAt },
  places,
  longestBody_chars,
}: AnswerProps) {
  const read = places.map(answerPlaceIn);
  const named = read.flatMap((place) => (place.in === "header" ? [place.name] : []));
  const pointers = read.flatMap((place) => (place.in === "body" ? [place.pointer] : []));
  const isOfStatus = read.some((place) => place.in === "status");
  const lacking = named.filter((name) => !answer?.headers.some(([one]) => one.toLowerCase() === name));
  const status = answer ? `HTTP ${answer.status}` : "no answer";
  return (
    <div class="answer">
      <p class="label">
        Answer: {isOfStatus ? <mark>{status}</mark> : status}{" "}
        <span class="fine">
          after {inMs(latency_ms)} ms, sent <time datetime={sentAt}>{clockOf(sentAt)}</time>
        </span>
      </p>
      {answer ? (
        <pre tabindex={0}>
          <span class="headers">
            {answer.headers.map(([name, value]) => {
              const line = capped(`${name}: ${value}`, longestHeader_chars);
              return [named.includes(name.toLowerCase()) ? <mark>{line}</mark> : line, "\n"];
            })}
          </span>
          {lacking.map((name) => [<mark class="missing">{`no ${name}`}</mark>, "\n"])}
          {"\n"}
          <Body body={answer.body} pointers={pointers} longestBody_chars={longestBody_chars} />
          {answer.cutAt_chars === null ? null : (
            <span class="cut">{`\nrecorded up to here (${numberText(answer.cutAt_chars)} characters)`}</span>
          )}
        </pre>
      ) : (
        <pre tabindex={0}>{fault}</pre>
      )}
    </div>
  );
}

const clockOf = (sentAt: string): string => `${sentAt.slice(11, 19)} UTC`;

interface BodyProps extends Pick<AnswerProps, "longestBody_chars"> {
  readonly body: string;
  /** JSON pointers of its breaches. */
  readonly pointers: readonly string[];
}

function Body({ body, pointers, longestBody_chars }: BodyProps) {
  if (body === "")
    return <span class="cut">{pointers.includes("") ? <mark>the body is empty</mark> : "the body is empty"}</span>;
  return (
    <>
      {piecesOf(body, pointers, longestBody_chars).map(({ is, text }) => {
        if (is === "plain") return text;
        if (is === "cut") return <span class="cut">{`\n${text}\n`}</span>;
        return <mark class={is}>{text}</mark>;
      })}
    </>
  );
}

/** Where one answer breaks a requirement. */
export const Places = ({ breaches }: { readonly breaches: readonly Breach[] }) => (
  <>
    {breaches.slice(0, mostPlaces).map((breach) => (
      <Place breach={breach} />
    ))}
    {breaches.length > mostPlaces ? (
      <p class="fine">and at {counted(breaches.length - mostPlaces, "more place")} of this answer</p>
    ) : null}
  </>
);

function Place({ breach: { at, expected, got, counterexample } }: { readonly breach: Breach }) {
  const { before, differs, after } = differenceOf(expected, unescaped({ got }));
  const seen = (
    <code>
      {before}
      <mark>{differs}</mark>
      {after}
    </code>
  );
  return (
    <TermList
      kind="breach"
      entries={[
        ["At", <Code text={placeName(at)} />],
        ["Expected", <Code text={expected} />],
        ["Got", seen],
        ...(counterexample ? [["Case", capped(describeCase(counterexample), longestText_chars)] as const] : []),
      ]}
    />
  );
}

const Code = ({ text }: { readonly text: string }) => <code>{capped(text, longestText_chars)}</code>;

interface ExchangesShown extends Pick<Run, "exchanges"> {
  readonly chosen: ReadonlySet<number>;
  /** Requests of the run, those of a load beside it included. */
  readonly sent: number;
}

/** Each exchange once: requirements link to it. */
export function AllExchanges({ exchanges, chosen, sent }: ExchangesShown) {
  const shown = exchanges.filter(({ number }) => chosen.has(number));
  const all = Math.max(sent, exchanges.length);
  return (
    <>
      {shown.length < all ? (
        <p>
          {numberText(shown.length)} of {counted(all, "request")}: those that requirements link to, worst first, as far
          as the page has room. <code>run.json</code> has{" "}
          {exchanges.length < all ? numberText(exchanges.length) : "all"}.
        </p>
      ) : null}
      <Folded summary={counted(shown.length, "exchange")}>
        {shown.map((exchange) => (
          <details class="exchange">
            <summary>
              <span class="number">{exchange.number}.</span>
              <span class="title">{capped(exchange.title, longestTitle_chars)}</span>
              <code>{capped(answeredText(exchange), longestTitle_chars)}</code>
            </summary>
            <div class="evidence" id={`exchange-${exchange.number}`}>
              <Command text={exchange.curl} />
              <AnswerBlock exchange={exchange} places={[]} longestBody_chars={longestListed_chars} />
            </div>
          </details>
        ))}
      </Folded>
    </>
  );
}
