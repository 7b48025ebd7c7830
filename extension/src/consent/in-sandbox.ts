import { realpathSync } from 'node:fs';

/** Where the image of a sandbox has this extension, as a part of VS Code itself. */
const placeInImage = '/opt/pwp/extension';

/**
 * Whether this extension is the one of a sandbox's image: there all that tools change is the agent's, and nobody is asked.
 * The place is what a person's window can't have by accident: VS Code installs extensions into folders of their user,
 * and variables of the environment are inherited by whatever is started.
 * @param extensionPath where VS Code loaded it from
 */
export function isInSandbox(extensionPath: string): boolean {
  try {
    return realpathSync(extensionPath) === placeInImage;
  } catch {
    return false;
  }
}
