import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { clip } from '../../../../../bridge/lib/index.ts';
import {
  toolError,
  limits,
  type ToolInput,
  type ToolOutput,
  type viewTools,
} from '../../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../../bridge/rpc/index.ts';
import { clipText } from '../../../lib/index.ts';
import { pathText, place } from '../../place/index.ts';
import { mustBeFile } from '../open.ts';
import { showFigures } from '../preview/index.ts';
import { runScript } from './run.ts';

type Chart = typeof viewTools.previewChart;

/** Written by the driver. */
const figureList = z.array(
  z.object({
    title: z.string(),
    width: z.int().positive(),
    height: z.int().positive(),
    axes: z.int().nonnegative(),
  }),
);

export async function previewChart(
  { path, arguments: given, beside, timeout_ms: ms }: ToolInput<Chart>,
  { signal, attach }: ToolContext,
): Promise<ToolOutput<Chart>> {
  const began = performance.now();
  const where = await place(path);
  await mustBeFile(where);
  const name = pathText(where.path);
  const folder = await mkdtemp(join(tmpdir(), 'pwp-figures-'));
  try {
    const { missing, ...run } = await runScript(where.path, given, folder, ms, signal);
    if (missing)
      throw toolError('no-program', 'this Python has no Matplotlib', {
        help: 'Install it, or draw otherwise',
      });
    const all = await readFigures(folder);
    const figures = all.slice(0, limits.toolImages);
    for (const { title, base64 } of figures) attach({ mime: 'image/png', base64, title: clipTitle(title) });
    if (figures.length > 0) await showFigures(name, figures, beside, signal);
    return {
      path: name,
      ...run,
      figures: figures.map(({ title, width, height, axes }) => ({ title, width, height, axes })),
      more_figures: all.length - figures.length,
      duration_ms: performance.now() - began,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Empty if the script ended before it drew, or was killed while a figure was written. */
async function readFigures(folder: string) {
  const text = await readFile(join(folder, 'figures.json'), 'utf8').catch(() => '[]');
  const figures = figureList.parse(JSON.parse(text));
  return Promise.all(
    figures.map(async (facts, at) => {
      // The driver writes no pictures beyond the maximum.
      const bytes = await readFile(join(folder, `${at}.png`)).catch(() => Buffer.alloc(0));
      return { ...facts, title: clipText(facts.title), base64: bytes.toString('base64') };
    }),
  );
}

function clipTitle(title: string): string {
  return title === '' ? 'a figure' : clip(title, 1000);
}
