/** The top and the foot of a report: instruction, result, incidents, figures. */
export const summary = `
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
