import assert from 'node:assert/strict';
import sharp from 'sharp';
import { ide as ideMethods, viewTools } from '../../../bridge/protocol/index.ts';
import type { ToolAnswer } from '../../../host/ide/index.ts';
import { onOneNode } from '../../support/each-node.ts';
import { slowIt } from '../../support/slow.ts';
import { ToolIde } from '../../support/tool-ide.ts';

const page = `<!doctype html>
<html><head><title>A page</title><link rel="stylesheet" href="style.css"></head>
<body><h1>Magenta</h1><img src="dot.png"><img src="gone.png">
<script src="script.js"></script><script>nowhere();</script></body></html>`;

const chart = `import sys
import matplotlib
matplotlib.use('TkAgg')
import matplotlib.pyplot as plt
print('drawing', sys.argv[1:], __name__)
plt.figure(figsize=(4, 3)); plt.plot([1, 4, 9]); plt.title('Squares')
plt.show()
fig, axes = plt.subplots(1, 2); fig.suptitle('Two'); axes[0].bar(['a', 'b'], [1, 2])
fig.savefig('two.png'); plt.close(fig)
plt.figure(); plt.plot([1]); plt.gca().set_title('Left open')
`;

const files = {
  'src/long.py': Array.from({ length: 300 }, (_, i) => `line_${i + 1} = ${i + 1}\n`).join(''),
  'site/index.html': page,
  'site/style.css': 'body { background: rgb(255, 0, 255); margin: 0 } h1 { font-size: 40px }',
  'site/script.js': 'document.title += ", scripted";',
  'other.html': '<p>just text',
  // A document that is opened and never closed keeps its page loading.
  'waits.html':
    '<title>Waits</title><iframe></iframe><script>document.querySelector("iframe").contentDocument.open()</script>',
  'chart.py': chart,
  'fails.py': 'import matplotlib.pyplot as plt\nplt.plot([1, 2])\nraise SystemExit(3)\n',
  'never.py': 'import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\nwhile True: pass\n',
  'nothing.py': 'print("no chart")\n',
  'left.txt': 'one\ntwo\n',
  'right.txt': 'one\nzwei\n',
  'broken.json': '{ "a": }',
  'fake.png': 'this is no picture',
  'round.svg': '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
};

