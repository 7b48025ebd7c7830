import * as vscode from 'vscode';
import * as z from 'zod';
import { PwpError, deadline, raceSignal } from '../../../../../bridge/lib/index.ts';
import { clipText } from '../../../state/clip.ts';
import { frameHtml } from './frame.ts';

const answer = z.union([
  z.object({ ready: z.literal(true) }),
  z.object({
    number: z.int(),
    title: z.string(),
    width: z.number(),
    height: z.number(),
    errors: z.array(z.string()).max(50),
  }),
]);
export type Shown = Omit<Extract<z.output<typeof answer>, { number: number }>, 'number'>;

/** What to show, made anew each time. */
export interface Preview {
  /** For the tab. */
  readonly name: string;
  readonly kind: 'page' | 'figures';
  /** @param resource address of a file or folder of the workspace, as the tab can load it */
  content(resource: (uri: vscode.Uri) => string): Promise<string>;
}

/** The preview's tab, while it is open. */
export class PreviewPanel implements vscode.Disposable {
  #panel: vscode.WebviewPanel | undefined;
  #ready: Promise<void> = Promise.resolve();
  #preview: Preview | undefined;
  #zoom = 100;
  #number = 0;
  readonly #waiting = new Map<number, (shown: Shown) => void>();

  /** Percent; undefined where there is no preview. */
  get zoom(): number | undefined {
    return this.#panel && this.#zoom;
  }

  get name(): string | undefined {
    return this.#panel && this.#preview?.name;
  }

  /** Resolves when it is drawn. Errors: `timeout`. */
  async show(
    preview: Preview,
    { zoom, beside, ms }: { zoom: number; beside: boolean; ms: number },
    signal: AbortSignal,
  ): Promise<Shown> {
    using limit = deadline(`the preview of ${preview.name}`, ms, signal);
    const panel = this.#open(beside);
    panel.title = `Preview ${preview.name}`;
    this.#preview = preview;
    this.#zoom = zoom;
    await raceSignal(this.#ready, limit.signal);
    return await this.#send(await this.#message(panel, preview), limit.signal);
  }

  /** Shows the same in another size. */
  async zoomTo(zoom: number, signal: AbortSignal): Promise<Shown> {
    this.#zoom = zoom;
    this.#panel?.reveal(undefined, true);
    await raceSignal(this.#ready, signal);
    return this.#send({ zoom }, signal);
  }

  /** Shows it as it is by now; a file that can't be read any longer stays as it was. */
  async reload(): Promise<void> {
    const panel = this.#panel;
    if (!panel || this.#preview?.kind !== 'page') return;
    const message = await this.#message(panel, this.#preview).catch(() => undefined);
    if (message) await panel.webview.postMessage({ ...message, number: ++this.#number });
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  async #message(panel: vscode.WebviewPanel, { kind, content }: Preview) {
    const resource = (uri: vscode.Uri) => panel.webview.asWebviewUri(uri).toString();
    return { kind, content: await content(resource), zoom: this.#zoom };
  }

  async #send(message: object, signal: AbortSignal): Promise<Shown> {
    const panel = this.#panel;
    if (!panel) throw new PwpError('preview-closed', 'the preview was closed');
    const number = ++this.#number;
    const shown = new Promise<Shown>((resolve) => this.#waiting.set(number, resolve));
    try {
      await panel.webview.postMessage({ ...message, number });
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
    const roots = vscode.workspace.workspaceFolders?.map(({ uri }) => uri) ?? [];
    const panel = vscode.window.createWebviewPanel('pwp.preview', 'Preview', column, {
      enableScripts: true,
      // What was shown is there again when its tab is, and zooming a hidden one is answered.
      retainContextWhenHidden: true,
      localResourceRoots: roots,
    });
    this.#panel = panel;
    let ready: () => void = () => undefined;
    this.#ready = new Promise((resolve) => (ready = resolve));
    panel.webview.onDidReceiveMessage((message: unknown) => this.#hear(message, ready));
    panel.onDidDispose(() => {
      if (this.#panel === panel) this.#panel = undefined;
    });
    panel.webview.html = frameHtml;
    return panel;
  }

  /** The page that is shown could send such messages itself: they are only ever told on. */
  #hear(message: unknown, ready: () => void): void {
    const { data } = answer.safeParse(message);
    if (!data) return;
    if ('ready' in data) {
      ready();
      return;
    }
    const size = (pixels: number) => Math.max(0, Math.round(pixels));
    this.#waiting.get(data.number)?.({
      title: clipText(data.title),
      width: size(data.width),
      height: size(data.height),
      errors: data.errors.map(clipText),
    });
  }
}
