import { clip } from '../lib/index.ts';
import { readCpuProfile } from './cpuprofile.ts';
import { readFolded } from './folded.ts';
import { badProfile, type Profile } from './model.ts';
import { readFlameGraph } from './svg.ts';

/**
 * Reads a profile by what the text is, not by the file's name.
 * Errors: `bad-profile`, with what was expected and where.
 */
export function readProfile(text: string): Profile {
  const start = clip(text, 4096).trimStart();
  if (start === '') throw badProfile('the file is empty');
  if (start.startsWith('{')) return readCpuProfile(text);
  if (start.startsWith('<')) return readFlameGraph(text);
  return readFolded(text);
}
