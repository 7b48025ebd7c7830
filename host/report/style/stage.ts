/** One step: its screen, overlays and panel; and the dialog with the screen in full size. */
export const stage = `
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
