import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from './cli.ts';

/** A fenced block of the README. */
export interface Block {
  /** The fence's info string, e.g. `sh`; may be empty. */
  readonly language: string;
  readonly lines: readonly string[];
}

/** The blocks of one section of the README, in order. @param title the section's heading, without its `#` */
export async function blocksOf(title: string): Promise<readonly Block[]> {
  const text = await readFile(join(projectFolder, 'README.md'), 'utf8');
  const [, section] = text.split(`\n## ${title}\n`);
  if (section === undefined) throw new Error(`README.md has no section ${title}`);
  const [own = ''] = section.split(/\n## /, 1);
  return [...own.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(([, language = '', body = '']) => ({
    language,
    lines: body.split('\n').filter((line) => line !== ''),
  }));
}
