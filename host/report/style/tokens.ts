/** Colours and type. Each pair of text and background has a contrast of at least 4.5 to 1 in both schemes. */
export const tokens = `
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
