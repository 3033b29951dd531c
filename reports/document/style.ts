// The style of the pages: light and dark, phone and paper.

/** Hashed into the page's policy as it stands; contains no `</`. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: #fdfdfc; --sheet: #f5f5f2; --line: #dcdcd6; --ink: #1b1d20; --soft: #595e66; --link: #0b57a4;
  --broken: #b3261e; --warned: #8a4f00; --noted: #0b57a4; --inconclusive: #7a3e9d; --deviates: #0f6674;
  --withheld: #595e66; --narrowed: #4f6b1c; --holds: #1c6b3e;
  --mark: #ffdf7e; --mark-ink: #2b2100; --quiet: #8fa9cb;
  --hue-1: #4577b8; --hue-2: #d98a29; --hue-3: #3f9a6b; --hue-4: #b4538f; --hue-5: #7f8794; --hue-6: #8a6fd1;
  --hue-7: #a8963a;
  --text: system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif;
  --code: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #15171a; --sheet: #1e2125; --line: #353a41; --ink: #e6e6e2; --soft: #a5abb4; --link: #8ab8f0;
    --broken: #ff9186; --warned: #f2b765; --noted: #8ab8f0; --inconclusive: #d1a6ec; --deviates: #7accd8;
    --withheld: #a5abb4; --narrowed: #bccf82; --holds: #82cf9c;
    --mark: #6a5200; --mark-ink: #fff4d2; --quiet: #52749f;
    --hue-1: #6f9fdc; --hue-2: #e0a354; --hue-3: #63bb8d; --hue-4: #d07fb1; --hue-5: #9aa2ae; --hue-6: #a993e6;
    --hue-7: #c9b85e;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { font: 15px/1.5 var(--text); background: var(--paper); color: var(--ink); -webkit-text-size-adjust: 100%;
  scroll-padding-top: 7.5rem; }
body { max-width: 76rem; margin: 0 auto; padding: 1.75rem 1.5rem 3rem; overflow-wrap: anywhere; }
a { color: var(--link); text-underline-offset: .15em; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--paper); padding: .25rem .5rem; z-index: 2; }
h1, h2, h3, h4, p, dl, dd, ul { margin: 0; padding: 0; }
ul { list-style: none; }
h1 { font-size: 2rem; line-height: 1.2; letter-spacing: -.015em; margin: .1rem 0 .9rem; text-wrap: balance; }
h2 { font-size: 1.15rem; line-height: 1.3; margin: 2.5rem 0 .6rem; }
header h2 { margin-top: 1.6rem; }
h3 { font-size: 1rem; margin: 1.4rem 0 .3rem; }
code, pre { font-family: var(--code); font-size: .87em; unicode-bidi: isolate; }
mark { background: var(--mark); color: var(--mark-ink); border-radius: 2px; padding: 0 .1em; }
.differs { font-weight: 600; text-decoration: underline 2px; text-underline-offset: .15em; }
.assay, .fine, .label { color: var(--soft); }
.assay { font-size: .87rem; }
.fine { font-size: .87rem; font-weight: 400; }
.label { font-size: .87rem; font-weight: 600; margin: .7rem 0 .2rem; }

.broken { --tone: var(--broken); } .warned { --tone: var(--warned); } .noted { --tone: var(--noted); }
.inconclusive { --tone: var(--inconclusive); } .deviates, .renamed { --tone: var(--deviates); }
.withheld, .untestable { --tone: var(--withheld); } .narrowed { --tone: var(--narrowed); }
.holds, .fixed { --tone: var(--holds); } .none { --tone: var(--soft); }
h1 { color: var(--tone); }
h1.none { color: inherit; }

.counts { display: flex; flex-wrap: wrap; gap: .4rem; }
.counts li { color: var(--tone); border: 1px solid currentColor; border-radius: 4px; padding: .1rem .6rem; }
.counts .none { border-color: var(--line); }
.counts b { font-variant-numeric: tabular-nums; }
.facts { display: grid; grid-template-columns: repeat(2, fit-content(13rem) minmax(0, 1fr)); gap: .2rem 1rem;
  margin: 1.2rem 0 0; padding: .8rem 0; border-block: 1px solid var(--line); }
.facts dt { color: var(--soft); }
nav { position: sticky; top: 0; z-index: 2; margin-top: 1.6rem; background: var(--paper);
  border-bottom: 1px solid var(--line); }
.contents { display: flex; gap: 0 1.2rem; padding: .45rem 0; overflow-x: auto; white-space: nowrap; }
.bar { display: block; width: 100%; height: .6rem; background: var(--sheet); }
.bar rect { fill: var(--tone); }
header > .bar { height: .9rem; border-radius: 3px; margin-bottom: .6rem; }
.figures .bar { width: 12rem; }
.plain { margin: .4rem 0; }

.filter { position: sticky; top: 2.4rem; z-index: 1; display: flex; flex-wrap: wrap; align-items: center;
  gap: .4rem .6rem; padding: .5rem 0; background: var(--paper); border-bottom: 1px solid var(--line); }
.filter label { color: var(--soft); }
.filter input { font: inherit; color: inherit; background: var(--sheet); border: 1px solid var(--soft);
  border-radius: 4px; padding: .2rem .5rem; width: 14rem; max-width: 100%; }
.filter input::placeholder { color: var(--soft); opacity: 1; }
.filter div { display: flex; flex-wrap: wrap; gap: .3rem; }
.filter button { font: inherit; color: inherit; background: var(--sheet); border: 1px solid var(--line);
  border-radius: 4px; padding: .15rem .6rem; cursor: pointer; }
.filter button[aria-pressed="true"] { background: var(--ink); border-color: var(--ink); color: var(--paper); }
.filter output { color: var(--soft); }

summary { cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary::before { content: "▸"; color: var(--soft); width: 1rem; display: inline-block; }
details[open] > summary::before { content: "▾"; }
summary:hover { background: var(--sheet); }
.requirement, .exchange, .kind { border-bottom: 1px solid var(--line); }
.kind > summary { padding: .4rem .3rem; }
.kind > summary h3 { display: inline; color: var(--tone); }
h4 { font-size: .93rem; margin: .9rem 0 .2rem; }
.group > summary { padding: .2rem .3rem; }
/* Rows off the screen aren't laid out: there may be thousands. */
.area, .exchange { content-visibility: auto; contain-intrinsic-size: auto none auto 2rem; }
.requirement > summary { display: grid; grid-template-columns: 1rem 8.6rem 10.5rem minmax(0, 1fr) fit-content(14rem);
  gap: 0 .6rem; align-items: baseline; padding: .28rem .3rem; }
