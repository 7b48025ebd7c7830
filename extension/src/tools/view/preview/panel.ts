import * as vscode from 'vscode';
import * as z from 'zod';
import { PwpError, deadline, raceSignal } from '../../../../../bridge/lib/index.ts';
import { clipText } from '../../../lib/index.ts';
import { diagramScripts } from './diagram.ts';
import { preparedPage } from './page.ts';

const answer = z.object({
  number: z.int(),
  title: z.string(),
  width: z.number(),
  height: z.number(),
  errors: z.array(z.string()).max(50),
});
export type Shown = Omit<z.output<typeof answer>, 'number'>;

/** The content to show. */
export interface Preview {
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
export class PreviewPanel implements vscode.Disposable {
  #panel: vscode.WebviewPanel | undefined;
  #preview: Preview | undefined;
  #zoom = 100;
  #number = 0;
  readonly #waiting = new Map<number, (shown: Shown) => void>();

  /** Percent; undefined if there is no preview. */
  get zoom(): number | undefined {
    return this.#panel && this.#zoom;
  }

  get name(): string | undefined {
    return this.#panel && this.#preview?.name;
  }

  /** Resolves when it is drawn. Errors: `timeout`, and those of reading the page, before a tab is opened for it. */
  async show(
    preview: Preview,
    { zoom, beside, ms }: { zoom: number; beside: boolean; ms: number },
    signal: AbortSignal,
  ): Promise<Shown> {
    using limit = deadline(`the preview of ${preview.name}`, ms, signal);
    const html = await preview.html();
    const panel = this.#open(beside);
    panel.title = `Preview ${preview.name}`;
    this.#preview = preview;
    this.#zoom = zoom;
    return await this.#answered((number) => this.#load(panel, preview, html, number), limit.signal);
  }

  /** Shows the same content at another zoom. Errors: `preview-closed`. */
  async zoomTo(zoom: number, signal: AbortSignal): Promise<Shown> {
    const panel = this.#panel;
    if (!panel) throw new PwpError('preview-closed', 'the preview was closed');
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
    if (html !== undefined && this.#preview === preview) this.#load(panel, preview, html, ++this.#number);
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  #load({ webview }: vscode.WebviewPanel, { folder, drawn }: Preview, html: string, number: number): void {
    const base = `${webview.asWebviewUri(folder).toString()}/`;
    webview.html = preparedPage(html, base, { number, zoom: this.#zoom }, drawn);
  }

  async #answered(ask: (number: number) => void, signal: AbortSignal): Promise<Shown> {
    const number = ++this.#number;
    const shown = new Promise<Shown>((resolve) => this.#waiting.set(number, resolve));
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
    const scripts = diagramScripts();
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
    const { data } = answer.safeParse(message);
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
