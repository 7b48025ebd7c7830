import { once } from 'node:events';
import { Parser } from 'tar';

export interface Unpacked {
  readonly text: string;
  readonly mode: number;
  readonly link: string | undefined;
}

/** The content of a tar, by path. */
export async function readArchive(
  tar: Uint8Array | AsyncIterable<Uint8Array>,
): Promise<Map<string, Unpacked>> {
  const found = new Map<string, Unpacked>();
  const parser = new Parser({
    strict: true,
    onReadEntry: (entry) => {
      const chunks: Buffer[] = [];
      entry.on('data', (chunk: Buffer) => chunks.push(chunk));
      entry.on('end', () => {
        found.set(entry.path, {
          text: Buffer.concat(chunks).toString(),
          mode: entry.mode ?? 0,
          link: entry.linkpath,
        });
      });
    },
  });
  const ended = once(parser, 'end');
  for await (const part of tar instanceof Uint8Array ? [tar] : tar) parser.write(Buffer.from(part));
  parser.end();
  await ended;
  return found;
}
