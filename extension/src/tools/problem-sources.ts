import * as vscode from 'vscode';
import { raceSignal } from '../../../bridge/lib/index.ts';
import type { ToolProblem } from '../../../bridge/protocol/index.ts';
import {
  awaitLanguageServers,
  howToAdd,
  isLayered,
  isPythonServed,
  isTypeScript,
  readProjectsAgain,
} from '../language/index.ts';
import { clipText } from '../lib/index.ts';
import { formatPath } from './workspace-place.ts';

const problemSeverities = ['error', 'warning', 'information', 'hint'] as const;

export function describeProblem(uri: vscode.Uri, diagnostic: vscode.Diagnostic): ToolProblem {
  const { range, severity, message, source, code } = diagnostic;
  const codeValue = typeof code === 'object' ? code.value : code;
  return {
    path: formatPath(uri.fsPath),
    severity: problemSeverities[severity] ?? 'error',
    line: range.start.line + 1,
    column: range.start.character + 1,
    end_line: range.end.line + 1,
    end_column: range.end.character + 1,
    message: clipText(message),
    ...(source !== undefined && { source: clipText(source) }),
    ...(codeValue !== undefined && { code: clipText(String(codeValue)) }),
  };
}

/** The published problems of a file, most severe first. */
export function readPublishedProblems(uri: vscode.Uri): ToolProblem[] {
  return sortProblems(vscode.languages.getDiagnostics(uri).map((one) => describeProblem(uri, one)));
}

export function sortProblems(problems: readonly ToolProblem[]): ToolProblem[] {
  const rank = ({ severity }: ToolProblem) => problemSeverities.indexOf(severity);
  return [...problems].sort((a, b) => rank(a) - rank(b) || a.line - b.line || a.column - b.column);
}

/** Languages that VS Code's own extensions only check while the file is in a tab. */
const languagesCheckedInTabs = ['json', 'jsonc', 'css', 'less', 'scss'];

/** Why nothing in this IDE is known to check a document; undefined if something does, so that waiting makes sense. */
export function explainUnchecked({ languageId, uri }: vscode.TextDocument): string | undefined {
  if (isTypeScript(languageId) || hasInstalledChecker(languageId)) return undefined;
  if (languageId === 'python' && isPythonServed()) return undefined;
  if (isLayered(languageId)) return undefined;
  if (!languagesCheckedInTabs.includes(languageId)) {
    const how = howToAdd(languageId);
    return `no extension here is known to check ${languageId}${how === undefined ? '' : `; ${how}`}`;
  }
  return hasTab(uri) ? undefined : `${languageId} is only checked in a file that has a tab`;
}

/**
 * Two servers publish diagnostics for these, VS Code's own for JSON and TypeScript's, and neither can be asked: after one
 * has reported, the other's may still be about the earlier text.
 */
export function explainUncertain({ uri }: vscode.TextDocument): string | undefined {
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
function hasInstalledChecker(language: string): boolean {
  return vscode.extensions.all.some(({ packageJSON }) => {
    const { isBuiltin, main, activationEvents } = packageJSON as CheckerManifest;
    return (
      isBuiltin !== true &&
      main !== undefined &&
      activationEvents?.includes(`onLanguage:${language}`) === true
    );
  });
}

interface CheckerManifest {
  readonly isBuiltin?: boolean;
  readonly main?: string;
  readonly activationEvents?: readonly string[];
}

/** Answers of TypeScript's server, in its own protocol: both numbers of a place count from 1. */
interface TsDiagnostic {
  readonly start: { readonly line: number; readonly offset: number };
  readonly end: { readonly line: number; readonly offset: number };
  readonly text: string;
  readonly code?: number;
  readonly category: string;
}

/**
 * Asks TypeScript's server about the current text: unlike published diagnostics, the answer is known to be about it.
 * Undefined if the language is not TypeScript's, or if the server doesn't answer such questions.
 */
export async function askTypeScript(
  document: vscode.TextDocument,
  signal: AbortSignal,
): Promise<ToolProblem[] | undefined> {
  if (!isTypeScript(document.languageId)) return undefined;
  await awaitLanguageServers(document, signal);
  await readProjectsAgain();
  const kinds = document.languageId.startsWith('typescript')
    ? (['syntacticDiagnosticsSync', 'semanticDiagnosticsSync'] as const)
    : (['syntacticDiagnosticsSync'] as const);
  const answers = await Promise.all(kinds.map((kind) => askForDiagnostics(kind, document.uri, signal)));
  if (answers.some((answer) => answer === undefined)) return undefined;
  return answers.flatMap((answer) => answer ?? []).map((one) => describeTypeScriptProblem(document.uri, one));
}

async function askForDiagnostics(
  kind: string,
  file: vscode.Uri,
  signal: AbortSignal,
): Promise<readonly TsDiagnostic[] | undefined> {
  const asked = vscode.commands.executeCommand('typescript.tsserverRequest', kind, { file });
  const answer = (await raceSignal(Promise.resolve(asked), signal)) as
    { readonly type?: string; readonly body?: unknown } | undefined;
  return answer?.type === 'response' && Array.isArray(answer.body)
    ? (answer.body as readonly TsDiagnostic[])
    : undefined;
}

function describeTypeScriptProblem(
  uri: vscode.Uri,
  { start, end, text, code, category }: TsDiagnostic,
): ToolProblem {
  const severity =
    category === 'error' || category === 'warning'
      ? category
      : category === 'suggestion'
        ? 'hint'
        : 'information';
  return {
    path: formatPath(uri.fsPath),
    severity,
    line: start.line,
    column: start.offset,
    end_line: end.line,
    end_column: end.offset,
    message: clipText(text),
    source: 'ts',
    ...(code !== undefined && { code: String(code) }),
  };
}
