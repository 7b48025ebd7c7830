import { viewTools } from '../../../../bridge/protocol/index.ts';
import type { ToolHandlers } from '../../../../bridge/rpc/index.ts';
import type { WindowFacts } from '../window.ts';
import { previewChart } from './chart/index.ts';
import { showDiff } from './diff.ts';
import { viewImage } from './image.ts';
import { openFile } from './open.ts';
import { previewDiagram, previewHtml, zoomPreview } from './preview/index.ts';
import { showProblems } from './problems.ts';

export { registerPreview } from './preview/index.ts';

/** Adds the tools that show something. */
export function addView(handlers: ToolHandlers, { profile }: WindowFacts): ToolHandlers {
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
