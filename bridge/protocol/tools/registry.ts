import { dataTools } from './data.ts';
import { debugTools } from './debug.ts';
import type { Tool } from './descriptor.ts';
import { fileTools } from './files.ts';
import { historyTools } from './history.ts';
import { ideTools } from './ide.ts';
import { profileTools } from './profile.ts';
import { refactorTools } from './refactor.ts';
import { runTools } from './run.ts';
import { searchTools } from './search.ts';
import { viewTools } from './view.ts';

const families: readonly Readonly<Record<string, Tool>>[] = [
  fileTools,
  searchTools,
  refactorTools,
  runTools,
  debugTools,
  historyTools,
  viewTools,
  dataTools,
  profileTools,
  ideTools,
];

/** Every tool, family by family. */
export const tools: readonly Tool[] = families.flatMap((family) => Object.values(family));

const byName: ReadonlyMap<string, Tool> = new Map(tools.map((tool) => [tool.name, tool]));

/** The tool of this name, or undefined. */
export function findTool(name: string): Tool | undefined {
  return byName.get(name);
}
