/** Buttons with elements that may lie over them. Those named "free" can be clicked, those named "covered" can't. */
const cases: readonly string[] = [
  '<button>free, alone</button>',
  '<button>covered by what comes later</button><div class="over"></div>',
  '<div class="over"></div><button class="placed">free, above what comes before</button>',
  '<div class="over"></div><button>covered, in the normal flow</button>',
  '<div class="over" style="z-index:5"></div><button class="placed">covered by a higher level</button>',
  '<div class="over"><div class="over" style="z-index:5"></div></div><button class="placed">covered by a level within</button>',
  '<div class="over" style="z-index:0"><div class="over" style="z-index:5"></div></div><div class="placed" style="z-index:1"><button>free, above a closed level</button></div>',
  '<div class="placed" style="z-index:2"><button>free, on a higher level</button></div><div class="over" style="z-index:1"></div>',
  '<div class="placed" style="opacity:.9"><button class="placed" style="z-index:9">covered, its level is closed</button></div><div class="over" style="z-index:1"></div>',
  '<div style="display:flex"><div class="box" style="z-index:3;margin-right:-200px"></div><button class="placed">covered by an item with a level</button></div>',
  '<button>free, the pointer goes through</button><div class="over" style="pointer-events:none"></div>',
  '<button>free, what is over it is hidden</button><div class="over" style="visibility:hidden"></div>',
  '<button>covered by a child that is shown</button><div class="over" style="visibility:hidden"><div class="over" style="visibility:visible"></div></div>',
  '<button>covered by a child that takes clicks</button><div class="over" style="pointer-events:none"><div class="over" style="pointer-events:auto"></div></div>',
  '<button>covered, though nothing is to be seen</button><div class="over" style="opacity:0"></div>',
  '<button style="pointer-events:none">covered, it takes no clicks</button>',
  '<button class="placed" style="z-index:-1;position:absolute">covered from below zero</button><div class="box"></div>',
  '<div class="overflow-guard"><div class="box" style="height:4000px"></div></div><button style="margin-top:10px">free, below what is cut off</button>',
  '<button>covered by a frame</button><iframe class="over"></iframe>',
  '<button>covered by a shadow tree</button><div class="shadow"></div>',
  '<label><input class="hidden" type="checkbox" aria-label="free, a box under its label"><span class="over"></span></label>',
  '<div role="button" aria-label="free, all of it its own"><span class="over"></span></div>',
];

/** The names of the buttons that can be clicked. */
export const freeInCovers: readonly string[] = cases
  .map((html) => /free[^<"]*/.exec(html)?.[0].trim())
  .filter((name) => name !== undefined);

/** A page that is read like VS Code's own document. */
export const coversPage = `<style>
  body { margin: 0 }
  .case { position: absolute; width: 240px; height: 60px; z-index: 0 }
  .box, button, [role=button] { display: block; box-sizing: border-box; width: 200px; height: 30px }
  .placed { position: relative }
  .over { position: absolute; left: 0; top: 0; width: 200px; height: 30px; border: 0; background: #9c9 }
  .hidden { width: 200px; height: 30px; margin: 0 }
  .overflow-guard { position: relative; overflow: hidden; height: 8px }
</style>
<div class="monaco-workbench">${cases
  .map(
    (html, i) =>
      `<div class="case" style="left:${(i % 4) * 250}px;top:${Math.floor(i / 4) * 70}px">${html}</div>`,
  )
  .join('')}</div>
<script>for (const host of document.querySelectorAll('.shadow')) {
  host.className = 'shadow shadow-root-host';
  host.attachShadow({ mode: 'open' }).innerHTML = '<div style="position:absolute;left:0;top:0;width:200px;height:30px"></div>';
}</script>`;
