/** Colours and type. Each pair of text and background has a contrast of at least 4.5 to 1 in both schemes. */
const tokenStyle = `
:root {
  color-scheme: light dark;
  --ground: #faf9f7; --surface: #ffffff; --sunken: #f2f1ee;
  --ink: #1c1b1a; --soft: #4b4945; --quiet: #6a6761; --line: #e4e1dc;
  --accent: #2450d8; --focus: #2450d8;
  --good: #17704a; --good-ground: #e3f3ea;
  --partial: #855000; --partial-ground: #fbefd6;
  --bad: #b32d23; --bad-ground: #fbe6e3;
  --none: #55524d; --none-ground: #ecebe7;
  --part-0: #2450d8; --part-1: #8ba6f5; --part-2: #c98a1b; --part-3: #6b9c81;
  --shadow: 0 1px 2px rgb(28 27 26 / 6%), 0 12px 32px -12px rgb(28 27 26 / 18%);
  --sans: "Inter", "SF Pro Text", system-ui, -apple-system, "Segoe UI", "Noto Sans", "Liberation Sans", sans-serif;
  --mono: "JetBrains Mono", "SF Mono", ui-monospace, "Cascadia Code", "DejaVu Sans Mono", Menlo, monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #141415; --surface: #1c1c1e; --sunken: #232326;
    --ink: #f0efed; --soft: #c9c7c3; --quiet: #a09e99; --line: #303034;
    --accent: #9db4ff; --focus: #9db4ff;
    --good: #6fd3a0; --good-ground: #17301f;
    --partial: #edbd68; --partial-ground: #352913;
    --bad: #ff9c92; --bad-ground: #3b1c19;
    --none: #c0beb9; --none-ground: #2c2c2f;
    --part-0: #9db4ff; --part-1: #4d66b8; --part-2: #edbd68; --part-3: #6fa98a;
    --shadow: 0 1px 2px rgb(0 0 0 / 40%), 0 16px 40px -12px rgb(0 0 0 / 60%);
  }
}
`;

/** Plain elements, and the few pieces that every page has. */
const elementStyle = `
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--ground); color: var(--ink);
  font: 400 15px/1.55 var(--sans); font-feature-settings: "cv11", "ss03";
  -webkit-font-smoothing: antialiased; text-rendering: optimizeLegibility;
}
main { max-width: 1600px; margin: 0 auto; padding: 56px clamp(20px, 4vw, 64px) 96px; }
h1, h2, h3, h4, p, ol, ul, dl, dd, pre, blockquote { margin: 0; padding: 0; }
ol, ul { list-style: none; }
h1 { font-size: clamp(28px, 3.4vw, 44px); font-weight: 650; line-height: 1.12; letter-spacing: -0.025em; overflow-wrap: anywhere; }
h2 { font-size: 13px; font-weight: 600; color: var(--quiet); }
h3 { font-size: 20px; font-weight: 620; letter-spacing: -0.012em; }
h4 { font-size: 13px; font-weight: 500; color: var(--quiet); }
b { font-weight: 550; }
a { color: inherit; }
code, pre { font-family: var(--mono); font-size: 12.5px; line-height: 1.6; font-variant-ligatures: none; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; max-height: 420px; overflow: auto; }
summary { cursor: pointer; color: var(--quiet); font-size: 13px; width: fit-content; }
summary:hover { color: var(--ink); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 3px; border-radius: 6px; }
[hidden] { display: none !important; }
.quiet { color: var(--quiet); font-size: 14px; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.masthead { display: grid; gap: 10px; margin-bottom: 40px; }
.brand { font-size: 13px; font-weight: 550; color: var(--quiet); }
.badge {
  display: inline-block; padding: 1px 9px 2px; border-radius: 99px;
  font-size: 12.5px; font-weight: 550; line-height: 1.5; white-space: nowrap;
}
.good { --tone: var(--good); --tone-ground: var(--good-ground); }
.partial { --tone: var(--partial); --tone-ground: var(--partial-ground); }
.bad { --tone: var(--bad); --tone-ground: var(--bad-ground); }
.none { --tone: var(--none); --tone-ground: var(--none-ground); }
.badge, .dot { color: var(--tone); background: var(--tone-ground); }
`;

