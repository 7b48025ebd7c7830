import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { deadline, raceSignal, readImageFacts } from '../../../../bridge/lib/index.ts';
import {
  limits,
  toolError,
  type ToolInput,
  type ToolOutput,
  viewTools,
} from '../../../../bridge/protocol/index.ts';
import type { ToolContext, ToolHandlers } from '../../../../bridge/rpc/index.ts';
import { clip } from '../../../../bridge/text/index.ts';
import { loadText, readFileBytes } from '../file-text.ts';
import { formatUnifiedDiff, readFormerText } from '../history/index.ts';
import { describeProblem, sortProblems } from '../problem-sources.ts';
import type { WindowFacts } from '../window-facts.ts';
import { formatPath, resolvePlace, type WorkspacePlace } from '../workspace-place.ts';
import { openEditor, openFile, requireFile } from './open-file.ts';
import { previewChart } from './preview-chart.ts';
import { previewDiagram, previewHtml, zoomPreview } from './preview-tools.ts';

/** Adds the tools that show something. */
export function addViewTools(handlers: ToolHandlers, { profile }: WindowFacts): ToolHandlers {
  return handlers
    .add(viewTools.openFile, openFile)
    .add(viewTools.showDiff, (input, context) => showDiff(input, context, profile))
    .add(viewTools.showProblems, showProblems)
    .add(viewTools.previewHtml, previewHtml)
    .add(viewTools.zoomPreview, zoomPreview)
    .add(viewTools.previewChart, previewChart)
    .add(viewTools.previewDiagram, previewDiagram)
    .add(viewTools.viewImage, viewImage);
}

type Diff = typeof viewTools.showDiff;

/** UTF-16 code units of an answer; the descriptor has the same bound. */
const maxDiffTextLength = 500_000;
/** Maximum time for the diff editor to open, in milliseconds. */
const diffOpenMs = 20_000;

interface Side {
  readonly uri: vscode.Uri;
  readonly text: string;
  readonly name: string;
}

async function showDiff(
  input: ToolInput<Diff>,
  { signal }: ToolContext,
  profile: vscode.Uri,
): Promise<ToolOutput<Diff>> {
  const where = await resolvePlace(input.path);
  const { text: after } = await loadText(where);
  const left = await makeLeftSide(input, where, profile);
  const name = formatPath(where.path);
  using limit = deadline('the diff editor', diffOpenMs, signal);
  const title = `${left.name} ↔ ${name}`;
  const opened = vscode.commands.executeCommand('vscode.diff', left.uri, where.uri, title, {
    preview: false,
  });
  await raceSignal(Promise.resolve(opened), limit.signal);
  const { text, added, removed } = formatUnifiedDiff(left.text, after, {
    from: left.name,
    to: name,
    context: input.context,
  });
  return {
    path: name,
    with: left.name,
    same: left.text === after,
    diff: clip(text, maxDiffTextLength),
    lines_added: added,
    lines_removed: removed,
    truncated: text.length > maxDiffTextLength,
  };
}

async function makeLeftSide(
  input: ToolInput<Diff>,
  where: WorkspacePlace,
  profile: vscode.Uri,
): Promise<Side> {
  if (input.with !== undefined) {
    if (input.id !== undefined) throw toolError('bad-arguments', 'give one of with and id');
    const other = await resolvePlace(input.with);
    return { uri: other.uri, text: (await loadText(other)).text, name: formatPath(other.path) };
  }
  const id = input.id ?? 'git:HEAD';
  const text = await readFormerText(where, id, profile);
  return {
    uri: makeFormerUri(`${basename(where.path)}`, text),
    text,
    name: `${formatPath(where.path)} (${id})`,
  };
}

const formerScheme = 'pwp-former';
/** Texts that are kept for the diff editors that show them. */
const maxFormerTexts = 50;

const formerTexts = new Map<string, string>();
let isFormerRegistered = false;

/**
 * The URI of a read-only document with this text.
 * @param name for its tab, and for VS Code to detect its language
 */
function makeFormerUri(name: string, text: string): vscode.Uri {
  if (!isFormerRegistered) {
    // Once per extension host; VS Code forgets it when that ends.
    vscode.workspace.registerTextDocumentContentProvider(formerScheme, {
      provideTextDocumentContent: ({ authority }) => formerTexts.get(authority) ?? '',
    });
    isFormerRegistered = true;
  }
  const key = createHash('sha256').update(text).digest('hex').slice(0, 32);
  formerTexts.delete(key);
  formerTexts.set(key, text);
  for (const old of formerTexts.keys()) if (formerTexts.size > maxFormerTexts) formerTexts.delete(old);
  return vscode.Uri.from({ scheme: formerScheme, authority: key, path: `/${name}` });
}

type ViewImage = typeof viewTools.viewImage;

/** The view type of VS Code's own media preview. */
const imageViewer = 'imagePreview.previewEditor';

async function viewImage(
  { path }: ToolInput<ViewImage>,
  { signal, attach }: ToolContext,
): Promise<ToolOutput<ViewImage>> {
  const where = await resolvePlace(path);
  await requireFile(where);
  const name = formatPath(where.path);
  const { bytes } = await readFileBytes(where.real, name);
  const facts = readImageFacts(bytes);
  if (!facts)
    throw toolError('not-an-image', `${name} is not a PNG, JPEG, GIF, WebP or SVG image, despite its name`);
  const base64 = Buffer.from(bytes).toString('base64');
  if (base64.length > limits.toolImage)
    throw toolError('too-large', `${name} has ${bytes.length} bytes, more than an answer can hold`, {
      help: 'Make a smaller copy of it, or open it with open_file and take a picture of that',
    });
  await openEditor(where, false, signal, imageViewer);
  attach({ mime: facts.mime, base64, title: name });
  return { path: name, bytes: bytes.length, ...facts };
}

type ShowProblems = typeof viewTools.showProblems;

const severityNames = ['error', 'warning', 'information', 'hint'] as const;
/** Maximum time for the view to open, in milliseconds. */
const problemsOpenMs = 20_000;

async function showProblems(
  { severity, limit }: ToolInput<ShowProblems>,
  { signal }: ToolContext,
): Promise<ToolOutput<ShowProblems>> {
  using within = deadline('the Problems view', problemsOpenMs, signal);
  const opened = vscode.commands.executeCommand('workbench.panel.markers.view.focus');
  await raceSignal(Promise.resolve(opened), within.signal);
  const wanted = severityNames.slice(0, severityNames.indexOf(severity) + 1);
  const all = vscode.languages
    .getDiagnostics()
    .flatMap(([uri, found]) => found.map((one) => describeProblem(uri, one)))
    .filter((one) => wanted.includes(one.severity));
  const problems = sortProblems(all).slice(0, limit);
  return { problems, total: all.length, truncated: all.length > limit };
}
