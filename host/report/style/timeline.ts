/** The strip of small pictures and the switches over it. */
export const timeline = `
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
