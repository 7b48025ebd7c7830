import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** What a user types to run this program: `pwp` if it is on the PATH, else `npx pwp`. */
export const programName = isInstalled(process.env) ? 'pwp' : 'npx pwp';

/** npx and npm scripts put their own folders on the PATH, which the user's shell does not have. */
function isInstalled({ PATH = '' }: NodeJS.ProcessEnv): boolean {
  return PATH.split(delimiter).some(
    (folder) => folder !== '' && !/[/\\]node_modules[/\\]/.test(folder) && existsSync(join(folder, 'pwp')),
  );
}

/** Writes commands in one of our texts, such as `pwp up <folder>`, as the user has to type them. */
export function asTyped(text: string, name = programName): string {
  return text.replaceAll(/(?<!npx |[\w/.-])pwp(?= (?:--help|<command>|[a-z][\w-]*))/g, name);
}
