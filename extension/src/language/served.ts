import * as vscode from 'vscode';
import { isPythonServed, pythonExtension } from './python.ts';

/** VS Code's own extensions that activate for a language but only handle special files of it. */
const special = ['vscode.configuration-editing', 'vscode.extension-editing', 'vscode.npm', 'vscode.emmet'];

/**
 * Extensions with a program that activate for a language. VS Code does not report which extension answers which question:
 * this is the closest approximation.
 */
export function serversOf(language: string): vscode.Extension<unknown>[] {
  return vscode.extensions.all.filter(({ id, packageJSON }) => {
    const { main, browser, activationEvents } = packageJSON as Manifest;
    if ((main === undefined && browser === undefined) || special.includes(id)) return false;
    if (id === pythonExtension && !isPythonServed()) return false;
    return activationEvents?.includes(`onLanguage:${language}`) === true;
  });
}

export function isServed(language: string): boolean {
  return serversOf(language).length > 0;
}

/** Whether it is a language of VS Code's own TypeScript extension. */
export function isTypeScript(language: string): boolean {
  return ['typescript', 'typescriptreact', 'javascript', 'javascriptreact'].includes(language);
}

interface Manifest {
  readonly main?: string;
  readonly browser?: string;
  readonly activationEvents?: readonly string[];
}
