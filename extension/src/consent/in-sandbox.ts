import { realpathSync } from 'node:fs';

/** The path of this extension in a sandbox's image, where it is part of VS Code itself. */
const placeInImage = '/opt/pwp/extension';

/**
 * Whether this extension is the one of a sandbox's image. There, everything that tools change is the agent's, so no
 * consent is needed. Its path decides, which a person's window can't have by accident: VS Code installs extensions into
 * folders of their user, while environment variables are inherited by any program that is started.
 * @param extensionPath where VS Code loaded it from
 */
export function isInSandbox(extensionPath: string): boolean {
  try {
    return realpathSync(extensionPath) === placeInImage;
  } catch {
    return false;
  }
}