/** The top and the foot of a report: instruction, result, incidents, figures. */
const summaryStyle = `
.overview { display: grid; grid-template-columns: minmax(0, 1.15fr) minmax(0, 1fr); gap: 32px 72px; align-items: start; margin-bottom: 64px; }
.instruction { display: grid; gap: 12px; }
.instruction p { font-size: 17px; line-height: 1.6; color: var(--soft); white-space: pre-wrap; overflow-wrap: anywhere; max-width: 68ch; }
.instruction code { font-size: 0.86em; padding: 2px 6px; border-radius: 5px; background: var(--sunken); color: var(--ink); }
.result { background: var(--surface); border: 1px solid var(--line); border-radius: 16px; padding: 24px 28px 26px; display: grid; gap: 6px; box-shadow: var(--shadow); }
.score { display: flex; align-items: baseline; justify-content: space-between; gap: 24px; }
.score h2 { font-size: 26px; font-weight: 640; letter-spacing: -0.02em; color: var(--tone); }
.number { font-size: 44px; font-weight: 640; line-height: 1; letter-spacing: -0.03em; font-variant-numeric: tabular-nums; color: var(--tone); }
.number span { font-size: 13px; font-weight: 500; letter-spacing: 0; color: var(--quiet); margin-right: 6px; vertical-align: 3px; }
.result > p { color: var(--soft); }
.reason { overflow-wrap: anywhere; white-space: pre-wrap; padding: 10px 14px; margin-top: 8px; background: var(--sunken); border-radius: 10px; font-size: 14px; }
.checks { margin-top: 14px; display: grid; }
.checks li { display: grid; grid-template-columns: 24px 1fr; gap: 12px; padding: 11px 0; border-top: 1px solid var(--line); }
.checks li:last-child { padding-bottom: 0; }
.sign { width: 22px; height: 22px; border-radius: 50%; display: grid; place-items: center; font-size: 12px; font-weight: 700; color: var(--tone); background: var(--tone-ground); }
.why { display: block; color: var(--quiet); font-size: 14px; overflow-wrap: anywhere; }
.last-turn, .incidents, .log, .figures { margin-top: 48px; border-top: 1px solid var(--line); padding-top: 24px; }
.last-turn { display: grid; gap: 12px; max-width: 720px; }
.incidents ol { margin-top: 12px; display: grid; gap: 8px; }
.incidents li { display: grid; grid-template-columns: 88px 1fr; gap: 12px; }
.what { white-space: pre-wrap; overflow-wrap: anywhere; }
.log pre { margin-top: 14px; padding: 18px 22px; background: var(--sunken); border-radius: 12px; }
.patch pre span { display: block; }
.patch p { margin-top: 10px; font-size: 14px; }
.figures dl { margin-top: 16px; display: grid; grid-template-columns: repeat(auto-fill, minmax(200px, 1fr)); gap: 20px 32px; }
.figures dl div:last-child { grid-column: span 2; }
.figures dt { font-size: 13px; color: var(--quiet); }
.figures dd { overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
@media (max-width: 900px) { .overview { grid-template-columns: minmax(0, 1fr); } }
`;

