/** Plain elements, and the few pieces that every page has. */
export const elements = `
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
