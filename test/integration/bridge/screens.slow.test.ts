import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Box, DomObservation, Mark } from '../../../bridge/protocol/index.ts';
import { annotate } from '../../../host/ide/index.ts';
import { evaluate } from '../../support/devtools.ts';
import { openLocal } from '../../support/each-node.ts';
import { Ide } from '../../support/ide-sandbox.ts';
import { boxesAt, layersAt } from '../../support/page-scripts.ts';
import { screens } from '../../support/screens/index.ts';
import { frame, prepare, type Screen } from '../../support/screens/screen.ts';
import { workspace } from '../../support/screens/workspace.ts';
import { slowIt } from '../../support/slow.ts';

/** If set to a folder, the picture with marks of every screen is written there for inspection. */
const pictures = process.env['PWP_TEST_PICTURES'];

/** Elements drawn in layers that take the mouse for each other: the topmost element is not the mark's own. */
const layered: Readonly<Record<string, string>> = {
  line: '.view-line',
  'sticky line': '.sticky-line-content',
  gutter: '.margin-view-overlays > div',
  'terminal line': '.xterm-rows > div',
  minimap: '.minimap',
};

/** The screens that `npm test` checks. */
const quick = ['editor and explorer'];

describe('marks compared with the page', () => {
  let ide: Ide;
  before(async () => {
    ide = await Ide.start(openLocal, workspace);
    await prepare(ide);
  });
  after(() => ide[Symbol.asyncDispose]());

  for (const [name, screen] of Object.entries(screens)) {
    const one = quick.includes(name) ? it : slowIt;
    one(`have all that a person would click: ${name}`, async () => {
      await using closing = new AsyncDisposableStack();
      closing.defer(async () => screen.close?.(ide));
      await screen.open(ide);
      const expected = [...(screen.modal ? [] : frame), ...screen.shown];
      // A searched list is drawn again when more is found, which may be late on a busy machine.
      await ide.until(`all of ${name}`, ({ marks }) =>
        missingIn(marks, expected).length === 0 ? true : undefined,
      );
      const seen = await ide.observeStill();
      await keepPicture(name, seen);
      assert.deepEqual(missingIn(seen.marks, expected), [], list(seen.marks));
      assert.deepEqual(seen.unread, []);
      assert.equal(seen.truncated, false);
      if (!screen.nested) await checkCentres(seen.marks);
    });
  }

  /** Asks the browser: at the centre of every mark is its element, or something inside it. */
  async function checkCentres(marks: readonly Mark[]): Promise<void> {
    const isLayered = ({ role }: Mark) => role in layered;
    const plain = marks.filter((mark) => !isLayered(mark));
    assert.deepEqual(await missed(plain, `${boxesAt}(${centres(plain)})`), []);
    const rest = marks.filter(isLayered);
    const selectors = JSON.stringify(rest.map(({ role }) => layered[role]));
    assert.deepEqual(await missed(rest, `${layersAt}(${centres(rest)}, ${selectors})`), []);
  }

  /** Marks whose own element is not among those that the script reports at their centre. */
  async function missed(marks: readonly Mark[], script: string): Promise<Mark[]> {
    const found = (await evaluate(ide.sandbox, script)) as Box[][];
    return marks.filter(({ box }, i) => !(found[i] ?? []).some((one) => holds(one, box)));
  }

  async function keepPicture(name: string, { marks }: DomObservation): Promise<void> {
    if (pictures === undefined) return;
    const screen = await ide.sandbox.capture({ signal: AbortSignal.timeout(20_000) });
    mkdirSync(pictures, { recursive: true });
    writeFileSync(
      join(pictures, `${name.replaceAll(/\W+/g, '-')}.png`),
      (await annotate(screen, marks)).bytes,
    );
  }
});

function missingIn(marks: readonly Mark[], expected: Screen['shown']): Screen['shown'] {
  return expected.filter(
    ([role, pattern]) => !marks.some((mark) => mark.role === role && pattern.test(mark.name)),
  );
}

function centres(marks: readonly Mark[]): string {
  return JSON.stringify(marks.map(({ box }) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 })));
}

/** Whether a mark shows an element of this box, or a part of it. Page coordinates are rounded to whole pixels. */
function holds(outer: Box, inner: Box): boolean {
  const slack = 1.01;
  const within =
    inner.x >= outer.x - slack &&
    inner.y >= outer.y - slack &&
    inner.x + inner.width <= outer.x + outer.width + slack &&
    inner.y + inner.height <= outer.y + outer.height + slack;
  // The page itself holds everything; an element is about as large as its mark, or cut off at one side.
  const near = (one: number, other: number) => Math.abs(one - other) <= slack;
  const edges = [
    near(inner.x, outer.x),
    near(inner.y, outer.y),
    near(inner.x + inner.width, outer.x + outer.width),
    near(inner.y + inner.height, outer.y + outer.height),
  ];
  return within && edges.filter(Boolean).length >= 2;
}

function list(marks: readonly Mark[]): string {
  return marks.map(({ role, name }) => `${role} ${name}`).join('\n');
}
