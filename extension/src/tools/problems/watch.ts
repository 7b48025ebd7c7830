import * as vscode from 'vscode';
import { deadline, messageOf, raceSignal } from '../../../../bridge/lib/index.ts';
import { layeredLanguage, python } from '../../language/index.ts';
import type { Problem } from '../../../../bridge/protocol/index.ts';
import { plainProblem, problemsOf } from './problem.ts';
import { whyUncertain, whyUnchecked } from './served.ts';
import { askTypeScript } from './typescript.ts';

/** The diagnostics of a file, and how far they can be trusted. */
export interface Checked {
  readonly problems: readonly Problem[];
  readonly state: 'fresh' | 'stale' | 'none';
  readonly why: string;
  readonly version: number | null;
}

/** Follows the diagnostics of one file from before a change. Dispose it. */
export interface ProblemWatch extends Disposable {
  /**
   * The diagnostics of the current text. Waits for reports of the language server, never for a fixed time.
   * @param ms gives up after this many milliseconds, and reports them as stale
   */
  check(document: vscode.TextDocument, ms: number, signal: AbortSignal): Promise<Checked>;
}

/**
 * The diagnostics of a document that is about to be changed; undefined if nothing is known of them.
 * @param known VS Code had the document before, so published diagnostics are about it
 */
export async function problemsBefore(
  document: vscode.TextDocument,
  known: boolean,
  ms: number,
  signal: AbortSignal,
): Promise<readonly Problem[] | undefined> {
  if (whyUnchecked(document) !== undefined) return problemsOf(document.uri);
  using limit = deadline('the report of the language server', ms, signal);
  try {
    const asked = await ask(document, limit.signal);
    if (asked) return [...asked, ...byOthers(document.uri)];
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
  return known ? problemsOf(document.uri) : undefined;
}

/** Begins to listen: make the change after this. */
export function watchProblems(uri: vscode.Uri): ProblemWatch {
  const reports = new EventTarget();
  let reported = false;
  const listening = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
    if (!uris.some((one) => one.toString() === uri.toString())) return;
    reported = true;
    reports.dispatchEvent(new Event('reported'));
  });
  const next = () =>
    reported
      ? Promise.resolve()
      : new Promise<void>((resolve) => reports.addEventListener('reported', () => resolve(), { once: true }));
  return {
    check: (document, ms, signal) => check(document, { ms, next }, signal),
    [Symbol.dispose]: () => void listening.dispose(),
  };
}

async function check(
  document: vscode.TextDocument,
  { ms, next }: { ms: number; next: () => Promise<void> },
  signal: AbortSignal,
): Promise<Checked> {
  const { uri, version } = document;
  const seen = (state: Checked['state'], why: string): Checked => ({
    problems: problemsOf(uri),
    state,
    why,
    version,
  });
  const unchecked = whyUnchecked(document);
  if (unchecked !== undefined) return seen('none', unchecked);
  using limit = deadline('the report of the language server', ms, signal);
  try {
    const asked = await ask(document, limit.signal);
    if (asked) return { problems: [...asked, ...byOthers(uri)], ...answered(document, version) };
    await raceSignal(next(), limit.signal);
    const uncertain = whyUncertain(document);
    if (uncertain !== undefined) return seen('stale', uncertain);
    return seen(
      document.version === version ? 'fresh' : 'stale',
      'the language server reported them after the change',
    );
  } catch (error) {
    if (signal.aborted) throw error;
    return seen('stale', messageOf(error));
  }
}

/** Diagnostics of servers that can be asked, unlike those that only publish; undefined for other languages. */
async function ask(document: vscode.TextDocument, signal: AbortSignal): Promise<Problem[] | undefined> {
  const layered = await layeredLanguage(document.languageId);
  // Its published diagnostics are among those of all others.
  if (layered) return raceSignal(layered.check(document), signal).then(() => []);
  if (document.languageId !== 'python') return askTypeScript(document, signal);
  const served = await python();
  if (!served) return undefined;
  const diagnostics = await raceSignal(served.diagnose(document), signal);
  return diagnostics?.map((one) => plainProblem(document.uri, one));
}

function answered(
  document: vscode.TextDocument,
  version: number,
): Pick<Checked, 'state' | 'why' | 'version'> {
  if (document.version === version)
    return { state: 'fresh', why: 'the language server was asked about this text', version };
  return { state: 'stale', why: 'the text changed while the language server was asked', version };
}

/** Diagnostics of other checkers, beside those of the servers that were asked. */
function byOthers(uri: vscode.Uri): Problem[] {
  return problemsOf(uri).filter(
    ({ source, severity }) => source !== 'Pyright' && (source !== 'ts' || severity === 'hint'),
  );
}
