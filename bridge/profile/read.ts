import { clip } from '../lib/index.ts';
import { readCpuProfile } from './cpuprofile.ts';
import { readFolded } from './folded.ts';
import { badProfile, type Profile } from './model.ts';
import { readFlameGraph } from './svg.ts';

/**
 * Reads a profile in the format of its text, regardless of the file's name.
 * Errors: `bad-profile`, with the expectation and the place.
 */
export function readProfile(text: string): Profile {
  const start = clip(text, 4096).trimStart();
  if (start === '') throw badProfile('the file is empty');
  if (start.startsWith('{')) return readCpuProfile(text);
  if (start.startsWith('<')) return readFlameGraph(text);
  return readFolded(text);
}
