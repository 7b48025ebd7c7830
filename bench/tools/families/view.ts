import assert from 'node:assert/strict';
import sharp from 'sharp';
import { dom, ide, ideTools, viewTools } from '../../../bridge/protocol/index.ts';
import { right, type ToolCase, wrong } from '../case.ts';
import type { Desk } from '../desk.ts';

const { openFile, showDiff, showProblems, previewHtml, zoomPreview, previewChart } = viewTools;
const { previewDiagram, viewImage, screenshotElement } = viewTools;

/** The active tab, according to VS Code itself. */
async function activeTab(desk: Desk): Promise<string> {
  const { groups } = await desk.ask(ide.tabs, {});
  return groups.flatMap(({ active, tabs }) => (active ? tabs : [])).find(({ active }) => active)?.label ?? '';
}

async function sizeOf(image: { readonly bytes: Uint8Array } | undefined): Promise<readonly [number, number]> {
  const { width, height } = await sharp(image?.bytes).metadata();
  return [width, height];
}

/** Tools that show something. */
export const viewCases: readonly ToolCase[] = [
  {
    tool: openFile,
    right: [
      right('at a line, as the editor says', async (desk) => {
        const {
          line,
          column,
          total_lines: total,
        } = await desk.call(openFile, { path: 'src/report.ts', line: 5, column: 3 });
        const { editor } = await desk.ask(ide.editor, { current: true });
        const cursor = editor?.selections[0]?.active;
        assert.deepEqual([cursor?.line, cursor?.character], [line - 1, column - 1]);
        assert.ok(editor?.uri.endsWith('/src/report.ts'));
        assert.equal(total, Number(await desk.sh('wc -l < src/report.ts')) + 1);
        assert.equal(await activeTab(desk), 'report.ts');
      }),
      right('a notebook', async (desk) => {
        const { editor } = await desk.call(openFile, { path: 'notes.ipynb' });
        assert.deepEqual([editor, await activeTab(desk)], ['notebook', 'notes.ipynb']);
      }),
    ],
    wrong: [
      wrong('no such file', { path: 'src/repot.ts' }, 'not-found', /src\/repot\.ts/),
      wrong('a folder', { path: 'src' }, 'not-a-file', /src/),
      wrong('no such line', { path: 'src/lone.ts', line: 99 }, 'bad-arguments', /99/),
      wrong('no such column', { path: 'src/lone.ts', line: 1, column: 900 }, 'bad-arguments', /900/),
      wrong('lines in the wrong order', { path: 'src/lone.ts', line: 2, end_line: 1 }, 'bad-arguments', /1/),
      wrong('a line of a picture', { path: 'dot.png', line: 1 }, 'bad-arguments', /dot\.png/),
      wrong('out of the workspace', { path: '/etc/passwd' }, 'outside-workspace', /etc\/passwd/),
    ],
  },
  {
    tool: showDiff,
    right: [
      right('against the last commit, as git counts', async (desk) => {
        await desk.sh('printf "more\\n" >> notes.txt');
        const {
          lines_added: added,
          lines_removed: removed,
          same,
        } = await desk.call(showDiff, { path: 'notes.txt' });
        assert.equal(`${added}\t${removed}\tnotes.txt\n`, await desk.sh('git diff --numstat -- notes.txt'));
        assert.equal(same, false);
        assert.match(await activeTab(desk), /notes\.txt/);
        await desk.sh('git checkout -q notes.txt');
      }),
      right('two files, as diff says', async (desk) => {
        const { diff } = await desk.call(showDiff, { path: 'windows.txt', with: 'changes.txt' });
        const count = (sign: string) =>
          diff.split('\n').filter((line) => new RegExp(`^\\${sign}(?!\\${sign})`).test(line)).length;
        const truth = async (sign: string) =>
          Number(
            await desk.sh(
              `diff <(tr -d '\\r' < changes.txt) <(tr -d '\\r' < windows.txt) | grep -c '^${sign}' || true`,
            ),
          );
        assert.deepEqual([count('-'), count('+')], [await truth('<'), await truth('>')]);
      }),
    ],
    wrong: [
      wrong('no such file', { path: 'note.txt' }, 'not-found', /note\.txt/),
      wrong('no such other file', { path: 'notes.txt', with: 'note.txt' }, 'not-found', /note\.txt/),
      wrong('no such commit', { path: 'notes.txt', id: 'git:nowhere' }, 'not-found', /nowhere/),
      wrong(
        'both a file and a version',
        { path: 'notes.txt', with: 'windows.txt', id: 'git:HEAD' },
        'bad-arguments',
        /id|with/,
      ),
      wrong('a binary file', { path: 'binary.bin' }, 'binary-file', /binary\.bin/),
    ],
  },
  {
    tool: showProblems,
    right: [
      right('as many as VS Code has', async (desk) => {
        const { total, problems } = await desk.call(showProblems, { severity: 'hint', limit: 2000 });
        const { diagnostics } = await desk.ask(ide.diagnostics, { limit: 10_000 });
        assert.deepEqual([total, problems.length], [diagnostics.length, diagnostics.length]);
      }),
    ],
    wrong: [wrong('no such severity', { severity: 'fatal' }, 'schema', /severity/)],
  },
  {
    tool: previewHtml,
    right: [
      right('its title, and no errors', async (desk) => {
        const { result, images } = await desk.answer(previewHtml, { path: 'page.html' });
        const { title, errors } = result as { title: string; errors: string[] };
        const [own = ''] = await desk.lines(`sed -nE 's/.*<title>(.*)<\\/title>.*/\\1/p' page.html`);
        assert.deepEqual([title, errors, images.length], [`${own}!`, [], 1]);
      }),
      right('a missing picture is an error', async (desk) => {
        await desk.sh(`sed 's/dot.png/gone.png/' page.html > gone.html`);
        const { errors } = await desk.call(previewHtml, { path: 'gone.html' });
        assert.match(errors.join(), /gone\.png/);
      }),
    ],
    wrong: [
      wrong('no such page', { path: 'pag.html' }, 'not-found', /pag\.html/),
      wrong('a folder', { path: 'src' }, 'not-a-file', /src/),
      wrong('no page', { path: 'binary.bin' }, 'binary-file', /binary\.bin/),
      wrong('out of the workspace', { path: 'out.txt' }, 'outside-workspace', /out\.txt/),
    ],
  },
  {
    tool: zoomPreview,
    right: [
      right(
        'to a percentage and by a step',
        async (desk) => {
          await desk.call(previewHtml, { path: 'page.html' });
          const { zoom } = await desk.call(zoomPreview, { to: 150 });
          const { zoom: more } = await desk.call(zoomPreview, { to: 'in' });
          assert.deepEqual([zoom, more > 150], [150, true]);
        },
        { shapeOnly: 'the page’s zoom is only known to the extension that shows it' },
      ),
    ],
    wrong: [
      wrong('too large', { to: 900 }, 'schema', /to/),
      wrong('without a preview', { to: 'in' }, 'not-found', /preview/, {
        first: async (desk) => {
          await desk.call(ideTools.runCommand, { command: 'workbench.action.closeAllEditors' });
          await desk.until('no tab', async () => (await activeTab(desk)) === '');
        },
      }),
    ],
  },
  {
    tool: previewChart,
    right: [
      right('as many figures as the script makes, of its sizes', async (desk) => {
        const { result, images } = await desk.answer(previewChart, { path: 'chart.py' });
        const { figures, status } = result as {
          figures: { title: string; width: number; height: number }[];
          status: string;
        };
        const sizes = await desk.python(`import matplotlib; matplotlib.use('Agg')
import matplotlib.pyplot as plt; plt.show = lambda *a, **k: None
import io, contextlib
with contextlib.redirect_stdout(io.StringIO()): exec(open('chart.py').read())
print(json.dumps([[a.get_title() for a in plt.figure(n).axes][0] for n in plt.get_fignums()]))`);
        assert.deepEqual([status, figures.map(({ title }) => title)], ['ok', sizes]);
        for (const [at, { width, height }] of figures.entries())
          assert.deepEqual(await sizeOf(images[at]), [width, height]);
      }),
      right('a script without a chart', async (desk) => {
        const { effect } = await desk.answer(previewChart, { path: 'nothing.py' });
        assert.equal(effect, 'no-effect');
      }),
    ],
    wrong: [
      wrong('no such script', { path: 'chrt.py' }, 'not-found', /chrt\.py/),
      wrong('a folder', { path: 'shop' }, 'not-a-file', /shop/),
    ],
    failing: [
      { what: 'no Python', given: { path: 'notes.txt' }, says: /error[^]*SyntaxError/, effect: 'no-effect' },
    ],
  },
  {
    tool: previewDiagram,
    right: [
      right(
        'a picture with the words of its boxes',
        async (desk) => {
          const { result, images } = await desk.answer(previewDiagram, { source: 'graph TD; Alpha-->Beta' });
          assert.deepEqual([(result as { drawn: boolean }).drawn, images.length], [true, 1]);
        },
        {
          shapeOnly:
            'what is drawn is in a page of its own; that it is drawn, and a picture of it, are compared',
        },
      ),
    ],
    wrong: [wrong('no source', { source: '' }, 'schema', /source/)],
    failing: [
      {
        what: 'a syntax error',
        given: { source: 'graph TD; Alpha--' },
        says: /not drawn[^]*(?:line|error)/i,
        effect: 'no-effect',
      },
      { what: 'no such kind', given: { source: 'graf TD; A-->B' }, says: /not drawn/, effect: 'no-effect' },
    ],
  },
  {
    tool: viewImage,
    right: [
      right('the file itself', async (desk) => {
        const { result, images } = await desk.answer(viewImage, { path: 'dot.png' });
        const { bytes, width, height } = result as { bytes: number; width: number; height: number };
        assert.equal(String(bytes), (await desk.sh('stat -c %s dot.png')).trim());
        assert.deepEqual([width, height], await sizeOf(images[0]));
        assert.equal(
          Buffer.from(images[0]?.bytes ?? []).toString('base64'),
          (await desk.sh('base64 -w0 dot.png')).trim(),
        );
        assert.equal(await activeTab(desk), 'dot.png');
      }),
    ],
    wrong: [
      wrong('no such picture', { path: 'dott.png' }, 'not-found', /dott\.png/),
      wrong('no picture', { path: 'notes.txt' }, 'not-an-image', /notes\.txt/),
      wrong('a folder', { path: 'src' }, 'not-a-file', /src/),
      wrong('through a link that leads out', { path: 'out.txt' }, 'outside-workspace', /out\.txt/),
    ],
  },
  {
    tool: screenshotElement,
    right: [
      right('a mark: a picture of its box', async (desk) => {
        const { marks } = await desk.ask(dom.observe, {});
        const [mark] = marks;
        assert.ok(mark);
        const { result, images } = await desk.answer(screenshotElement, { mark: mark.id });
        const { box } = result as { box: { width: number; height: number } };
        assert.deepEqual(await sizeOf(images[0]), [box.width, box.height]);
        assert.ok(Math.abs(box.width - mark.box.width) <= 2, JSON.stringify([box, mark.box]));
      }),
      right('the whole screen', async (desk) => {
        const { images } = await desk.answer(screenshotElement, {});
        const { display } = desk.sandbox;
        assert.deepEqual(await sizeOf(images[0]), [display.width, display.height]);
      }),
    ],
    wrong: [
      wrong('no such mark', { mark: 9999 }, 'not-found', /9999/),
      wrong('a selector that fits nothing', { selector: '.no-such-thing' }, 'not-found', /no-such-thing/),
      wrong('a broken selector', { selector: 'div[' }, 'bad-arguments', /div\[/),
      wrong(
        'a box off the screen',
        { box: { x: 9000, y: 10, width: 10, height: 10 } },
        'bad-arguments',
        /9000|screen/,
      ),
      wrong('two things', { mark: 1, selector: 'div' }, 'bad-arguments', /mark|selector/),
    ],
  },
];
