import type * as vscode from 'vscode';
import { isLayered, isTypeScript } from '../../language/index.ts';
import { problemsOf } from './problem.ts';
import { whyUncertain, whyUnchecked } from './served.ts';
import type { ReportedProblems } from './reported.ts';
import { watchProblems, type Checked } from './watch.ts';

/**
 * The diagnostics of the current text. TypeScript's server is asked; others are waited for, unless they have already
 * reported on this text.
 * @param ms gives up after this many milliseconds, and reports them as stale
 */
export async function currentProblems(
  document: vscode.TextDocument,
  reported: ReportedProblems,
  ms: number,
  signal: AbortSignal,
): Promise<Checked> {
  const { uri, version, languageId } = document;
  using watch = watchProblems(uri);
  // These servers are asked, or report themselves which text their diagnostics are about.
  const asked = isTypeScript(languageId) || languageId === 'python' || isLayered(languageId);
  const checked = whyUnchecked(document) === undefined && whyUncertain(document) === undefined;
  const known = !asked && checked && reported.about(uri);
  // Awaited here: the watch ends with this function.
  if (!known) return await watch.check(document, ms, signal);
  const why = 'the language server reported them after the last change of the text';
  return { problems: problemsOf(uri), state: 'fresh', why, version };
}