.verdict { color: var(--tone); white-space: nowrap; }
.unbroken { white-space: nowrap; }
.broken > summary .sentence, .broken > summary .verdict { font-weight: 600; }
.id { color: var(--soft); }
.clause { color: var(--soft); font-size: .87rem; text-align: right; max-width: 14rem; }
.exchange > summary { display: grid; grid-template-columns: 1rem 3rem minmax(0, 1fr) fit-content(20rem); gap: 0 .6rem;
  align-items: baseline; padding: .2rem .3rem; }
.exchange .number { color: var(--soft); text-align: right; font-variant-numeric: tabular-nums; }
.exchange code { max-width: 20rem; }
.evidence { padding: .1rem .3rem 1.1rem 1.9rem; scroll-margin-top: 2.5rem; }
.requirement.broken > .evidence { border-left: 3px solid var(--tone); padding-left: calc(1.6rem - 3px);
  margin-left: .3rem; }
.evidence > .fine { margin-top: .6rem; }
.shown { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: 0 1.5rem; }
.shown + .shown { border-top: 1px dashed var(--line); margin-top: .9rem; padding-top: .3rem; }
.breach { display: grid; grid-template-columns: 4.6rem minmax(0, 1fr); gap: .1rem .9rem; margin-top: .7rem;
  align-items: baseline; }
.breach dt { color: var(--soft); font-size: .87rem; font-weight: 600; }
.breach code { white-space: pre-wrap; }
pre { margin: 0; background: var(--sheet); border-radius: 4px; padding: .5rem .7rem; line-height: 1.45; tab-size: 4;
  max-height: 30rem; overflow: auto; overflow-wrap: normal; }
.command { white-space: pre-wrap; overflow-wrap: anywhere; user-select: all; }
.copy { float: right; margin: .25rem 0 0 .5rem; font: inherit; font-size: .87rem; color: var(--ink); cursor: pointer;
  background: var(--paper); border: 1px solid var(--line); border-radius: 4px; padding: .1rem .6rem; }
