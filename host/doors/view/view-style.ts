/** The style of the page of studies, besides the report's style. */
export const viewStyle = `
body { display: flex; flex-direction: column; min-height: 100vh; }
main { width: 100%; max-width: none; margin: 0; padding: 20px clamp(16px, 2.4vw, 40px) 64px; outline: none; }
button, select, input { font: inherit; color: inherit; }
button, .button { padding: 4px 11px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); font-size: 13.5px; line-height: 1.5; text-decoration: none; cursor: pointer; }
button:hover, .button:hover { background: var(--sunken); }
button:disabled { color: var(--quiet); cursor: default; }
select, input[type=search] { min-width: 0; max-width: 100%; padding: 4px 8px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); font-size: 13.5px; line-height: 1.5; height: 32px; }
input::placeholder { color: var(--quiet); opacity: 1; }
.top { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 16px; padding: 10px clamp(16px, 2.4vw, 40px); border-bottom: 1px solid var(--line); background: var(--surface); }
.top .brand { color: var(--ink); text-decoration: none; }
.top .brand:hover { text-decoration: underline; text-underline-offset: 3px; }
#folder { overflow-wrap: anywhere; }
#status { margin-left: auto; font-variant-numeric: tabular-nums; }
#filter { display: flex; flex-wrap: wrap; align-items: end; gap: 8px 14px; padding: 12px clamp(16px, 2.4vw, 40px); border-bottom: 1px solid var(--line); }
#filter label { display: grid; gap: 2px; font-size: 12.5px; color: var(--quiet); }
#filter select { width: 150px; color: var(--ink); }
#filter input { width: 170px; color: var(--ink); }
#filter :is(select, input).set { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.matches { display: flex; align-items: center; gap: 8px; min-height: 32px; font-size: 14px; color: var(--soft); font-variant-numeric: tabular-nums; }
body:not([data-view=all]) #filter .of-all { display: none; }
body[data-view=two] #filter, body[data-view=none] #filter { display: none; }
#trouble { margin: 16px clamp(16px, 2.4vw, 40px) 0; }
#all > h1, #one h1, #two h1 { font-size: clamp(22px, 2.2vw, 28px); }
.lead { margin: 4px 0 18px; color: var(--soft); }
.problems { margin: 0 0 18px; font-size: 14px; }
.problems ul { margin-top: 8px; max-height: 260px; overflow: auto; display: grid; gap: 4px; }
.problems li { overflow-wrap: anywhere; color: var(--soft); }
.problems code { color: var(--ink); }

.grid { overflow-x: auto; border: 1px solid var(--line); border-radius: 14px; background: var(--surface); box-shadow: var(--shadow); }
.grid-inner { min-width: max-content; }
.row { display: grid; grid-template-columns: minmax(200px, 340px) repeat(var(--columns), minmax(130px, 1fr)); align-items: center; border-top: 1px solid var(--line); }
.rows { content-visibility: auto; }
.row > * { padding: 6px 14px; min-width: 0; }
.row > :first-child { position: sticky; left: 0; background: var(--surface); overflow-wrap: anywhere; font-size: 14px; }
.row.head { border-top: 0; align-items: end; font-size: 13px; color: var(--quiet); }
.row.head b { display: block; color: var(--ink); font-size: 14px; overflow-wrap: anywhere; }
.row.head > * { padding-block: 12px 10px; overflow-wrap: anywhere; }
.row.family { align-items: stretch; }
.row.family > * { padding-block: 9px; background: var(--sunken); font-size: 13px; color: var(--soft); }
.row.family > :first-child { font-weight: 600; color: var(--ink); }
.chips-of { display: flex; flex-wrap: wrap; gap: 4px; }
.chip { display: grid; place-items: center; width: 26px; height: 26px; border-radius: 7px; background: var(--tone-ground); color: var(--tone); font-size: 13px; font-weight: 700; line-height: 1; text-decoration: none; }
.chip:hover { box-shadow: 0 0 0 2px var(--tone); }
.chip.gone { visibility: hidden; }
.chip.suspect { box-shadow: inset 0 0 0 2px var(--partial); }
.legend-of { display: flex; flex-wrap: wrap; gap: 6px 18px; margin-top: 14px; font-size: 13px; color: var(--quiet); }
.legend-of li { display: flex; align-items: center; gap: 7px; }
.legend-of .chip { width: 20px; height: 20px; border-radius: 5px; font-size: 11px; }
.nothing { padding: 28px 18px; color: var(--soft); }

.who { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 14px; margin-bottom: 16px; }
.who h1 { margin-right: 6px; }
.who .acts { display: flex; flex-wrap: wrap; gap: 8px; margin-left: auto; }
.who .acts label { display: flex; align-items: center; gap: 8px; font-size: 13.5px; color: var(--quiet); }
.who .acts select { width: 210px; }
.tries { display: flex; flex-wrap: wrap; gap: 8px; margin-bottom: 12px; font-size: 14px; }
.desk { display: grid; grid-template-columns: 320px minmax(0, 1fr); gap: 24px; align-items: start; }
.line-of { position: sticky; top: 12px; height: calc(100vh - 24px); max-height: 900px; overflow-y: auto; border: 1px solid var(--line); border-radius: 14px; background: var(--surface); scrollbar-width: thin; scrollbar-color: var(--line) transparent; }
.stop { display: grid; grid-template-columns: 80px minmax(0, 1fr); gap: 2px 10px; align-items: center; height: 62px; padding: 6px 10px 6px 8px; border-left: 3px solid transparent; color: var(--soft); text-decoration: none; font-size: 13px; contain: strict; }
.stop:hover { background: var(--sunken); }
.stop:focus-visible { outline-offset: -2px; }
.stop[aria-current] { background: var(--sunken); border-left-color: var(--accent); color: var(--ink); }
.stop img { width: 80px; height: 46px; object-fit: cover; object-position: left top; border: 1px solid var(--line); border-radius: 5px; background: var(--sunken); }
.stop .top-of { display: flex; white-space: nowrap; align-items: center; gap: 6px; font-weight: 550; }
.stop .top-of .time { font-size: 12px; }
.stop .what-of { display: block; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; font: 12px/1.5 var(--mono); color: var(--soft); }
.stop.found { box-shadow: inset -4px 0 0 var(--accent); }
.stop.found .what-of { color: var(--ink); }
.stop .dot { flex: none; }
.clip { overflow: hidden; }
.bar-of { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 20px; margin-bottom: 12px; font-size: 13.5px; color: var(--soft); }
.bar-of label { display: inline-flex; align-items: center; gap: 7px; cursor: pointer; }
.bar-of input { accent-color: var(--accent); margin: 0; width: 15px; height: 15px; }
.live:has(.states li, .quiet:not(:empty)) { margin-bottom: 12px; font-size: 13.5px; overflow-wrap: anywhere; }
.live p { margin: 0 0 6px; white-space: pre-line; }
.states { display: grid; gap: 6px; margin: 0; padding: 0; list-style: none; }
.states li { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 12px; }
.bar-of .moves { display: flex; gap: 6px; margin-left: auto; }
#main:focus-visible { outline: none; }
#one .step { grid-template-columns: minmax(0, 1fr) 340px; gap: 28px; margin-bottom: 0; }
.open.lost { cursor: default; }
.open.lost .picture { opacity: 0.6; background: repeating-linear-gradient(45deg, var(--sunken) 0 12px, var(--surface) 12px 24px); }
.step.unread { grid-template-columns: minmax(0, 1fr) !important; }
.about { margin-top: 40px; border-top: 1px solid var(--line); padding-top: 28px; }
.about .overview { margin-bottom: 0; }
.film { margin-top: 24px; }
.film video { display: block; width: 100%; max-width: 960px; margin: 12px 0; border-radius: 12px; background: #000; }
.film .acts { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; font-size: 14px; color: var(--soft); }

.heads, .halves { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 24px; }
.heads { margin-bottom: 10px; }
.heads > div { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; overflow-wrap: anywhere; }
.halves { margin-bottom: 24px; align-items: start; }
.halves .step { grid-template-columns: minmax(0, 1fr); gap: 16px; margin-bottom: 0; }
.halves .fact, .halves .seen { display: none; }
.halves .panel { max-width: none; gap: 12px; }
.pairs { border: 1px solid var(--line); border-radius: 14px; background: var(--surface); max-height: 520px; overflow-y: auto; }
.pair { display: grid; grid-template-columns: minmax(0, 1fr) 34px minmax(0, 1fr); align-items: center; padding: 0 14px; height: 34px; border-top: 1px solid var(--line); font-size: 13px; color: inherit; text-decoration: none; content-visibility: auto; contain-intrinsic-size: auto 34px; }
.pair:first-child { border-top: 0; }
.pair:hover { background: var(--sunken); }
.pair:focus-visible { outline-offset: -2px; }
.pair[aria-current] { background: var(--sunken); box-shadow: inset 3px 0 0 var(--accent); }
.pair .side { display: flex; align-items: center; gap: 8px; overflow: hidden; white-space: nowrap; }
.pair .side .number-of { flex: none; min-width: 3.2em; color: var(--quiet); font-variant-numeric: tabular-nums; }
.pair .side .what-of { overflow: hidden; text-overflow: ellipsis; font: 12px/1.5 var(--mono); }
.pair .sign-of { text-align: center; color: var(--quiet); }
.pair.only .side { color: var(--partial); }
.pair .dot { flex: none; }
.empty-half { padding: 40px 20px; border: 1px dashed var(--line); border-radius: 12px; color: var(--quiet); text-align: center; }

#keys { position: fixed; inset: 0; margin: auto; width: min(560px, calc(100vw - 32px)); height: fit-content; max-height: calc(100vh - 32px); overflow: auto; padding: 24px 28px; border: 1px solid var(--line); border-radius: 16px; background: var(--surface); color: var(--ink); box-shadow: var(--shadow); }
#keys::backdrop { background: rgb(0 0 0 / 35%); }
#keys h2 { font-size: 20px; color: var(--ink); }
#keys dl { display: grid; gap: 7px; margin: 14px 0 18px; font-size: 14px; }
#keys dl div { display: grid; grid-template-columns: 130px 1fr; gap: 12px; }
#keys dd { color: var(--soft); }
@media (max-width: 1180px) { #one .step { grid-template-columns: minmax(0, 1fr); } .panel { max-width: none; } }
@media (max-width: 860px) {
  .desk { grid-template-columns: minmax(0, 1fr); gap: 16px; }
  .line-of { position: static; height: 204px; }
  .who .acts { margin-left: 0; }
  .heads, .halves { gap: 12px; }
  .halves .effect { grid-template-columns: minmax(0, 1fr); gap: 4px; justify-items: start; }
  .row { grid-template-columns: 150px repeat(var(--columns), minmax(110px, 1fr)); }
  .row > * { padding-inline: 10px; }
}
@media (max-width: 560px) {
  #filter label { width: calc(50% - 7px); }
  #filter :is(select, input) { width: 100%; }
  #keys dl div { grid-template-columns: 1fr; gap: 2px; }
  .figures dl { grid-template-columns: minmax(0, 1fr); }
  .figures dl div:last-child { grid-column: auto; }
  .incidents li { grid-template-columns: minmax(0, 1fr); gap: 2px; }
}
`;
