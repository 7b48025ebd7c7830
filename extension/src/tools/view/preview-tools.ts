import { dirname } from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import { deadline, PwpError, raceSignal } from '../../../../bridge/lib/index.ts';
import {
  toolError,
  type ToolInput,
  type ToolOutput,
  type viewTools,
} from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { clipText } from '../../lib/index.ts';
import { loadText } from '../file-text.ts';
import { formatPath, resolvePlace } from '../workspace-place.ts';
import { chooseNextZoom, fillPage, preparePage } from './preview-page.ts';

const pageAnswerSchema = z.object({
  number: z.int(),
  title: z.string(),
  width: z.number(),
  height: z.number(),
  errors: z.array(z.string()).max(50),
});
type ShownPage = Omit<z.output<typeof pageAnswerSchema>, 'number'>;

/** The content to show. */
interface PreviewContent {
  /** The title of the tab. */
  readonly name: string;
  /** The folders of files that the page refers to. */
  readonly folder: vscode.Uri;
  /** The window event that marks the page as complete; default: `load`. */
  readonly drawn?: string;
  /** HTML; read again each time. */
  html(): Promise<string>;
}

/** The preview's tab, while it is open. */
class PreviewPanel implements vscode.Disposable {
  #panel: vscode.WebviewPanel | undefined;
  #preview: PreviewContent | undefined;
  #zoom = 100;
  #number = 0;
  readonly #waiting = new Map<number, (shown: ShownPage) => void>();

  /** Percent; undefined if there is no preview. */
  get zoom(): number | undefined {
    return this.#panel && this.#zoom;
  }

  get name(): string | undefined {
    return this.#panel && this.#preview?.name;
  }

  /** Resolves when it is drawn. Errors: `timeout`, and those of reading the page, before a tab is opened for it. */
  async show(
    preview: PreviewContent,
    { zoom, beside, ms }: { zoom: number; beside: boolean; ms: number },
    signal: AbortSignal,
  ): Promise<ShownPage> {
    using limit = deadline(`the preview of ${preview.name}`, ms, signal);
    const [head, html] = [await readOwnPage('head'), await preview.html()];
    const panel = this.#open(beside);
    panel.title = `Preview ${preview.name}`;
    this.#preview = preview;
    this.#zoom = zoom;
    const load = (number: number) => this.#load(panel, preview, { head, html }, number);
    return await this.#answered(load, limit.signal);
  }

  /** Shows the same content at another zoom. Errors: `not-open`. */
  async zoomTo(zoom: number, signal: AbortSignal): Promise<ShownPage> {
    const panel = this.#panel;
    if (!panel) throw new PwpError('not-open', 'the preview was closed');
    this.#zoom = zoom;
    // A hidden tab is not drawn.
    panel.reveal(undefined, true);
    return this.#answered((number) => void panel.webview.postMessage({ number, zoom }), signal);
  }

