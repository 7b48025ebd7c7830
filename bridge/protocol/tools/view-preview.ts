import * as z from 'zod';
import { tool } from './descriptor.ts';
import { pathIn, pathOut } from './shared.ts';
import { beside, picture } from './view-show.ts';

const base = { family: 'view', where: 'extension', readOnly: false } as const;
const text = z.string().max(10_000);
const percent = z.int().min(25).max(500);

const shownPage = z.object({
  path: z.string().max(8192).describe('of the page, relative to the workspace'),
  title: text,
  zoom: percent.describe('percent'),
  width: z.int().nonnegative().describe('pixels that the page needs at 100 percent'),
  height: z.int().nonnegative(),
  errors: z.array(text).max(50).describe('errors while the page was loaded: of scripts, and missing files'),
});

/** The preview: one tab that shows an HTML page, charts or a diagram. */
export const previewTools = {
  previewHtml: tool({
    ...base,
    name: 'preview_html',
    title: 'Preview an HTML page',
    description:
      "Shows an HTML file of the workspace as a page in a tab of the IDE, with its styles, scripts and pictures, unsaved changes included. It is loaded again when a file is saved. Returns a picture of it and the page's errors. For a page of a server, use browser_test.",
    sources: [],
    pictured: true,
    input: z.strictObject({
      path: pathIn,
      zoom: percent.default(100).describe('percent'),
      beside,
      picture,
      timeout_ms: z
        .int()
        .min(100)
        .max(60_000)
        .default(15_000)
        .describe('maximum milliseconds to load the page'),
    }),
    output: shownPage,
    text: pageText,
  }),
  zoomPreview: tool({
    ...base,
    name: 'zoom_preview',
    title: 'Zoom the preview',
    description:
      'Zooms the preview (an HTML page, charts or a diagram): by one step in or out, or to a percentage. The steps are those of a browser.',
    sources: [],
    pictured: true,
    input: z.strictObject({
      to: z.union([z.enum(['in', 'out', 'reset']), percent]).describe('a step, or percent'),
      picture,
    }),
    output: shownPage,
    text: pageText,
  }),
  previewChart: tool({
    ...base,
    name: 'preview_chart',
    title: 'Preview charts of a Python file',
    description:
      'Runs a Python file that draws with Matplotlib, without a display, shows its figures in a tab of the IDE, and returns them as pictures: those that it shows, saves or closes, and those still open at its end. A script that fails is a result, not an error.',
    sources: [],
    input: z.strictObject({
      path: pathIn,
      arguments: z.array(z.string().max(10_000)).max(100).default([]).describe('of the script'),
      beside,
      timeout_ms: z
        .int()
        .min(1)
        .max(600_000)
        .default(60_000)
        .describe('milliseconds after which the script and its children are killed'),
    }),
    output: z.object({
      path: pathOut,
      status: z.enum(['ok', 'error', 'timed-out']),
      exit_code: z.int().nullable().describe('null if a signal ended it'),
      output: z.string().max(100_000).describe('what it printed, errors included'),
      figures: z
        .array(
          z.object({
            title: text.describe('of the figure, or of its first axes'),
            width: z.int().positive().describe('pixels'),
            height: z.int().positive(),
            axes: z.int().nonnegative(),
          }),
        )
        .max(10),
      more_figures: z.int().nonnegative().describe('number of figures that were left out'),
      truncated: z.boolean().describe('the output is longer; its middle is left out'),
      duration_ms: z.number().nonnegative(),
    }),
    text: ({ status, exit_code: code, figures, output }) =>
      [
        `${status}${code === null ? '' : `, exit code ${code}`}: ${figures.length} figures`,
        ...figures.map(
          ({ title, width, height, axes }, at) => `${at} ${width}x${height}, ${axes} axes: ${title}`,
        ),
        ...(output === '' ? [] : [output]),
      ].join('\n'),
    effect: ({ status, figures }) => ({
      effect: figures.length === 0 ? 'no-effect' : status === 'ok' ? 'confirmed' : 'partial',
      evidence: `the script ended: ${status}; ${figures.length} figures are shown`,
    }),
  }),
  previewDiagram: tool({
    ...base,
    name: 'preview_diagram',
    title: 'Preview a Mermaid diagram',
    description:
      "Draws a Mermaid diagram (flowchart, sequence, class, state, entity relationship, Gantt …) in a tab of the IDE, as VS Code does in a Markdown preview, and returns a picture of it. If the diagram can't be drawn, the result says why; it is not an error. Nothing is written: put the source into a file to keep it.",
    sources: [{ from: 'IDE-Bench', name: 'create_diagram' }],
    pictured: true,
    input: z.strictObject({
      source: z.string().min(1).max(50_000).describe('Mermaid, without a fence around it'),
      beside,
      picture,
      timeout_ms: z.int().min(100).max(60_000).default(15_000).describe('maximum milliseconds to draw'),
    }),
    output: z.object({
      drawn: z.boolean(),
      width: z
        .int()
        .nonnegative()
        .describe('size of the whole page in pixels; larger than the tab if it can be scrolled'),
      height: z.int().nonnegative(),
      errors: z.array(text).max(50).describe('why it could not be drawn; lines are numbered from 1'),
    }),
    text: ({ drawn, width, height, errors }) =>
      [drawn ? `drawn on a page of ${width}x${height} pixels` : 'not drawn', ...errors].join('\n'),
    effect: ({ drawn, errors }) => ({
      effect: drawn ? 'confirmed' : 'no-effect',
      evidence: drawn
        ? 'the diagram is shown'
        : `the diagram can not be drawn: ${errors[0] ?? 'no reason given'}`,
    }),
  }),
};

function pageText({ path, title, zoom, width, height, errors }: z.output<typeof shownPage>): string {
  return [
    `${path} ${JSON.stringify(title)} is shown at ${zoom} %, ${width}x${height} pixels`,
    ...errors.map((one) => `error: ${one}`),
  ].join('\n');
}