/** The strip of small pictures and the switches over it. */
const timelineStyle = `
.bar-row { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 10px 24px; margin-bottom: 14px; }
.bar-row h2 { font-size: 22px; font-weight: 630; letter-spacing: -0.015em; color: var(--ink); }
.controls { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 20px; font-size: 13.5px; color: var(--soft); }
.controls label { display: inline-flex; align-items: center; gap: 7px; cursor: pointer; }
.controls label:has(:disabled) { color: var(--quiet); cursor: default; }
.controls input { accent-color: var(--accent); margin: 0; width: 15px; height: 15px; }
kbd { font: 500 11.5px/1 var(--sans); padding: 3px 6px 4px; border: 1px solid var(--line); border-radius: 5px; background: var(--surface); color: var(--quiet); }
html:not(.viewer) .controls kbd, html:not(.viewer) .hint, html:not(.viewer) label:has(#only-failing) { display: none; }
.hint { color: var(--quiet); }
.strip { overflow-x: auto; margin: 0 -6px 20px; padding: 6px 6px 12px; scrollbar-width: thin; scrollbar-color: var(--line) transparent; position: relative; }
.strip ol { display: flex; gap: 12px; }
.strip li { flex: 0 0 148px; }
.strip a { display: block; text-decoration: none; border-radius: 10px; color: var(--quiet); }
.strip img { display: block; width: 100%; height: auto; border-radius: 8px; border: 1px solid var(--line); }
.strip a:hover { color: var(--ink); }
.strip a:hover img { border-color: var(--quiet); }
.strip a[aria-current] { color: var(--ink); }
.strip a[aria-current] img { outline: 2px solid var(--accent); outline-offset: 2px; border-color: transparent; }
.caption { display: flex; align-items: center; gap: 7px; padding: 7px 2px 0; font-size: 12.5px; font-weight: 550; font-variant-numeric: tabular-nums; }
.time { margin-left: auto; font-weight: 400; color: var(--quiet); }
.strip li[data-branch] { border-left: 2px solid var(--line); padding-left: 12px; }
.dot { width: 17px; height: 17px; border-radius: 50%; display: grid; place-items: center; font-size: 10px; font-weight: 700; line-height: 1; }
`;