  /** Shows its current content; a page that can no longer be read stays as it was. */
  async reload(): Promise<void> {
    const [panel, preview] = [this.#panel, this.#preview];
    if (!panel || !preview) return;
    const html = await preview.html().catch(() => undefined);
    const head = await readOwnPage('head');
    if (html !== undefined && this.#preview === preview)
      this.#load(panel, preview, { head, html }, ++this.#number);
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  #load(
    { webview }: vscode.WebviewPanel,
    { folder, drawn }: PreviewContent,
    { head, html }: { readonly head: string; readonly html: string },
    number: number,
  ): void {
    const base = `${webview.asWebviewUri(folder).toString()}/`;
    webview.html = preparePage(head, html, base, { number, zoom: this.#zoom }, drawn);
  }

  async #answered(ask: (number: number) => void, signal: AbortSignal): Promise<ShownPage> {
    const number = ++this.#number;
    const shown = new Promise<ShownPage>((resolve) => this.#waiting.set(number, resolve));
    try {
      ask(number);
      return await raceSignal(shown, signal);
    } finally {
      this.#waiting.delete(number);
    }
  }

  #open(beside: boolean): vscode.WebviewPanel {
    const column = beside ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
    if (this.#panel) {
      this.#panel.reveal(beside ? this.#panel.viewColumn : column);
      return this.#panel;
    }
    const folders = vscode.workspace.workspaceFolders?.map(({ uri }) => uri) ?? [];
    const scripts = findDiagramScripts();
    const panel = vscode.window.createWebviewPanel('pwp.preview', 'Preview', column, {
      enableScripts: true,
      // The content and its scroll position are kept while the tab is hidden.
      retainContextWhenHidden: true,
      localResourceRoots: scripts ? [...folders, scripts] : folders,
    });
    this.#panel = panel;
    panel.webview.onDidReceiveMessage((message: unknown) => this.#receive(message));
    panel.onDidChangeViewState(() => reportActive(panel.active));
    panel.onDidDispose(() => {
      if (this.#panel === panel) this.#panel = undefined;
      reportActive(false);
    });
    reportActive(panel.active);
    return panel;
  }

  /** The page could send such messages itself: they are only ever passed on. */
  #receive(message: unknown): void {
    const { data } = pageAnswerSchema.safeParse(message);
    if (!data) return;
    const size = (pixels: number) => Math.max(0, Math.round(pixels));
    this.#waiting.get(data.number)?.({
      title: clipText(data.title),
      width: size(data.width),
      height: size(data.height),
      errors: data.errors.map(clipText),
    });
  }
}

/**
 * For the buttons of the tab. VS Code's own `activeWebviewPanelId` is lost if another webview editor, such as the image
 * viewer, was active before.
 */
function reportActive(active: boolean): void {
  void vscode.commands.executeCommand('setContext', 'pwp.previewActive', active);
}

/** The script of VS Code's own Mermaid extension that draws in Markdown previews. */
const diagramScript = 'index.js';

/** The folder of that script; undefined if this VS Code does not have it. */
function findDiagramScripts(): vscode.Uri | undefined {
  const mermaid = vscode.extensions.getExtension('vscode.mermaid-markdown-features');
  return mermaid && vscode.Uri.joinPath(mermaid.extensionUri, 'markdown-preview-out');
}

/** The window event of a diagram's page after the diagram was drawn, or could not be drawn. */
const diagramDrawnEvent = 'pwp-diagram';

/** Options of VS Code's script: always the light theme, since the page is white, and no buttons over the diagram. */
const diagramOptions = {
  lightModeTheme: 'default',
  darkModeTheme: 'default',
  showControls: 'never',
  resizable: false,
};

/**
 * A page that shows a Mermaid diagram. VS Code's script for Markdown previews draws it: the script looks for `.mermaid`,
 * and for its options in `#markdown-mermaid`, and rejects if a diagram can't be drawn. Its folder is that of
 * `findDiagramScripts`.
 */
async function makeDiagramPage(source: string): Promise<string> {
  const values = { source, options: diagramOptions, drawn: diagramDrawnEvent, script: diagramScript };
  return fillPage(await readOwnPage('diagram'), values);
}

/** A page of this extension's `media/preview`. */
async function readOwnPage(name: 'head' | 'figures' | 'diagram'): Promise<string> {
  const own = vscode.extensions.getExtension('pwp.programming-with-pixels');
  if (!own) throw new PwpError('internal', 'this extension is being removed');
  const file = vscode.Uri.joinPath(own.extensionUri, 'media', 'preview', `${name}.html`);
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
}

type PreviewHtml = typeof viewTools.previewHtml;
type ZoomPreview = typeof viewTools.zoomPreview;
type PreviewDiagram = typeof viewTools.previewDiagram;

/** Maximum time to zoom, in milliseconds. */
const zoomMs = 10_000;

/** The one tab that previews are shown in. */
const previewPanel = new PreviewPanel();

/** Handles the preview's buttons, and reloads it when files are saved. */
export function registerPreview(): vscode.Disposable {
  const step = (to: 'in' | 'out' | 'reset') => async () => {
    if (previewPanel.zoom !== undefined)
      await previewPanel.zoomTo(chooseNextZoom(previewPanel.zoom, to), AbortSignal.timeout(zoomMs));
  };
  return vscode.Disposable.from(
    vscode.commands.registerCommand('pwp.previewZoomIn', step('in')),
    vscode.commands.registerCommand('pwp.previewZoomOut', step('out')),
    vscode.commands.registerCommand('pwp.previewZoomReset', step('reset')),
    vscode.workspace.onDidSaveTextDocument(() => void previewPanel.reload()),
    previewPanel,
  );
}

export async function previewHtml(
  { path, zoom, beside, timeout_ms: ms }: ToolInput<PreviewHtml>,
  { signal }: ToolContext,
): Promise<ToolOutput<PreviewHtml>> {
  const where = await resolvePlace(path);
  const name = formatPath(where.path);
  const folder = vscode.Uri.file(dirname(where.path));
  const html = async () => (await loadText(where)).text;
  return describePreview(
    name,
    zoom,
    await previewPanel.show({ name, folder, html }, { zoom, beside, ms }, signal),
  );
}

export async function zoomPreview(
  { to }: ToolInput<ZoomPreview>,
  { signal }: ToolContext,
): Promise<ToolOutput<ZoomPreview>> {
  const { zoom, name } = previewPanel;
  if (zoom === undefined || name === undefined)
    throw toolError('not-found', 'there is no preview', {
      help: 'Open one with preview_html, preview_chart or preview_diagram',
    });
  const wanted = chooseNextZoom(zoom, to);
  return describePreview(
    name,
    wanted,
    await previewPanel.zoomTo(wanted, AbortSignal.any([signal, AbortSignal.timeout(zoomMs)])),
  );
}

export async function previewDiagram(
  { source, beside, timeout_ms: ms }: ToolInput<PreviewDiagram>,
  { signal }: ToolContext,
): Promise<ToolOutput<PreviewDiagram>> {
  const folder = findDiagramScripts();
  if (!folder)
    throw toolError('no-program', 'this VS Code has no extension that draws Mermaid', {
      help: 'Write the diagram into a Markdown file',
    });
  const html = () => makeDiagramPage(source);
  const preview = { name: 'diagram', folder, html, drawn: diagramDrawnEvent };
  const { width, height, errors } = await previewPanel.show(preview, { zoom: 100, beside, ms }, signal);
  // Only Mermaid's own message matters, not how the page received it.
  const reasons = errors.map((one) => one.replace(/^unhandled: (?:\w*Error: )?/, ''));
  return { drawn: reasons.length === 0, width, height, errors: reasons };
}

/** Shows figures in the preview's tab. @param figures PNGs as base64 */
export async function showFigures(
  name: string,
  figures: readonly { readonly title: string; readonly base64: string }[],
  beside: boolean,
  signal: AbortSignal,
): Promise<void> {
  const sources = figures.map(({ title, base64 }) => ({ title, source: `data:image/png;base64,${base64}` }));
  const html = async () => fillPage(await readOwnPage('figures'), { figures: sources });
  const folder = vscode.Uri.file('/');
  await previewPanel.show({ name, folder, html }, { zoom: 100, beside, ms: 15_000 }, signal);
}

function describePreview(
  path: string,
  zoom: number,
  { title, width, height, errors }: ShownPage,
): ToolOutput<PreviewHtml> {
  return { path, title, zoom, width, height, errors };
}
