import { Header } from 'tar';

const block = 512;

/** An archive of one file that only root may read. */
export function tarOfFile(path: string, text: string): Buffer {
  const content = Buffer.from(text);
  const header = Buffer.alloc(block);
  new Header({
    path,
    mode: 0o400,
    uid: 0,
    gid: 0,
    size: content.length,
    type: 'File',
    mtime: new Date(),
  }).encode(header);
  const padding = Buffer.alloc((block - (content.length % block)) % block);
  return Buffer.concat([header, content, padding, Buffer.alloc(2 * block)]);
}
