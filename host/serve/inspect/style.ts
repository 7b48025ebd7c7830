/** Each pair of text and ground has a contrast of at least 4.5 to 1 in both schemes. */
export const style = `
:root {
  color-scheme: light dark;
  --ground: #faf9f7; --surface: #ffffff; --sunken: #f2f1ee; --line: #e4e1dc; --pointed: #ecebe7;
  --ink: #1c1b1a; --soft: #4b4945; --quiet: #6a6761; --accent: #2450d8;
  --good: #17704a; --partial: #b57a14; --bad: #b32d23;
  --text: #8a4b12; --count: #2f6b1f; --flag: #6f35a8; --found: #ffe08a; --found-ink: #1c1b1a;
  --shadow: 0 12px 32px -12px rgb(28 27 26 / 30%);
  --sans: "Inter", "SF Pro Text", system-ui, -apple-system, "Segoe UI", "Noto Sans", "Liberation Sans", sans-serif;
  --mono: "JetBrains Mono", "SF Mono", ui-monospace, "Cascadia Code", "DejaVu Sans Mono", Menlo, monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #141415; --surface: #1c1c1e; --sunken: #101011; --line: #303034; --pointed: #2b2b31;
    --ink: #f0efed; --soft: #c9c7c3; --quiet: #a09e99; --accent: #9db4ff;
    --good: #6fd3a0; --partial: #edbd68; --bad: #ff9c92;
    --text: #e2b98c; --count: #b5d6a7; --flag: #c7a6e8; --found: #6b5417; --found-ink: #ffffff;
    --shadow: 0 24px 60px -20px rgb(0 0 0 / 70%);
  }
}
* { box-sizing: border-box; }
html, body { margin: 0; height: 100%; }
body { display: grid; grid-template: auto 1fr / minmax(0, 1fr); background: var(--ground); color: var(--ink); font: 13px/1.5 var(--sans); }
header { display: flex; align-items: center; gap: 16px; padding: 10px 16px; border-bottom: 1px solid var(--line); background: var(--surface); }
header h1 { margin: 0; font-size: 14px; font-weight: 600; }
header p { margin: 0; }
#status { display: flex; align-items: center; gap: 6px; color: var(--soft); }
#status::before { content: ""; width: 8px; height: 8px; border-radius: 50%; background: var(--partial); }
#status[data-state=live]::before { background: var(--good); }
#status:is([data-state=trouble], [data-state=ended])::before { background: var(--bad); }
#focus { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--quiet); }
header label { display: flex; align-items: center; gap: 6px; cursor: pointer; }
kbd { padding: 0 5px; border: 1px solid var(--line); border-radius: 4px; color: var(--quiet); font: 11px var(--mono); }
main { display: grid; grid-template-columns: minmax(0, 1fr) minmax(300px, 380px); min-height: 0; }
.screen { container-type: size; display: grid; place-items: center; margin: 16px; min-width: 0; }
#stage { position: relative; width: min(100cqw, 100cqh * 1.6); aspect-ratio: 16 / 10; border-radius: 6px; overflow: hidden; box-shadow: 0 0 0 1px var(--line), var(--shadow); background: var(--sunken); }
#stage img { display: block; width: 100%; height: 100%; }
#marks { position: absolute; inset: 0; }
.plain #marks { display: none; }
.mark { position: absolute; outline: 1px solid hsl(var(--hue) 80% 60% / 75%); outline-offset: -1px; }
.mark span { position: absolute; padding: 0 2px; background: hsl(var(--hue) 70% 27%); color: #fff; font: 9px/1.25 var(--mono); pointer-events: none; }
.mark:not(.pointed) .nowhere { visibility: hidden; }
#over { position: absolute; inset: 0; display: grid; place-items: center; margin: 0; padding: 16px; background: rgb(16 16 17 / 78%); color: #f0efed; font-size: 20px; text-align: center; }
#over[hidden] { display: none; }
.mark.pointed { z-index: 1; outline: 2px solid hsl(var(--hue) 90% 40%); background: hsl(var(--hue) 90% 60% / 30%); }
aside { display: grid; grid-template-rows: auto auto minmax(0, 1fr); min-height: 0; border-left: 1px solid var(--line); background: var(--surface); }
#search { margin: 12px 12px 8px; padding: 7px 10px; border: 1px solid var(--line); border-radius: 6px; background: var(--sunken); color: var(--ink); font: inherit; }
:is(#search, button, summary, .row, input):focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
[role=tablist] { display: flex; gap: 4px; padding: 0 12px; border-bottom: 1px solid var(--line); }
[role=tab] { padding: 6px 10px; border: 0; border-bottom: 2px solid transparent; background: none; color: var(--quiet); font: inherit; cursor: pointer; }
[role=tab][aria-selected=true] { border-color: var(--accent); color: var(--ink); }
[role=tab] span { color: var(--quiet); font-variant-numeric: tabular-nums; }
[role=tabpanel] { overflow: auto; padding: 8px 12px 24px; }
#state { font: 12px/1.7 var(--mono); }
summary { cursor: pointer; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; border-radius: 4px; }
summary::marker { color: var(--quiet); }
.inner { margin-left: 5px; padding-left: 11px; border-left: 1px solid var(--line); }
.leaf { display: flex; gap: 10px; border-radius: 4px; }
.key { color: var(--accent); }
.hint { margin-left: 10px; color: var(--quiet); }
.value { overflow-wrap: anywhere; min-width: 0; }
.string { color: var(--text); } .value.number { color: var(--count); } .boolean, .null { color: var(--flag); } .empty { color: var(--quiet); }
.changed { animation: changed 3s ease-out; }
@keyframes changed { from { background: rgb(237 189 104 / 45%); } }
@media (prefers-reduced-motion: reduce) { .changed { animation: none; background: rgb(237 189 104 / 20%); } }
mark { background: var(--found); color: var(--found-ink); border-radius: 2px; }
.row { display: flex; gap: 10px; padding: 5px 6px; border-radius: 6px; }
.row.pointed { background: var(--pointed); }
.row .number { flex: none; align-self: start; min-width: 30px; padding: 0 4px; border-radius: 4px; background: hsl(var(--hue) 70% 27%); color: #fff; text-align: center; font: 11px/1.7 var(--mono); }
.words { min-width: 0; overflow-wrap: anywhere; }
.held { margin-left: 8px; color: var(--text); font-family: var(--mono); }
.small { color: var(--quiet); font-size: 11px; }
.role { margin-right: 8px; color: var(--soft); }
.none { color: var(--quiet); }
@media (max-width: 900px) { body { height: auto; } header { flex-wrap: wrap; gap: 4px 16px; } #focus { order: 1; flex-basis: 100%; } main { grid-template-columns: minmax(0, 1fr); } .screen { container-type: inline-size; } #stage { width: 100%; } aside { border-left: 0; border-top: 1px solid var(--line); } }
`;
