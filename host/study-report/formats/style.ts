/** The extra style of a study's page. */
export const studyStyle = `
.contents { display: flex; flex-wrap: wrap; gap: 6px 18px; margin-bottom: 40px; font-size: 14px; }
.part { margin-top: 56px; display: grid; gap: 14px; }
.part h2 { font-size: 22px; font-weight: 630; letter-spacing: -0.015em; color: var(--ink); }
.part > p { max-width: 76ch; color: var(--soft); }
.part .table { overflow-x: auto; }
.part th, .part td { padding: 10px 18px; }
.part thead th { text-align: left; vertical-align: bottom; }
.part thead th.figure { text-align: right; white-space: normal; }
.part tbody th { overflow-wrap: anywhere; min-width: 9em; }
.interval { display: block; font-size: 12.5px; font-weight: 400; color: var(--quiet); }
.plot-frame { overflow-x: auto; }
.plot { display: block; width: 100%; min-width: 620px; max-width: 900px; height: auto; }
.plot-label { font: 12.5px var(--sans); fill: var(--soft); }
.plot-bar { fill: var(--part-1); }
.plot-interval { stroke: var(--ink); stroke-width: 1.5; fill: none; }
.plot-line { stroke: var(--line); }
.plot-part-0 { fill: var(--part-0); }
.plot-part-1 { fill: var(--part-1); }
.plot-part-2 { fill: var(--part-2); }
.plot-part-3 { fill: var(--part-3); }
.plot-good { fill: var(--good); }
.plot-none { fill: var(--quiet); }
.plot-partial { fill: var(--partial); }
.plot-missed { fill: var(--bad); opacity: 0.55; }
.plot-bad { fill: var(--bad); }
.plot-keys { display: flex; flex-wrap: wrap; gap: 6px 20px; font-size: 13.5px; color: var(--soft); }
.problems li { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 4px 24px; padding: 8px 0; border-top: 1px solid var(--line); font-size: 14px; overflow-wrap: anywhere; }
@media (max-width: 700px) { .problems li { grid-template-columns: minmax(0, 1fr); } }
@media print { .part { break-inside: avoid; } }
`;
