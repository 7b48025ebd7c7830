import { Writable } from 'node:stream';

/**
 * Lets the program end as usual when the reader of its output has ended, as in `pwp tools | head`: it finishes its work,
 * and the rest of the output is lost.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
}

/**
 * Reserves standard output for a protocol: from now on, everything else that this program or a library prints goes to
 * standard error. A failed write ends the stream with an error, as usual.
 */
export function takeStdout(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  const taken = new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _, done) => void write(chunk, done),
  });
  stdout.on('error', (error: Error) => taken.destroy(error));
  return taken;
}
