import type { AgentFiles, Found } from './agent-files.ts';
import { failed, passed, show, type Check } from './check.ts';

/** A file holds exactly these bytes; says where the first difference is. */
export async function bytesEqual(files: AgentFiles, path: string, expected: Uint8Array): Promise<Check> {
  const read = await files.read(path, Math.max(2 * expected.byteLength, 1024 * 1024));
  if (read.kind !== 'read') return failed(path, read.why);
  if (Buffer.compare(read.bytes, expected) === 0)
    return passed(path, `has the ${expected.byteLength} bytes expected`);
  return failed(path, difference(read.bytes, Buffer.from(expected)));
}

/** Something of this kind is still at a path: what was to be hidden was not deleted. */
export async function stillThere(files: AgentFiles, path: string, kind: Found): Promise<Check> {
  const found = await files.find(path);
  return found === kind ? passed(path, `is a ${kind}`) : failed(path, `expected a ${kind}, found ${found}`);
}

/** Every occurrence of two words replaced by the other at once. */
export function swapWords(text: string, first: string, second: string): string {
  return text
    .split(first)
    .map((part) => part.replaceAll(second, first))
    .join(second);
}

function difference(found: Buffer, expected: Buffer): string {
  if (found.includes('\r\n') && !expected.includes('\r\n')) return 'has lines that end in CR LF';
  // Latin 1 keeps every byte apart; what is shown is read as UTF-8.
  const [foundLines, expectedLines] = [found, expected].map((bytes) => bytes.toString('latin1').split('\n'));
  const lines = Math.max(foundLines?.length ?? 0, expectedLines?.length ?? 0);
  const at = Array.from({ length: lines }).findIndex(
    (_, index) => foundLines?.[index] !== expectedLines?.[index],
  );
  return `line ${at + 1}: expected ${showLine(expectedLines?.[at])}, found ${showLine(foundLines?.[at])}`;
}

function showLine(line: string | undefined): string {
  return line === undefined ? 'the end of the file' : show(Buffer.from(line, 'latin1').toString('utf8'));
}
