/** Each pair of text and background has a contrast of at least 4.5 to 1 in both schemes. */
export const livePageStyle = `
:root {
  color-scheme: light dark;
  --ground: #f6f5f2; --surface: #ffffff; --sunken: #f2f1ee; --line: #e0ddd7; --pointed: #ecebe7;
  --ink: #1c1b1a; --soft: #4b4945; --quiet: #66635d; --accent: #2450d8; --on-accent: #ffffff;
  --good: #17704a; --partial: #8a5a08; --bad: #b32d23;
  --agent: #2450d8; --agent-tint: #e9eefc; --wait: #8a5a08; --wait-tint: #fdf1d8; --you: #17704a; --you-tint: #e2f3ea; --still: #5c5954; --still-tint: #ecebe7;
  --text: #8a4b12; --count: #2f6b1f; --flag: #6f35a8; --found: #ffe08a; --found-ink: #1c1b1a;
  --shadow: 0 12px 32px -12px rgb(28 27 26 / 30%);
  --sans: "Inter", "SF Pro Text", system-ui, -apple-system, "Segoe UI", "Noto Sans", "Liberation Sans", sans-serif;
  --mono: "JetBrains Mono", "SF Mono", ui-monospace, "Cascadia Code", "DejaVu Sans Mono", Menlo, monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #141415; --surface: #1c1c1e; --sunken: #101011; --line: #323236; --pointed: #2b2b31;
    --ink: #f0efed; --soft: #c9c7c3; --quiet: #a5a39e; --accent: #9db4ff; --on-accent: #10131f;
    --good: #6fd3a0; --partial: #edbd68; --bad: #ff9c92;
    --agent: #9db4ff; --agent-tint: #1f2740; --wait: #f0c273; --wait-tint: #3a2d12; --you: #6fd3a0; --you-tint: #16322a; --still: #c9c7c3; --still-tint: #2b2b2f;
    --text: #e2b98c; --count: #b5d6a7; --flag: #c7a6e8; --found: #6b5417; --found-ink: #ffffff;
    --shadow: 0 24px 60px -20px rgb(0 0 0 / 70%);
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html, body { margin: 0; height: 100%; }
body { --mode: var(--line); --tint: var(--surface); display: flex; flex-direction: column; background: var(--ground); color: var(--ink); font: 14px/1.5 var(--sans); }
body:is([data-mode=agent], [data-mode=other]) { --mode: var(--agent); --tint: var(--agent-tint); }
body[data-mode=waiting] { --mode: var(--wait); --tint: var(--wait-tint); }
body[data-mode=you] { --mode: var(--you); --tint: var(--you-tint); }
body:is([data-mode=idle], [data-mode=paused]) { --mode: var(--still); --tint: var(--still-tint); }
p, ul, ol { margin: 0; }
ul, ol { padding: 0; list-style: none; }
header { display: flex; align-items: center; gap: 8px 16px; padding: 10px 16px; border-bottom: 1px solid var(--line); background: var(--surface); }
h1 { flex: 0 2 auto; min-width: 6ch; margin: 0; max-width: 24ch; overflow: hidden; font-size: 14px; font-weight: 600; text-overflow: ellipsis; white-space: nowrap; }
.say { display: flex; flex: 0 1 auto; align-items: baseline; gap: 0 10px; min-width: 14ch; overflow: hidden; padding: 4px 12px; border-left: 4px solid var(--mode); border-radius: 6px; background: var(--tint); }
#mode { overflow: hidden; color: var(--mode); font-size: 15px; text-overflow: ellipsis; white-space: nowrap; }
#detail { flex: 0 1000 auto; min-width: 0; overflow: hidden; color: var(--soft); text-overflow: ellipsis; white-space: nowrap; }
[data-mode=watch] .say { display: none; }
.acts, .tools { display: flex; align-items: center; gap: 8px; white-space: nowrap; }
.tools { flex: 1 0 auto; justify-content: flex-end; gap: 8px 12px; }
button { padding: 5px 12px; border: 1px solid var(--line); border-radius: 6px; background: var(--surface); color: var(--ink); font: inherit; cursor: pointer; }
header button { max-width: 22ch; overflow: hidden; text-overflow: ellipsis; }
button:hover { background: var(--pointed); }
button.main { border-color: var(--accent); background: var(--accent); color: var(--on-accent); font-weight: 600; }
button.main:hover { filter: brightness(1.08); }
button[aria-pressed=true] { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
label { display: flex; align-items: center; gap: 6px; cursor: pointer; }
kbd { padding: 0 5px; border: 1px solid var(--line); border-radius: 4px; color: var(--quiet); font: 11px var(--mono); }
#status { display: flex; align-items: center; gap: 6px; color: var(--soft); }
#status::before { content: ""; width: 8px; height: 8px; border-radius: 50%; background: var(--partial); }
#status[data-state=live]::before { background: var(--good); }
#status:is([data-state=trouble], [data-state=ended])::before { background: var(--bad); }
:is(button, summary, input, textarea, [tabindex]):focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
#driving { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 20px; padding: 6px 16px; border-bottom: 1px solid var(--line); background: var(--surface); color: var(--soft); }
.more { position: relative; }
.more summary { padding: 2px 8px; border-radius: 6px; cursor: pointer; }
.keys { display: flex; flex-wrap: wrap; gap: 6px; padding: 6px 0; }
.keys button { padding: 3px 9px; font-size: 13px; }
#requests { flex-basis: 100%; color: var(--wait); }
main { display: grid; flex: 1; grid-template-columns: minmax(0, 1fr) minmax(300px, 400px); min-height: 0; }
[data-kind=watch] main { grid-template-columns: minmax(0, 1fr); }
[data-kind=watch] .with-side { display: none; }
[data-kind=watch] header { padding: 4px 12px; }
.screen { display: grid; grid-template-rows: minmax(0, 1fr) auto; min-width: 0; min-height: 0; padding: 16px; }
[data-kind=watch] .screen { padding: 8px; }
#viewport { container-type: size; display: grid; place-items: center; min-width: 0; min-height: 0; overflow: hidden; outline-offset: 2px; }
#stage { --width: 16; --height: 10; position: relative; width: min(100cqw, 100cqh * var(--width) / var(--height)); aspect-ratio: var(--width) / var(--height); overflow: hidden; border-radius: 6px; box-shadow: 0 0 0 1px var(--line), var(--shadow); background: var(--sunken); }
body:not([data-mode=watch]) #stage { box-shadow: 0 0 0 3px var(--mode), var(--shadow); }
.typing #stage { box-shadow: 0 0 0 5px var(--mode), var(--shadow); }
#viewport { padding: 6px; }
#stage { max-width: 100%; }
#stage canvas { display: block; width: 100%; height: 100%; }
.actual #viewport { place-items: start; overflow: auto; }
.actual #stage { width: calc(var(--width) * 1px); max-width: none; }
[data-mode=you] #stage { touch-action: none; cursor: url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='9' height='9'%3E%3Ccircle cx='4.5' cy='4.5' r='3' fill='%23fff' stroke='%23000' stroke-width='1.5'/%3E%3C/svg%3E") 4 4, crosshair; }
#keys { position: absolute; inset: 0 auto auto 0; width: 1px; height: 1px; padding: 0; border: 0; opacity: 0; resize: none; pointer-events: none; }
#keys-help { display: none; padding-top: 6px; color: var(--quiet); font-size: 13px; }
[data-mode=you] #keys-help { display: block; }
#notice { position: fixed; inset: auto 16px 16px; z-index: 2; width: fit-content; max-width: calc(100% - 32px); margin: 0 auto; padding: 10px 16px; border-radius: 8px; background: #1c1b1a; color: #f0efed; box-shadow: var(--shadow); overflow-wrap: anywhere; }
#marks { position: absolute; inset: 0; }
.plain #marks, [data-kind=watch] #marks { display: none; }
[data-mode=you] #marks { pointer-events: none; }
.mark { position: absolute; outline: 1px solid hsl(var(--hue) 80% 60% / 75%); outline-offset: -1px; }
.mark span { position: absolute; padding: 0 2px; background: hsl(var(--hue) 70% 27%); color: #fff; font: 9px/1.25 var(--mono); pointer-events: none; }
.mark:not(.pointed) .nowhere { visibility: hidden; }
.mark.pointed { z-index: 1; outline: 2px solid hsl(var(--hue) 90% 40%); background: hsl(var(--hue) 90% 60% / 30%); }
#over { position: absolute; inset: 0; display: grid; place-items: center; padding: 16px; background: rgb(16 16 17 / 78%); color: #f0efed; font-size: 20px; text-align: center; }
aside { display: grid; grid-template: auto auto auto minmax(0, 1fr) / minmax(0, 1fr); min-width: 0; min-height: 0; border-left: 1px solid var(--line); background: var(--surface); }
#focus { padding: 10px 12px 0; overflow: hidden; color: var(--quiet); font-size: 13px; text-overflow: ellipsis; white-space: nowrap; }
[role=tablist] { display: flex; gap: 4px; padding: 4px 12px 0; border-bottom: 1px solid var(--line); overflow-x: auto; }
[role=tab] { padding: 6px 10px; border: 0; border-bottom: 2px solid transparent; border-radius: 0; background: none; color: var(--quiet); }
[role=tab][aria-selected=true] { border-color: var(--accent); color: var(--ink); }
[role=tab] span { color: var(--quiet); font-variant-numeric: tabular-nums; }
#chat-count:not(:empty) { padding: 0 6px; border-radius: 9px; background: var(--wait-tint); color: var(--wait); font-weight: 600; }
#search { margin: 10px 12px 4px; padding: 6px 10px; border: 1px solid var(--line); border-radius: 6px; background: var(--sunken); color: var(--ink); font: inherit; }
[role=tabpanel] { grid-row: 4; overflow: auto; padding: 8px 12px 24px; font-size: 13px; }
[role=tabpanel]:focus-visible { outline-offset: -2px; }
[role=tab] b { font-weight: inherit; }
#brief { margin-bottom: 8px; padding: 8px 10px; border-radius: 6px; background: var(--sunken); font-size: 14px; white-space: pre-wrap; }
.line { padding: 8px 0; overflow-wrap: anywhere; }
.line .text { padding-left: 10px; border-left: 3px solid var(--agent); white-space: pre-wrap; }
.line[data-by=person] .text { border-color: var(--you); }
#say { position: sticky; bottom: -24px; margin: 8px -12px -24px; padding: 8px 12px 16px; border-top: 1px solid var(--line); background: var(--surface); }
:is(.question, #say) textarea { width: 100%; padding: 6px 8px; border: 1px solid var(--line); border-radius: 6px; background: var(--sunken); color: var(--ink); font: inherit; resize: vertical; }
.question, .step { padding: 10px 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.question:last-child, .step:last-child { border-bottom: 0; }
.question .text { margin: 2px 0 8px; font-size: 15px; white-space: pre-wrap; }
.question.closed .text { color: var(--soft); font-size: 14px; }
.buttons { display: flex; flex-wrap: wrap; gap: 6px; margin-top: 8px; }
.answer { padding-left: 10px; border-left: 3px solid var(--you); white-space: pre-wrap; }
.step[data-by=person] b { color: var(--you); }
.step[data-by=agent] b { color: var(--agent); }
.outcome { margin-top: 2px; }
.action { display: block; font-family: var(--mono); font-size: 12px; }
.effect { margin-right: 8px; color: var(--soft); font-weight: 600; }
[data-effect=confirmed] .effect { color: var(--good); }
[data-effect=partial] .effect { color: var(--partial); }
:is([data-effect=refused], [data-effect=no-effect]) .effect { color: var(--bad); }
.evidence { color: var(--soft); }
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
@keyframes changed { from { background: rgb(237 189 104 / 14%); box-shadow: -4px 0 rgb(237 189 104); } }
@media (prefers-reduced-motion: reduce) { .changed { animation: none; box-shadow: -4px 0 rgb(237 189 104); } }
mark { background: var(--found); color: var(--found-ink); border-radius: 2px; }
.row { display: flex; gap: 10px; padding: 5px 6px; border-radius: 6px; }
.row.pointed { background: var(--pointed); }
.row .number { flex: none; align-self: start; min-width: 30px; padding: 0 4px; border-radius: 4px; background: hsl(var(--hue) 70% 27%); color: #fff; text-align: center; font: 11px/1.7 var(--mono); }
.words { min-width: 0; overflow-wrap: anywhere; }
.held { margin-left: 8px; color: var(--text); font-family: var(--mono); }
.small { color: var(--quiet); font-size: 12px; }
.role { margin-right: 8px; color: var(--soft); }
.none { padding: 8px 0; color: var(--quiet); }
@media (min-width: 2400px) { body { font-size: 18px; } h1 { font-size: 18px; } #mode { font-size: 20px; } main { grid-template-columns: minmax(0, 1fr) 560px; } [role=tabpanel] { font-size: 16px; } #state, .action { font-size: 15px; } .small { font-size: 15px; } .mark span { font-size: 12px; } }
@media (max-width: 1240px) { header, .say, .acts, .tools { flex-wrap: wrap; } #detail { white-space: normal; } }
@media (max-width: 900px) {
  body { height: auto; min-height: 100%; }
  header { padding: 8px 12px; }
  .say { order: 1; flex-basis: 100%; }
  .acts { order: 2; }
  .tools { justify-content: flex-start; flex-basis: 100%; order: 3; }
  [data-kind=watch] .tools { flex-basis: auto; }
  main { grid-template-columns: minmax(0, 1fr); grid-template-rows: auto 1fr; }
  .screen { padding: 10px; }
  #viewport { container-type: inline-size; }
  #stage { width: 100cqw; }
  .actual #viewport { max-height: 70vh; }
  aside { border-left: 0; border-top: 1px solid var(--line); }
  [role=tabpanel] { overflow: visible; }
}
`;