.headers, .cut { color: var(--soft); }
.missing { user-select: none; font-family: var(--text); margin-left: .4em; }
.list { font-size: .93rem; }
.group { margin-top: .3rem; }
.ids { padding: .1rem 0 .1rem 1rem; font-size: .93rem; }
.ids li { padding-left: 1rem; text-indent: -1rem; }
.wide { overflow-x: auto; margin-top: .8rem; }
.wide svg { display: block; }
.figures { border-collapse: collapse; margin: .2rem 0 .6rem; overflow-wrap: normal; }
.figures caption { text-align: left; color: var(--soft); font-size: .87rem; padding-bottom: .3rem; }
.figures th, .figures td { padding: .15rem .9rem .15rem 0; border-bottom: 1px solid var(--line); text-align: right;
  font-variant-numeric: tabular-nums; white-space: nowrap; }
.figures thead th { color: var(--soft); font-size: .87rem; vertical-align: bottom; }
.figures tr > :first-child { text-align: left; }
.figures tbody th { font-weight: 400; }
main > .broken > h2, main > .withheld > h2, main > .narrowed > h2, main > .holds > h2, main > .noted > h2 {
  margin-top: 1.6rem; }
.changes { padding: 0; }
.changes li { display: grid; grid-template-columns: 1.1rem minmax(0, 1fr); padding: .25rem 0; }
.changes li { border-bottom: 1px solid var(--line); }
.changes li > span:first-child { color: var(--tone); }
header .changes li { border-bottom: none; }
.changes a { color: inherit; }
.changes span > a:first-child { display: block; font-size: 1.1rem; font-weight: 600;
  text-decoration-color: var(--tone); }
.changes .fine { display: block; font-family: var(--code); font-size: .8rem; }
.matrix { border-collapse: collapse; width: 100%; overflow-wrap: normal; }
.matrix th, .matrix td { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0; }
.matrix th, .matrix td { border-bottom: 1px solid var(--line); }
.matrix tbody th { font-weight: 400; overflow-wrap: anywhere; min-width: 10rem; }
.matrix thead th { color: var(--soft); font-size: .87rem; }
.matrix span[class] { color: var(--tone); white-space: nowrap; }
.chips { table-layout: fixed; }
.chips thead th:first-child { width: 15.5rem; }
.chips td { text-wrap: balance; overflow-wrap: anywhere; }
.chips span[class] { white-space: normal; }
.chips a { color: inherit; text-decoration-color: var(--quiet); }
.chips a[class] { color: var(--tone); text-decoration-color: currentColor; }
.matrix span.fine { white-space: normal; color: var(--soft); }
section[aria-labelledby="observations"] th:first-child { width: 11rem; }
section[aria-labelledby="observations"] th:nth-child(2) { width: 22rem; }
section[aria-labelledby^="period-"] :is(thead th, td:nth-child(-n + 4)) { white-space: nowrap; }
section[aria-labelledby^="period-"] .figures :is(th, td) { padding-right: .7rem; }
.strip .bar { width: 22rem; max-width: 50vw; height: .8rem; margin-top: .3rem; }
.strip .absent { fill: none; }
.spark { width: 12rem; max-width: 40vw; vertical-align: middle; }
.spark path { fill: none; stroke: var(--soft); stroke-width: 1.2; } .spark circle { fill: var(--ink); }
.plot { display: grid; grid-template-columns: 4rem minmax(0, 1fr); gap: 0 .5rem; color: var(--soft); font-size: .75rem;
  line-height: 1.2; padding-bottom: .25rem; }
.plot > .least { grid-row: 2; align-self: end; }
.plot > .lines { grid-row: 1 / 3; grid-column: 2; width: 100%; height: 6rem; }
.plot > .days { grid-column: 2; display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem;
  margin-top: .2rem; }
