import { link, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeEpisode } from './episode-fixture.ts';
import type { MadeUpAttempt } from './made-up-courses.ts';
import { attemptFolder, madeUpAttempts, writeMadeUpStudy } from './made-up-study.ts';
import { marks, workbenchPng } from './record-fixture.ts';
import type { Scene } from './workbench-svg.ts';

const code = ['def area(width, height):', '    return width * height', '', 'print(area(2, 3))'];
const scenes: readonly Scene[] = [
  { tab: 'a.py', code, line: 0 },
  { tab: 'a.py', code: code.slice(0, 2), line: 1 },
  { tab: 'b.py', code: ['import a', '', 'a.area(1, 1)'], line: 2 },
  { tab: 'c.py', code: ['# nothing here'], line: 0 },
  { tab: 'a.py', code: [...code, 'print(area(3, 4))'], dirty: true, line: 4 },
  { tab: 'a.py', code, terminal: ['root@sandbox:/workspace# ls', 'a.py  b.py  c.py'] },
];

/** The attempts with pictures: those with planted failure modes, and one that acts by pixels. */
export function hasFrames({ family, agent, task, number }: MadeUpAttempt): boolean {
  return (
    family === 'alpha' && ((agent === 'ace' && task === 8) || (agent === 'mid' && task === 4 && number < 3))
  );
}

/**
 * A folder for `pwp view`: the families alpha and beta of the made-up study in `first`, with pictures for
 * {@link hasFrames}, and a single record in `runs/one`. One of the study's attempts is not over.
 */
export async function writeViewedFolder(folder: string): Promise<void> {
  const isOver = ({ family }: MadeUpAttempt) => family === 'alpha' || family === 'beta';
  const study = join(folder, 'first');
  await writeMadeUpStudy(study, { isOver });
  const pictures = await Promise.all(scenes.map(workbenchPng));
  const kept = join(folder, '.pictures');
  await mkdir(kept);
  for (const [i, png] of pictures.entries()) await writeFile(join(kept, `${i}.png`), png);
  for (const attempt of madeUpAttempts().filter(hasFrames)) {
    const frames = join(study, attemptFolder(attempt), 'try-1', 'frames');
    await mkdir(frames);
    for (let i = 0; i < 24; i += 1) {
      const name = join(frames, String(i).padStart(4, '0'));
      await link(join(kept, `${i % scenes.length}.png`), `${name}.png`);
      await writeFile(`${name}-marks.json`, JSON.stringify(marks));
    }
  }
  await writeEpisode(join(folder, 'runs', 'one'));
}
