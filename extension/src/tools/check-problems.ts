import * as vscode from 'vscode';
import { deadline, describeError, raceSignal } from '../../../bridge/lib/index.ts';
import type { EditProblems, ToolProblem } from '../../../bridge/protocol/index.ts';
import { activatePython, isLayered, isTypeScript, layeredLanguage } from '../language/index.ts';
import {
  askTypeScript,
  describeProblem,
  explainUncertain,
  explainUnchecked,
  readPublishedProblems,
  sortProblems,
} from './problem-sources.ts';
import type { ReportedProblems } from './window-facts.ts';

/** The diagnostics of a file, and how far they can be trusted. */
export interface CheckedProblems {
  readonly problems: readonly ToolProblem[];
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
  check(document: vscode.TextDocument, ms: number, signal: AbortSignal): Promise<CheckedProblems>;
}

/**
 * The diagnostics of a document that is about to be changed; undefined if nothing is known of them.
 * @param known VS Code had the document before, so published diagnostics are about it
 */
export async function readProblemsBefore(
  document: vscode.TextDocument,
  known: boolean,
  ms: number,
  signal: AbortSignal,
): Promise<readonly ToolProblem[] | undefined> {
  if (explainUnchecked(document) !== undefined) return readPublishedProblems(document.uri);
  using limit = deadline('the report of the language server', ms, signal);
  try {
    const asked = await askChecker(document, limit.signal);
    if (asked) return [...asked, ...readOtherProblems(document.uri)];
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
  return known ? readPublishedProblems(document.uri) : undefined;
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
    check: (document, ms, signal) => checkDocument(document, { ms, next }, signal),
    [Symbol.dispose]: () => void listening.dispose(),
  };
}

async function checkDocument(
  document: vscode.TextDocument,
  { ms, next }: { ms: number; next: () => Promise<void> },
  signal: AbortSignal,
): Promise<CheckedProblems> {
  const { uri, version } = document;
  const seen = (state: CheckedProblems['state'], why: string): CheckedProblems => ({
    problems: readPublishedProblems(uri),
    state,
    why,
    version,
  });
  const unchecked = explainUnchecked(document);
  if (unchecked !== undefined) return seen('none', unchecked);
  using limit = deadline('the report of the language server', ms, signal);
  try {
    const asked = await askChecker(document, limit.signal);
    if (asked)
      return { problems: [...asked, ...readOtherProblems(uri)], ...describeAnswered(document, version) };
    await raceSignal(next(), limit.signal);
    const uncertain = explainUncertain(document);
    if (uncertain !== undefined) return seen('stale', uncertain);
    return seen(
      document.version === version ? 'fresh' : 'stale',
      'the language server reported them after the change',
    );
  } catch (error) {
    if (signal.aborted) throw error;
    return seen('stale', describeError(error));
  }
}

/** Diagnostics of servers that can be asked, unlike those that only publish; undefined for other languages. */
async function askChecker(
  document: vscode.TextDocument,
  signal: AbortSignal,
): Promise<ToolProblem[] | undefined> {
  const layered = await layeredLanguage(document.languageId);
  // Its published diagnostics are among those of all others.
  if (layered) return raceSignal(layered.check(document), signal).then(() => []);
  if (document.languageId !== 'python') return askTypeScript(document, signal);
  const served = await activatePython();
  if (!served) return undefined;
  const diagnostics = await raceSignal(served.diagnose(document), signal);
  return diagnostics?.map((one) => describeProblem(document.uri, one));
}

function describeAnswered(
  document: vscode.TextDocument,
  version: number,
): Pick<CheckedProblems, 'state' | 'why' | 'version'> {
  if (document.version === version)
    return { state: 'fresh', why: 'the language server was asked about this text', version };
  return { state: 'stale', why: 'the text changed while the language server was asked', version };
}

/** Diagnostics of other checkers, beside those of the servers that were asked. */
function readOtherProblems(uri: vscode.Uri): ToolProblem[] {
  return readPublishedProblems(uri).filter(
    ({ source, severity }) => source !== 'Pyright' && (source !== 'ts' || severity === 'hint'),
  );
}

/**
 * The diagnostics of the current text. TypeScript's server is asked; others are waited for, unless they have already
 * reported on this text.
 * @param ms gives up after this many milliseconds, and reports them as stale
 */
export async function readCurrentProblems(
  document: vscode.TextDocument,
  reported: ReportedProblems,
  ms: number,
  signal: AbortSignal,
): Promise<CheckedProblems> {
  const { uri, version, languageId } = document;
  using watch = watchProblems(uri);
  // These servers are asked, or report themselves which text their diagnostics are about.
  const asked = isTypeScript(languageId) || languageId === 'python' || isLayered(languageId);
  const checked = explainUnchecked(document) === undefined && explainUncertain(document) === undefined;
  const known = !asked && checked && reported.about(uri);
  // Awaited here: the watch ends with this function.
  if (!known) return await watch.check(document, ms, signal);
  const why = 'the language server reported them after the last change of the text';
  return { problems: readPublishedProblems(uri), state: 'fresh', why, version };
}

/** Maximum length of each list in an answer. */
const maxListed = 100;

/**
 * Compares problems before and after an edit. Lines move with every edit, so problems with the same message and kind
 * count as the same.
 * @param before undefined if nothing was known
 */
export function compareProblems(
  before: readonly ToolProblem[] | undefined,
  after: CheckedProblems,
): EditProblems {
  const left = new Map<string, ToolProblem[]>();
  for (const one of before ?? [])
    left.set(makeProblemKey(one), [...(left.get(makeProblemKey(one)) ?? []), one]);
  const appeared = after.problems.filter((one) => left.get(makeProblemKey(one))?.pop() === undefined);
  const gone = [...left.values()].flat();
  return {
    state: after.state,
    why: after.why,
    document_version: after.version,
    compared: before !== undefined,
    appeared: sortProblems(appeared).slice(0, maxListed),
    gone: sortProblems(gone).slice(0, maxListed),
    remaining: after.problems.length - appeared.length,
    omitted: Math.max(0, appeared.length - maxListed) + Math.max(0, gone.length - maxListed),
  };
}

function makeProblemKey({ severity, message, source, code }: ToolProblem): string {
  return JSON.stringify([severity, message, source, code]);
}
