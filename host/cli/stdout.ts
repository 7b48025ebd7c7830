import { Writable } from 'node:stream';

/**
 * Reserves standard output for a protocol: from now on, everything else that this program or a library prints goes to
 * standard error. Bytes that fail to be written end the stream with an error, as usual.
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
