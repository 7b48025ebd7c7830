import type { AgentFiles } from '../agent-files.ts';
import { failed, passed, type Check } from '../check.ts';
import { readDrawio } from './drawio.ts';
import { matchDiagrams } from './match.ts';

/**
 * A `.drawio` file shows what the expected one shows: the same shapes with the same labels, the same arrows, and
 * roughly the same layout. Colours, sizes and how it is saved don't count. Throws where the expected text is no diagram.
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

/**
 * How alike two pictures are by CLIP. Its weights are not part of the sandbox in which tests run, so this says that it is
 * unavailable and doesn't count, neither for nor against: never as a likeness of zero.
 */
export function clipSimilarity(): Check {
  return passed('CLIP similarity', 'unavailable: its weights are not at hand; not counted');
}
