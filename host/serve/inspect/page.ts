import type { PageOptions } from '../page.ts';
import { script } from './script/index.ts';
import { style } from './style.ts';

/** The page itself has nothing from the sandbox: the script adds it as text. */
export function page({ name, token, nonce }: PageOptions): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name} · inspect</title>
<link rel="icon" href="data:,">
<style>${style}</style>
<header>
  <h1>${name}</h1>
  <p id="status" role="status" data-state="waiting">connecting</p>
  <p id="focus"></p>
  <label><input type="checkbox" id="overlay" checked> marks <kbd>m</kbd></label>
</header>
<main>
  <section class="screen" aria-label="Screen">
    <div id="stage"><img src="/screen.mjpeg?token=${encodeURIComponent(token)}" alt="The screen, live"><div id="marks"></div><p id="over" hidden></p></div>
  </section>
  <aside>
    <input type="search" id="search" placeholder="Search state and marks  ( / )" aria-label="Search state and marks">
    <div role="tablist">
      <button role="tab" id="tab-state" aria-controls="state" aria-selected="true">State <span id="state-count"></span></button>
      <button role="tab" id="tab-list" aria-controls="list" aria-selected="false">Marks <span id="list-count"></span></button>
    </div>
    <div id="state" role="tabpanel" aria-labelledby="tab-state"></div>
    <div id="list" role="tabpanel" aria-labelledby="tab-list" hidden></div>
  </aside>
</main>
<script nonce="${nonce}">${script}</script>
</html>
`;
}