.days span[class] { margin: 0 .3rem; }
.lines path { fill: none; stroke-width: 1.5; stroke-linecap: round; vector-effect: non-scaling-stroke; }
.lines .axis { stroke: var(--line); } .lines .point { stroke: var(--broken); stroke-dasharray: 3 3; }
.line-1 { --line-hue: var(--hue-1); } .line-2 { --line-hue: var(--hue-2); }
.line-3 { --line-hue: var(--hue-5); }
.lines path[class^="line-"] { stroke: var(--line-hue); }
span[class^="line-"] { border-bottom: 3px solid var(--line-hue); }
.dots > p { display: flex; flex-wrap: wrap; align-items: center; gap: 0 1rem; }
.dots > p svg { display: inline-block; vertical-align: middle; }
.dots > div { display: grid; grid-template-columns: 9rem minmax(0, 1fr) 19rem; gap: 0 1rem; align-items: center; }
.dots > div > svg { grid-column: 2; grid-row: 1; }
.dots text { fill: var(--soft); font-size: 11px; }
.dots line { stroke: var(--soft); } .dots .grid { stroke: var(--line); }
.dots .highest { stroke-width: 2; }
.dots .interval { stroke: var(--quiet); stroke-width: 9; }
.dots .ring { fill: var(--paper); stroke: var(--ink); stroke-width: 1.5; } .dots .dot { fill: var(--link); }
section > details { margin-top: .4rem; }
.beside { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(16rem, 100%), 1fr)); gap: 0 2rem; }
.beside pre { max-height: 24rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
footer { margin-top: 2.5rem; padding-top: .8rem; border-top: 1px solid var(--line); color: var(--soft);
  font-size: .87rem; }

@media screen and (max-width: 60rem) {
  .shown { grid-template-columns: minmax(0, 1fr); }
  .facts { grid-template-columns: fit-content(13rem) minmax(0, 1fr); }
}
@media screen and (max-width: 44rem) {
  html { scroll-padding-top: 3rem; }
  body { padding: 1rem 1rem 2rem; }
  h1 { font-size: 1.6rem; }
  .filter { position: static; }
  .facts { grid-template-columns: fit-content(6.5rem) minmax(0, 1fr); gap: .1rem .8rem; padding: .5rem 0; }
  .facts, .facts dt { font-size: .93rem; }
  .requirement > summary { grid-template-columns: 1rem auto minmax(0, 1fr); padding: .45rem 0; }
  .requirement .id { text-align: right; }
  .requirement .sentence, .requirement .clause { grid-column: 2 / -1; text-align: left; max-width: none; }
  section[aria-labelledby="observations"] thead { display: none; }
  section[aria-labelledby="observations"] :is(tbody th, td) { display: block; width: auto; border-bottom: none; }
  .few thead { display: none; }
  .few :is(tbody th, td) { display: block; border: none; padding: .1rem 0; }
  .few tr > td { position: relative; padding-left: 6.5rem; }
  .few td::before { content: attr(data-head); color: var(--soft); font-size: .93rem; position: absolute; left: 0;
    width: 6rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .few tbody th { font-weight: 600; padding-top: .4rem; }
  .few td:last-child { border-bottom: 1px solid var(--line); padding-bottom: .4rem; }
  .chips thead { display: none; }
  .chips tr { display: flex; flex-wrap: wrap; gap: .25rem .4rem; padding: .4rem 0;
    border-bottom: 1px solid var(--line); }
  .chips tbody th { flex: 1 0 100%; min-width: 0; border: none; padding: 0; font-weight: 600; }
  .chips td { border: 1px solid var(--line); border-radius: 4px; padding: .05rem .45rem; }
  .chips td::before { content: attr(data-head) " "; color: var(--soft); }
  .chips td:has(.broken) { border-color: var(--broken); }
  .chips td:is(:empty, :has(> .none)) { display: none; }
  .figures th, .figures td { padding-right: .6rem; }
  .figures th { white-space: normal; }
  .dots > div { grid-template-columns: minmax(4rem, 1fr) fit-content(18rem); }
  .dots > div > svg { grid-column: 1 / -1; grid-row: 2; }
  .figures tbody th { min-width: 8rem; }
  .evidence { padding-left: 0; padding-right: 0; scroll-margin-top: 6rem; }
  .requirement.broken > .evidence { padding-left: .6rem; margin-left: 0; }
}
@media print {
  :root { color-scheme: light; }
  html { font-size: 10pt; background: none; }
  body { max-width: none; padding: 0; }
  .filter, .skip, .copy, section[aria-labelledby="exchanges"], nav { display: none !important; }
  .area, .exchange { content-visibility: visible; }
  mark { outline: 1px solid; print-color-adjust: exact; }
  .wide { overflow: visible; }
  .wide svg { max-width: 100%; height: auto; }
  .figures th, .figures td { white-space: normal; }
  section[aria-labelledby^="period-"] table { font-size: .87em; }
  pre { max-height: none; white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--line); }
  summary, .breach, tr, .changes li { break-inside: avoid; }
  summary, h2, h3 { break-after: avoid; }
  .requirement > summary { grid-template-columns: 1rem 5.5rem 9.5rem minmax(0, 1fr) fit-content(9rem); }
}
`;
