import { dirname } from 'node:path';
import * as vscode from 'vscode';
import {
  toolError,
  type ToolInput,
  type ToolOutput,
  type viewTools,
} from '../../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../../bridge/rpc/index.ts';
import { pathText, place } from '../../place/index.ts';
import { loadText } from '../../text/index.ts';
import { diagramDrawn, diagramPage, diagramScripts } from './diagram.ts';
import { figuresPage } from './page.ts';
import { PreviewPanel, type Shown } from './panel.ts';
import { nextZoom } from './zoom.ts';

type Html = typeof viewTools.previewHtml;
type Zoom = typeof viewTools.zoomPreview;
type Diagram = typeof viewTools.previewDiagram;

/** Maximum time to zoom, in milliseconds. */
const zoomMs = 10_000;

/** The one tab that previews are shown in. */
const panel = new PreviewPanel();

/** Handles the preview's buttons, and reloads it when files are saved. */
export function registerPreview(): vscode.Disposable {
  const step = (to: 'in' | 'out' | 'reset') => async () => {
    if (panel.zoom !== undefined) await panel.zoomTo(nextZoom(panel.zoom, to), AbortSignal.timeout(zoomMs));
  };
  return vscode.Disposable.from(
    vscode.commands.registerCommand('pwp.previewZoomIn', step('in')),
    vscode.commands.registerCommand('pwp.previewZoomOut', step('out')),
    vscode.commands.registerCommand('pwp.previewZoomReset', step('reset')),
    vscode.workspace.onDidSaveTextDocument(() => void panel.reload()),
    panel,
  );
}

export async function previewHtml(
  { path, zoom, beside, timeout_ms: ms }: ToolInput<Html>,
  { signal }: ToolContext,
): Promise<ToolOutput<Html>> {
  const where = await place(path);
  const name = pathText(where.path);
  const folder = vscode.Uri.file(dirname(where.path));
  const html = async () => (await loadText(where)).text;
  return result(name, zoom, await panel.show({ name, folder, html }, { zoom, beside, ms }, signal));
}

export async function zoomPreview(
  { to }: ToolInput<Zoom>,
  { signal }: ToolContext,
): Promise<ToolOutput<Zoom>> {
  const { zoom, name } = panel;
  if (zoom === undefined || name === undefined)
    throw toolError('not-found', 'there is no preview', {
      help: 'Open one with preview_html, preview_chart or preview_diagram',
    });
  const wanted = nextZoom(zoom, to);
  return result(
    name,
    wanted,
    await panel.zoomTo(wanted, AbortSignal.any([signal, AbortSignal.timeout(zoomMs)])),
  );
}

export async function previewDiagram(
  { source, beside, timeout_ms: ms }: ToolInput<Diagram>,
  { signal }: ToolContext,
): Promise<ToolOutput<Diagram>> {
  const folder = diagramScripts();
  if (!folder)
    throw toolError('no-program', 'this VS Code has no extension that draws Mermaid', {
      help: 'Write the diagram into a Markdown file',
    });
  const html = () => Promise.resolve(diagramPage(source));
  const preview = { name: 'diagram', folder, html, drawn: diagramDrawn };
  const { width, height, errors } = await panel.show(preview, { zoom: 100, beside, ms }, signal);
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
  const html = () => Promise.resolve(figuresPage(sources));
  const folder = vscode.Uri.file('/');
  await panel.show({ name, folder, html }, { zoom: 100, beside, ms: 15_000 }, signal);
}

function result(path: string, zoom: number, { title, width, height, errors }: Shown): ToolOutput<Html> {
  return { path, title, zoom, width, height, errors };
}
