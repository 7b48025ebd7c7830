import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../../lib/index.ts';

/** The system prompt of a kind of agent: a file of `host/agents/prompts`. */
export async function promptOf(kind: string): Promise<string> {
  const path = join(packageFolder(), 'host/agents/prompts', `${kind}.md`);
  return (await readFile(path, 'utf8')).trim();
}
