/** @jsxImportSource hono/jsx */
// A document as one HTML page that needs nothing else: it sends no request.
import type { Child } from "hono/jsx";
import { capped } from "../text.ts";
import type {
  AnswerEvidence,
  Beside,
  Block,
  Cell,
  Document,
  List,
  Paragraph,
  Section,
  Sentence,
  ShellLine,
  TextSpan,
} from "./document.ts";
import { shownIn } from "./document.ts";
import { FigureBlock, Folded, TableElement, TermList } from "./elements.tsx";
import { AnswerBlock, Command, Places } from "./exchange.tsx";
import { documentOf } from "./frame.tsx";
import { style } from "./style.ts";

/** A text from the platform within a sentence or a table. */
const longest_chars = 600;
/** A sentence of ours that quotes such texts. */
const longestSentence_chars = 2_000;
/** Beside a breach, which needs its surroundings. */
const longestBody_chars = 12_000;

export function documentPage(document: Document): string {
  const { kind, headline, mood, of = "Assay", icon = mood === "none" ? "comparison" : mood, ...rest } = document;
  const { first, sections, foot, skip, script = null } = rest;
  return documentOf(
    { title: `${headline} · ${capped(of, 100)}`, icon, style, script },
    <>
      {skip ? (
        <a class="skip" href={skip.to}>
          {skip.text}
        </a>
      ) : null}
      <header>
        <p class="assay">{kind}</p>
        <h1 class={mood}>{unbroken(capped(headline, longest_chars))}</h1>
        {blocksIn(first, "first", 2)}
      </header>
      <main>
        {contentsOf(sections)}
        {blocksIn(sections, "section", 2)}
      </main>
      {foot ? (
        <footer>
          <p>{spansIn(foot)}</p>
        </footer>
      ) : null}
    </>,
  );
}

