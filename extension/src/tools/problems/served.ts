import * as vscode from 'vscode';
import { howToAdd, isLayered, isPythonServed, isTypeScript } from '../../language/index.ts';

/** Languages that VS Code's own extensions only check while the file is in a tab. */
const inTabs = ['json', 'jsonc', 'css', 'less', 'scss'];

/** Why nothing in this IDE is known to check a document; undefined if something does, so that waiting makes sense. */
export function whyUnchecked({ languageId, uri }: vscode.TextDocument): string | undefined {
  if (isTypeScript(languageId) || installedFor(languageId)) return undefined;
  if (languageId === 'python' && isPythonServed()) return undefined;
  if (isLayered(languageId)) return undefined;
  if (!inTabs.includes(languageId)) {
    const how = howToAdd(languageId);
    return `no extension here is known to check ${languageId}${how === undefined ? '' : `; ${how}`}`;
  }
  return hasTab(uri) ? undefined : `${languageId} is only checked in a file that has a tab`;
}

/**
 * Two servers publish diagnostics for these, VS Code's own for JSON and TypeScript's, and neither can be asked: after one
 * has reported, the other's may still be about the earlier text.
 */
export function whyUncertain({ uri }: vscode.TextDocument): string | undefined {
  const isConfiguration = /\/[tj]sconfig[^/]*\.json$/.test(uri.path);
  return isConfiguration
    ? "TypeScript's server also checks this file, and may not have reported yet"
    : undefined;
}

function hasTab(uri: vscode.Uri): boolean {
  const shown = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
  return shown.some(
    (input) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
  );
}

/** An installed extension that activates for this language. */
function installedFor(language: string): boolean {
  return vscode.extensions.all.some(({ packageJSON }) => {
    const { isBuiltin, main, activationEvents } = packageJSON as Manifest;
    return (
      isBuiltin !== true &&
      main !== undefined &&
      activationEvents?.includes(`onLanguage:${language}`) === true
    );
  });
}

interface Manifest {
  readonly isBuiltin?: boolean;
  readonly main?: string;
  readonly activationEvents?: readonly string[];
}