onOneNode('tools that show something', (open) => {
  let ide: ToolIde;
  const owned = new AsyncDisposableStack();
  before(async () => {
    ide = owned.use(await ToolIde.start(open, files));
    const dot = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#0000ff' } })
      .png()
      .toBuffer();
    await ide.bash(`base64 -d > site/dot.png <<< ${dot.toString('base64')}
      ln -s /etc/passwd out.txt; mkfifo pipe
      git init -q; git add left.txt; git -c user.name=a -c user.email=a@b.c commit -qm first
      echo three >> left.txt`);
  });
  after(() => owned.disposeAsync());

  it('open_file goes to a line, and says what is open', async () => {
    const { result, images } = await ide.answer(viewTools.openFile, {
      path: 'src/long.py',
      line: 200,
      column: 6,
      picture: true,
    });
    const { visible, ...facts } = viewTools.openFile.output.parse(result);
    assert.deepEqual(facts, {
      path: 'src/long.py',
      editor: 'text',
      language: 'python',
      line: 200,
      column: 6,
      total_lines: 301,
    });
    assert.ok(visible && visible.start_line <= 200 && visible.end_line >= 200, JSON.stringify(visible));
    const { width, height } = await sharp(images[0]?.bytes).metadata();
    assert.ok(width > 800 && height > 400, `${width}x${height}`);
    const picture = await ide.call(viewTools.openFile, { path: 'site/dot.png' });
    assert.equal(picture.editor, 'imagePreview.previewEditor');
  });

  it('open_file refuses a path that is missing, not a file or outside, and a line past the end', async () => {
    const refused = (reason: Parameters<ToolIde['refused']>[0], path: string, more: object = {}) =>
      ide.refused(reason, viewTools.openFile, { path, ...more });
    await refused('not-found', 'nowhere.py');
    await refused('not-a-file', 'src');
    await refused('not-a-file', 'pipe');
    await refused('outside-workspace', 'out.txt');
    await refused('outside-workspace', '../etc/passwd');
    assert.match(await refused('bad-arguments', 'src/long.py', { line: 500 }), /301 lines/);
    await assert.rejects(ide.answer(viewTools.openFile, { path: 'src/long.py', line: 0 }), /bad arguments/);
  });

  it('preview_html shows a page with its resources, and reports its errors', async () => {
    const { result, images } = await ide.answer(viewTools.previewHtml, { path: 'site/index.html' });
    const { title, zoom, errors } = viewTools.previewHtml.output.parse(result);
    assert.deepEqual([title, zoom], ['A page, scripted', 100], errors.join('\n'));
    assert.match(errors.join('\n'), /can not load .*gone\.png/);
    assert.match(errors.join('\n'), /nowhere is not defined/);
    assert.doesNotMatch(errors.join('\n'), /dot\.png/);
    assert.ok((await shareOf(images, [255, 0, 255])) > 0.5);
    assert.ok((await shareOf(images, [0, 0, 255])) > 0);
  });

  it('a webview finds its service worker: its origin has no other, and no second one is installed', async () => {
    // VS Code installs its own if it knows the existing one under another address.
    await ide.call(viewTools.previewHtml, { path: 'other.html', picture: false });
    const database = '/desk-profile/chromium/Default/Service Worker/Database/000003.log';
    const log = Buffer.from((await ide.ide.sandbox.readFile(database, 10_000_000)) ?? '').toString('latin1');
    const workers = new Set(
      [...log.matchAll(/http:[^\0-\x20]*service-?worker\.js[\w?=&.:%-]*/gi)].map(([url]) => url),
    );
    assert.equal(workers.size, 1, [...workers].join('\n'));
    assert.match([...workers].join(), /webview\/browser\/pre\/service-worker\.js/);
  });

  slowIt('zoom_preview magnifies it, by steps and by percent', async () => {
    await ide.call(viewTools.previewHtml, { path: 'site/index.html', picture: false });
    const plain = await ide.answer(viewTools.zoomPreview, { to: 'reset' });
    const blue = await shareOf(plain.images, [0, 0, 255]);
    const twice = await ide.answer(viewTools.zoomPreview, { to: 200 });
    const share = (await shareOf(twice.images, [0, 0, 255])) / blue;
    assert.ok(share > 3.5 && share < 4.5, `a dot of ${share} times its size`);
    assert.equal((await ide.call(viewTools.zoomPreview, { to: 'out', picture: false })).zoom, 175);
    const mark = await ide.ide.find('button', /Zoom In/);
    await ide.ide.click(mark);
    assert.equal((await ide.call(viewTools.zoomPreview, { to: 'in', picture: false })).zoom, 250);
    await assert.rejects(ide.answer(viewTools.zoomPreview, { to: 5000 }), /bad arguments/);
  });

  it('preview_html shows unsaved text, another page, and refuses what is not a page of the workspace', async () => {
    const other = await ide.call(viewTools.previewHtml, { path: 'other.html', zoom: 150, picture: false });
    assert.deepEqual([other.title, other.zoom, other.errors], ['', 150, []]);
    await ide.refused('not-found', viewTools.previewHtml, { path: 'nowhere.html' });
    await ide.refused('outside-workspace', viewTools.previewHtml, { path: 'out.txt' });
    await ide.refused('binary-file', viewTools.previewHtml, { path: 'site/dot.png' });
  });

  slowIt('preview_chart returns the figures that a script shows, saves or leaves open', async () => {
    const { result, images, effect } = await ide.answer(viewTools.previewChart, {
      path: 'chart.py',
      arguments: ['x'],
    });
    const { status, figures, output } = viewTools.previewChart.output.parse(result);
    assert.deepEqual([status, effect], ['ok', 'confirmed']);
    assert.match(output, /drawing \['x'\] __main__/);
    assert.deepEqual(
      figures.map(({ title, axes }) => [title, axes]),
      [
        ['Squares', 1],
        ['Two', 2],
        ['Left open', 1],
      ],
    );
    assert.equal(images.length, 3);
    const { width } = await sharp(images[0]?.bytes).metadata();
    assert.equal(width, figures[0]?.width);
    assert.notEqual(await ide.onDisk('two.png'), null);
    const shown = await ide.answer(viewTools.zoomPreview, { to: 'reset' });
    assert.match(shown.text, /^chart\.py "Figures"/);
  });

  slowIt("preview_diagram draws Mermaid on white, and says where it can't", async () => {
    const source = 'flowchart LR\n  a["<b>Parse</b>"] --> b{Any left?}\n  b -->|yes| a\n  b -->|no| c[Done]';
    const { result, images } = await ide.answer(viewTools.previewDiagram, { source });
    const { width, height, ...facts } = viewTools.previewDiagram.output.parse(result);
    assert.deepEqual(facts, { drawn: true, errors: [] });
    assert.ok(width > 200 && height > 50, `${width}x${height}`);
    const picture = sharp(images[0]?.bytes);
    // Boxes of the default theme are drawn on the page's white.
    const { channels } = await picture.stats();
    assert.ok(
      channels.every(({ max, min }) => max === 255 && min < 120),
      JSON.stringify(channels),
    );
    const wrong = await ide.call(viewTools.previewDiagram, {
      source: 'sequenceDiagram\n  A->>',
      picture: false,
    });
    assert.equal(wrong.drawn, false);
    assert.match(wrong.errors[0] ?? '', /^Parse error on line 2/);
    const unknown = await ide.call(viewTools.previewDiagram, { source: 'a picture', picture: false });
    assert.match(unknown.errors[0] ?? '', /^No diagram type detected/);
  });

  slowIt('preview_chart reports scripts that fail, never end, or draw nothing', async () => {
    const run = async (path: string, ms = 60_000) => {
      const { result, effect } = await ide.answer(viewTools.previewChart, { path, timeout_ms: ms });
      const { status, exit_code: code, figures } = viewTools.previewChart.output.parse(result);
      return [effect, status, code, figures.length];
    };
    assert.deepEqual(await run('fails.py'), ['partial', 'error', 3, 1]);
    assert.deepEqual(await run('never.py', 15_000), ['partial', 'timed-out', null, 1]);
    assert.equal((await ide.bash('pgrep -fc [n]ever.py || true')).trim(), '0');
    assert.deepEqual(await run('nothing.py'), ['no-effect', 'ok', 0, 0]);
    await ide.refused('not-found', viewTools.previewChart, { path: 'nowhere.py' });
    assert.equal((await ide.bash('ls -d /tmp/pwp-figures-* 2>/dev/null | wc -l')).trim(), '0');
  });

  it("view_image returns the image itself, and refuses a file that only has an image's name", async () => {
    const { result, images } = await ide.answer(viewTools.viewImage, { path: 'site/dot.png' });
    assert.match(JSON.stringify(result), /"mime":"image\/png".*"width":30,"height":20/);
    assert.equal(await shareOf(images, [0, 0, 255]), 1);
    // The viewer reports when it has loaded the image.
    await ide.ide.find('button', /30x20/);
    const shown = await ide.answer(viewTools.screenshotElement, { selector: '.part.editor' });
    assert.ok((await shareOf(shown.images, [0, 0, 255])) > 0);
    const drawn = await ide.call(viewTools.viewImage, { path: 'round.svg' });
    assert.equal(drawn.mime, 'image/svg+xml');
    await ide.refused('not-an-image', viewTools.viewImage, { path: 'fake.png' });
    await ide.refused('outside-workspace', viewTools.viewImage, { path: 'out.txt' });
  });

  slowIt('show_diff compares a file with another one, and with its committed version', async () => {
    const files = await ide.call(viewTools.showDiff, { path: 'right.txt', with: 'left.txt' });
    assert.match(files.diff, /^-two\n-three\n\+zwei$/m);
    const { result, images } = await ide.answer(viewTools.showDiff, { path: 'left.txt' });
    const committed = viewTools.showDiff.output.parse(result);
    assert.deepEqual([committed.with, committed.lines_added], ['left.txt (git:HEAD)', 1]);
    assert.equal(images.length, 1);
    const { marks } = await ide.ide.observe();
    assert.ok(marks.some(({ name }) => /left\.txt \(git:HEAD\) ↔ left\.txt/.test(name)));
    const both = { path: 'left.txt', with: 'right.txt', id: 'git:HEAD' };
    await ide.refused('bad-arguments', viewTools.showDiff, both);
    await ide.refused('not-found', viewTools.showDiff, { path: 'left.txt', id: 'git:nowhere' });
    await ide.refused('outside-workspace', viewTools.showDiff, { path: 'left.txt', with: 'out.txt' });
  });

  it('show_problems opens the view and returns its entries', async () => {
    await ide.call(viewTools.openFile, { path: 'broken.json' });
    await ide.ide.until('the problem', ({ marks }) => marks.find(({ name }) => /Errors: 1/.test(name)));
    const { problems } = await ide.call(viewTools.showProblems, {});
    assert.deepEqual(
      problems.map(({ path, line }) => [path, line]),
      [['broken.json', 1]],
    );
    await ide.ide.find('treeitem', /Value expected/);
  });

  it('screenshot_element takes a mark, a selector, a box, or the whole screen', async () => {
    const { marks } = await ide.ide.observeStill();
    const tab = marks.find(({ role }) => role === 'tab');
    assert.ok(tab);
    const ofTab = await ide.answer(viewTools.screenshotElement, { mark: tab.id });
    const { box } = viewTools.screenshotElement.output.parse(ofTab.result);
    assert.deepEqual([box.width, box.height], await sizeOf(ofTab.images));
    const panel = await ide.call(viewTools.screenshotElement, { selector: '.part.panel' });
    assert.ok(panel.box.width > 200 && panel.still);
    const wanted = { x: 10, y: 20, width: 30, height: 40 };
    const exact = await ide.answer(viewTools.screenshotElement, { box: wanted, margin: 5 });
    assert.deepEqual(await sizeOf(exact.images), [40, 50]);
    const whole = await ide.answer(viewTools.screenshotElement, {});
    assert.deepEqual(await sizeOf(whole.images), [1920, 1080]);
    const asked = (given: object) => ide.answer(viewTools.screenshotElement, given);
    await assert.rejects(asked({ selector: '.nowhere' }), /nothing that matches/);
    await assert.rejects(asked({ selector: 'a[' }), /not a valid selector/);
    await assert.rejects(asked({ mark: 999_999 }), /no mark 999999/);
    await ide.refused('bad-arguments', viewTools.screenshotElement, { selector: '.part', box: wanted });
    await ide.refused('bad-arguments', viewTools.screenshotElement, { box: { ...wanted, x: 5000 } });
  });

  it('open_file opens nothing for a line or column that does not exist', async () => {
    const tabs = async () =>
      (await ide.ide.sandbox.call(ideMethods.tabs, {}, { signal: AbortSignal.timeout(10_000) })).groups;
    const before = await tabs();
    await ide.refused('bad-arguments', viewTools.openFile, { path: 'right.txt', line: 99 });
    await ide.refused('bad-arguments', viewTools.openFile, { path: 'right.txt', line: 1, column: 99 });
    await ide.refused('bad-arguments', viewTools.openFile, { path: 'fake.png', line: 2 });
    assert.deepEqual(await tabs(), before);
  });

  slowIt('preview_html shows a page whose resources never arrive, and says so', async () => {
    const { title, errors } = await ide.call(viewTools.previewHtml, { path: 'waits.html', picture: false });
    assert.deepEqual([title, errors], ['Waits', ['not all of it is loaded yet']]);
  });

  it('screenshot_element names an element that is not on the screen', async () => {
    assert.match(await ide.refused('not-found', viewTools.screenshotElement, { mark: 9999 }), /9999/);
    await ide.refused('not-found', viewTools.screenshotElement, { selector: '.no-such-thing' });
    await ide.refused('bad-arguments', viewTools.screenshotElement, { selector: 'div[' });
    const box = { x: 9000, y: 0, width: 9, height: 9 };
    await ide.refused('bad-arguments', viewTools.screenshotElement, { box });
  });
});

/** The share of the first picture that has a colour, from 0 to 1. */
async function shareOf(
  images: ToolAnswer['images'],
  [r, g, b]: readonly [number, number, number],
): Promise<number> {
  const { data, info } = await sharp(images[0]?.bytes)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  let count = 0;
  for (let at = 0; at < data.length; at += 3)
    if (data[at] === r && data[at + 1] === g && data[at + 2] === b) count++;
  return count / (info.width * info.height);
}

async function sizeOf(images: ToolAnswer['images']): Promise<number[]> {
  const { width, height } = await sharp(images[0]?.bytes).metadata();
  return [width, height];
}
