import { once } from 'node:events';
import { Parser } from 'tar';
import type { TaskSeed } from '../../../tasks/index.ts';
import type { TestText } from './left-out.ts';

/** The files of one place, as text. */
export async function textsIn(seeds: readonly TaskSeed[], place: string): Promise<TestText[]> {
  const own = seeds.filter(({ path }) => path === place);
  return (await Promise.all(own.map(({ tar }) => textsOf(tar, place.slice(1))))).flat();
}

async function textsOf(tar: Uint8Array, folder: string): Promise<TestText[]> {
  const found: TestText[] = [];
  const parser = new Parser({
    strict: true,
    onReadEntry: (entry) => {
      const chunks: Buffer[] = [];
      entry.on('data', (chunk: Buffer) => chunks.push(chunk));
      entry.on('end', () => {
        if (entry.type === 'File')
          found.push({ path: `${folder}/${entry.path}`, text: Buffer.concat(chunks).toString('utf8') });
      });
    },
  });
  const ended = once(parser, 'end');
  parser.end(Buffer.from(tar));
  await ended;
  return found;
}