function contentsOf(sections: readonly Block[]): Child {
  const named = shownIn("page", sections).flatMap((block) =>
    block.is === "section" && block.name !== undefined ? [[block.id ?? "", block.name] as const] : [],
  );
  return named.length === 0 ? null : (
    <nav aria-label="Contents">
      <ul class="contents">
        {named.map(([id, name]) => (
          <li>
            <a href={`#${id}`}>{name}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** @param place unique on the page, for the names of sections @param level of their headings */
export const blocksIn = (blocks: readonly Block[], place: string, level: number): Child =>
  shownIn("page", blocks).map((block, nth) => blockIn(block, `${place}-${nth + 1}`, level));

function blockIn(block: Block, place: string, level: number): Child {
  switch (block.is) {
    case "sentence":
      return paragraphOf(block);
    case "list":
      return listIn(block);
    case "terms":
      return <TermList kind="facts" entries={block.entries.map(([term, text]) => [term, spansIn(text)] as const)} />;
    case "table":
      return <TableElement {...block} isCaptionShown={block.isCaptionShown ?? false} rows={cellsIn(block.rows)} />;
    case "figure": {
      const { svg, title, summary, table } = block;
      return (
        <>
          {title ? <h4>{capped(title, longest_chars)}</h4> : null}
          <FigureBlock {...table} svg={svg} {...(summary ? { summary } : {})} rows={cellsIn(table.rows)} />
        </>
      );
    }
    case "command":
      return commandIn(block);
    case "evidence":
      return evidenceIn(block);
    case "answer":
      return <AnswerBlock exchange={block.exchange} places={[]} longestBody_chars={block.longestBody_chars} />;
    case "beside":
      return besideIn(block, place, level);
    case "section":
      return sectionIn(block, place, level);
    case "element":
      return block.element;
  }
}

const paragraphOf = ({ text, tone, isAside }: Paragraph): Child => (
  <p class={isAside ? "fine" : (tone ?? "plain")}>{spansIn(text)}</p>
);

const listIn = ({ items, label, sign }: List): Child => (
  <>
    {label ? <p class="label">{label}</p> : null}
    <ul class={sign ? "changes" : label ? "list" : "plain"}>
      {items.map((item) => (
        <li>
          {sign ? <span aria-hidden="true">{sign}</span> : null}
          {sign ? <span>{spansIn(item)}</span> : spansIn(item)}
        </li>
      ))}
    </ul>
  </>
);

const besideIn = ({ sections }: Beside, place: string, level: number): Child => (
  <div class="beside">
    {shownIn("page", sections).map((section, nth) => (
      <div>{sectionIn(section, `${place}-${nth + 1}`, level)}</div>
    ))}
  </div>
);

function sectionIn(sectionGiven: Section, place: string, level: number): Child {
  const { title, id, tone, isFolded, blocks } = sectionGiven;
  if (isFolded)
    return (
      <Folded summary={spansIn(title)} id={id}>
        {blocksIn(blocks, place, level + 1)}
      </Folded>
    );
  const name = id ?? place;
  return (
    <section class={tone} aria-labelledby={name}>
      {headingOf(spansIn(title), name, level)}
      {blocksIn(blocks, place, level + 1)}
    </section>
  );
}

function headingOf(text: Child, id: string, level: number): Child {
  if (level <= 2) return <h2 id={id}>{text}</h2>;
  return level === 3 ? <h3 id={id}>{text}</h3> : <h4 id={id}>{text}</h4>;
}

const commandIn = ({ label, text }: ShellLine): Child => (
  <>
    {label ? <p class="label">{label}</p> : null}
    <Command text={text} />
  </>
);

const evidenceIn = ({ traces = [], ...evidence }: AnswerEvidence): Child => (
  <div class="shown">
    <div>
      <Places breaches={evidence.breaches} />
      {evidence.exchange === null ? null : commandIn(evidence.request)}
      {evidence.replay ? commandIn(evidence.replay) : null}
      {traces.length > 0 ? (
        <>
          <p class="label">In your logs</p>
          <TermList
            kind="breach"
            entries={traces.map(([name, value]) => [name, <code>{capped(value, longest_chars)}</code>])}
          />
        </>
      ) : null}
    </div>
    {evidence.exchange === null ? null : (
      <AnswerBlock
        exchange={evidence.exchange}
        places={evidence.breaches.map(({ at }) => at)}
        longestBody_chars={longestBody_chars}
      />
    )}
  </div>
);

const cellsIn = (rows: readonly (readonly Cell[])[]): readonly (readonly Child[])[] =>
  rows.map((row) =>
    row.map((cell) => {
      if (typeof cell === "string") return unbroken(capped(cell, longest_chars));
      if (typeof cell === "number") return String(cell);
      return "is" in cell ? cell.element : spansIn(cell);
    }),
  );

/** What sentences of ours put between backticks is code; a backtick alone stays as it is. */
function plainText(text: string): Child {
  const parts = text.split("`");
  return parts.length % 2 === 0
    ? unbroken(text)
    : parts.map((part, nth) => (nth % 2 === 1 ? <code>{part}</code> : unbroken(part)));
}

/** No line ends within a day, at its hyphens. */
const unbroken = (text: string): Child =>
  text.split(/\b(\d{4}-\d\d-\d\d)\b/).map((part, nth) => (nth % 2 === 1 ? <span class="unbroken">{part}</span> : part));

export const spansIn = (sentence: Sentence): Child => sentence.map(spanIn);

function spanIn(span: TextSpan): Child {
  if (typeof span === "string") return plainText(span);
  const { as, tone, sign, to } = span;
  const text = capped(span.text, as === "quoting" ? longestSentence_chars : longest_chars);
  const signed = (
    <>
      {sign ? <span aria-hidden="true">{sign}</span> : null} {text}
    </>
  );
  if (to !== undefined)
    return (
      <a class={tone} href={to}>
        {sign ? signed : text}
      </a>
    );
  if (tone !== undefined) return <span class={tone}>{signed}</span>;
  if (as === "code") return <code>{text}</code>;
  if (as === "strong") return <b>{text}</b>;
  if (as === "marked") return <mark class="differs">{text}</mark>;
  return as === "aside" ? <span class="fine">{text}</span> : plainText(text);
}
