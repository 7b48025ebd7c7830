import type { AgentFiles } from '../agent-files.ts';
import { failed, type Check } from '../check.ts';
import { readDrawio } from './drawio.ts';
import { matchDiagrams } from './match.ts';

/**
 * A `.drawio` file shows the same as the expected one: the same shapes with the same labels, the same arrows, and
 * roughly the same layout. Colours, sizes and how it is saved don't count. Throws if the expected text isn't a diagram.
 */
export async function diagramMatches(files: AgentFiles, path: string, expected: string): Promise<Check[]> {
  const wanted = readDrawio(expected);
  if ('why' in wanted) throw new Error(`the expected diagram ${wanted.why}`);
  const read = await files.read(path);
  if (read.kind !== 'read') return [failed(path, read.why)];
  const drawn = readDrawio(read.bytes.toString('utf8'));
  if ('why' in drawn) return [failed(path, drawn.why)];
  return matchDiagrams(drawn.diagram, wanted.diagram);
}