/** One step: its screen, overlays and panel; and the dialog with the screen in full size. */
const stageStyle = `
.step { display: grid; grid-template-columns: minmax(0, 1fr) 360px; gap: 36px; align-items: start; margin-bottom: 56px; scroll-margin-top: 24px; }
.viewer .step { margin-bottom: 0; }
.open { display: block; width: 100%; padding: 0; border: 1px solid var(--line); border-radius: 12px; overflow: hidden; background: var(--sunken); box-shadow: var(--shadow); cursor: zoom-in; }
.picture { display: block; }
.open .picture { width: 100%; height: auto; }
.definitions { position: absolute; }
.changed { display: none; fill: rgb(255 196 61 / 4%); stroke: #ffc43d; stroke-width: 2; vector-effect: non-scaling-stroke; }
body:has(#show-changed:checked) .changed { display: inline; }
.marks { display: none; }
body:has(#show-marks:checked) .marks { display: inline; }
.mark rect { fill: transparent; stroke: var(--hue); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
.mark .tag { fill: var(--hue); stroke: none; }
.mark text { fill: #ffffff; font: 700 15px/1 var(--sans); font-variant-numeric: tabular-nums; }
.hue-0 { --hue: #c2255c; } .hue-1 { --hue: #1c6fd1; } .hue-2 { --hue: #1f7a43; }
.hue-3 { --hue: #8a3ffc; } .hue-4 { --hue: #b34700; } .hue-5 { --hue: #0b7285; }
.panel { display: grid; gap: 20px; min-width: 0; }
.panel > header { display: flex; align-items: baseline; justify-content: space-between; }
blockquote { padding-left: 14px; border-left: 2px solid var(--line); color: var(--soft); white-space: pre-wrap; overflow-wrap: anywhere; }
.actions { display: grid; gap: 16px; }
.action { display: block; padding: 11px 14px; background: var(--sunken); border-radius: 10px; white-space: pre-wrap; overflow-wrap: anywhere; }
.skipped .action { opacity: 0.75; }
.effect { margin-top: 8px; display: grid; grid-template-columns: max-content 1fr; gap: 10px; align-items: baseline; font-size: 14px; color: var(--soft); overflow-wrap: anywhere; }
.reasoning pre { margin-top: 8px; padding: 10px 14px; border: 1px solid var(--line); border-radius: 10px; max-height: 320px; white-space: pre-wrap; overflow-wrap: anywhere; }
.actions details { margin-top: 8px; }
.actions details pre { margin-top: 8px; padding: 10px 14px; border: 1px solid var(--line); border-radius: 10px; max-height: 240px; }
.edited { margin: 10px 0 0; border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.edited figcaption { display: grid; gap: 2px; padding: 7px 14px; background: var(--sunken); color: var(--soft); font-size: 13px; overflow-wrap: anywhere; }
.edited pre { padding: 8px 0; max-height: 320px; }
.edited pre span { display: block; padding: 0 14px; }
.edited p { padding: 0 14px 8px; }
.added { background: var(--good-ground); color: var(--good); }
.removed { background: var(--bad-ground); color: var(--bad); }
.place { color: var(--quiet); }
.returned { display: block; max-width: 100%; height: auto; margin-top: 10px; border: 1px solid var(--line); border-radius: 10px; }
.alert { padding: 10px 14px; border-radius: 10px; background: var(--bad-ground); color: var(--bad); white-space: pre-wrap; overflow-wrap: anywhere; font-size: 14px; }
.fact { border-top: 1px solid var(--line); padding-top: 16px; display: grid; gap: 6px; font-size: 14px; color: var(--soft); }
.fact h4 { display: flex; justify-content: space-between; }
.fact h4 b { color: var(--ink); font-variant-numeric: tabular-nums; }
.tone-partial { color: var(--partial); font-weight: 550; }
.chips { display: flex; flex-wrap: wrap; gap: 6px; }
.chips li { padding: 1px 9px; border-radius: 99px; background: var(--partial-ground); color: var(--partial); font-size: 13px; }
.bar { display: block; width: 100%; height: 8px; border-radius: 99px; background: var(--sunken); margin: 4px 0; }
.bar .part-0 { fill: var(--part-0); } .bar .part-1 { fill: var(--part-1); } .bar .part-2 { fill: var(--part-2); } .bar .part-3 { fill: var(--part-3); }
.legend { display: grid; grid-template-columns: 1fr 1fr; gap: 2px 24px; font-size: 13px; }
.legend li { display: flex; align-items: center; gap: 8px; }
.legend li::before { content: ""; width: 8px; height: 8px; border-radius: 2px; background: var(--swatch); }
.legend b { margin-left: auto; font-variant-numeric: tabular-nums; }
.legend .part-0 { --swatch: var(--part-0); } .legend .part-1 { --swatch: var(--part-1); } .legend .part-2 { --swatch: var(--part-2); } .legend .part-3 { --swatch: var(--part-3); }
.seen { border-top: 1px solid var(--line); padding-top: 16px; display: grid; gap: 6px; font-size: 14px; }
.seen div { display: grid; grid-template-columns: 84px 1fr; }
.seen dt { color: var(--quiet); font-size: 13px; line-height: 1.7; }
.seen dd { color: var(--soft); overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
dialog { border: 0; padding: 0; width: 100vw; height: 100vh; max-width: none; max-height: none; background: #000; }
.scroller { width: 100%; height: 100%; overflow: auto; display: grid; }
.scroller .picture { margin: auto; }
.close { position: fixed; top: 16px; right: 20px; width: 40px; height: 40px; border: 0; border-radius: 50%; background: rgb(30 30 30 / 88%); color: #fff; font-size: 16px; cursor: pointer; }
.close:focus-visible { outline-color: #fff; }
@media (max-width: 1080px) { .step { grid-template-columns: minmax(0, 1fr); gap: 24px; } .panel { max-width: 640px; } }
@media print { .strip, .controls { display: none; } .step { break-inside: avoid; } }
`;

/** The table over a run. */
const indexTableStyle = `
.table { overflow-x: auto; background: var(--surface); border: 1px solid var(--line); border-radius: 16px; box-shadow: var(--shadow); }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 16px 24px; text-align: left; vertical-align: top; font-weight: 400; }
thead th { font-size: 13px; color: var(--quiet); padding-block: 14px 12px; }
thead th:nth-child(n + 4), .figure { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tbody tr { border-top: 1px solid var(--line); }
tbody tr:hover { background: var(--sunken); }
tbody a { font-weight: 580; text-decoration: none; }
tbody a:hover { text-decoration: underline; text-underline-offset: 3px; }
td .quiet, th .quiet { display: block; font-size: 13px; overflow-wrap: anywhere; }
.figure { font-weight: 500; }
.problem { color: var(--bad); white-space: pre-wrap; overflow-wrap: anywhere; }
`;

/** Colours, type and plain elements: on every page. */
export const baseStyle = tokenStyle + elementStyle;
export const reportStyle = summaryStyle + timelineStyle + stageStyle;
export const indexStyle = indexTableStyle;
