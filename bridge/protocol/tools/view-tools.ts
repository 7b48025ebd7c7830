import * as z from 'zod';
import { screenBox } from '../screen.ts';
import { formatProblem, toolProblem } from './edit-tools.ts';
import { columnNumber, defineTool, lineNumber, pathArgument, resultPath } from './tool.ts';

const showBase = { family: 'view', where: 'extension', readOnly: false } as const;

/** The argument of every tool that can add a picture of what it shows. */
const pictureArgument = z
  .boolean()
  .default(true)
  .describe('add a picture of the editor area to the result; false: only show it in the IDE');

const besideArgument = z.boolean().default(false).describe('open it beside the active editor, not over it');

/** Shows files, differences and problems. */
const showTools = {
  openFile: defineTool({
    ...showBase,
    name: 'open_file',
    title: 'Open a file',
    description:
      'Opens a file in the IDE with VS Code’s editor for it (text, notebook, image …), optionally at a line and column: the line is scrolled into view and selected up to end_line. Returns a picture of the editor.',
    sources: [],
    pictured: true,
    input: z.strictObject({
      path: pathArgument,
      line: lineNumber.optional().describe('where to go'),
      column: columnNumber.optional().describe('in the line; default 1'),
      end_line: lineNumber.optional().describe('select from line to the end of this one'),
      beside: besideArgument,
      picture: pictureArgument.default(false),
    }),
    output: z.object({
      path: resultPath,
      editor: z.string().max(500).describe('text, notebook, or the name of another editor of VS Code'),
      language: z.string().max(200).nullable().describe("VS Code's id; null if the editor shows no text"),
      line: z.int().nonnegative().describe('of the cursor; 0 where the editor has none'),
      column: z.int().nonnegative(),
      visible: z
        .object({ start_line: lineNumber, end_line: lineNumber })
        .nullable()
        .describe('lines that the editor shows; null if it shows no text'),
      total_lines: z.int().nonnegative(),
    }),
    text: ({ path, editor, line, column: at, visible }) =>
      visible
        ? `${path} is open, cursor at ${line}:${at}, lines ${visible.start_line}-${visible.end_line} shown`
        : `${path} is open in ${editor}`,
  }),
  showDiff: defineTool({
    ...showBase,
    name: 'show_diff',
    title: 'Show differences',
    description:
      'Opens VS Code’s diff editor: the current file (unsaved changes included) on the right, and on the left another file, an earlier version of it, or the last commit. Also returns the differences as a unified diff, and a picture.',
    sources: [],
    pictured: true,
    input: z.strictObject({
      path: pathArgument,
      with: pathArgument.optional().describe('the file on the left'),
      id: z
        .string()
        .regex(/^(?:local:[A-Za-z0-9_.-]{1,250}|git:[A-Za-z0-9_./~^@{}-]{1,250})$/)
        .optional()
        .describe('the earlier version on the left, from list_history; default: git:HEAD'),
      context: z.int().min(0).max(100).default(3).describe('lines around each change of the unified diff'),
      picture: pictureArgument,
    }),
    output: z.object({
      path: resultPath,
      with: z.string().max(8192).describe('what is on the left'),
      same: z.boolean(),
      diff: z.string().max(500_000).describe('empty if they are the same'),
      lines_added: z.int().nonnegative(),
      lines_removed: z.int().nonnegative(),
      truncated: z.boolean().describe('the diff is longer'),
    }),
    text: ({ path, with: other, same, diff }) =>
      `${path} against ${other}\n${same ? 'they are the same' : diff}`,
  }),
  showProblems: defineTool({
    ...showBase,
    name: 'show_problems',
    title: 'Show the Problems view',
    description:
      'Opens the Problems view of the IDE and returns its list, most severe first: what language servers have reported so far. To have files checked now, use get_errors.',
    sources: [],
    input: z.strictObject({
      severity: z
        .enum(['error', 'warning', 'information', 'hint'])
        .default('information')
        .describe('the lowest severity to return; the view itself hides hints'),
      limit: z.int().min(1).max(2000).default(200).describe('maximum number of problems'),
    }),
    output: z.object({
      problems: z.array(toolProblem).max(2000),
      total: z.int().nonnegative(),
      truncated: z.boolean().describe('there are more problems than the limit'),
    }),
    text: ({ problems, total, truncated }) =>
      [`${total} problems${truncated ? ', cut here' : ''}`, ...problems.map(formatProblem)].join('\n'),
  }),
};

const previewBase = { family: 'view', where: 'extension', readOnly: false } as const;
const previewText = z.string().max(10_000);
const percent = z.int().min(25).max(500);

const shownPage = z.object({
  path: z.string().max(8192).describe('of the page, relative to the workspace'),
  title: previewText,
  zoom: percent.describe('percent'),
  width: z.int().nonnegative().describe('pixels that the page needs at 100 percent'),
  height: z.int().nonnegative(),
  errors: z
    .array(previewText)
    .max(50)
    .describe('errors while the page was loaded: of scripts, and missing files'),
});

/** The preview: one tab that shows an HTML page, charts or a diagram. */
const previewTools = {
  previewHtml: defineTool({
    ...previewBase,
    name: 'preview_html',
    title: 'Preview an HTML page',
    description:
      "Shows an HTML file of the workspace as a page in a tab of the IDE, with its styles, scripts and pictures, unsaved changes included. It is loaded again when a file is saved. Returns a picture of it and the page's errors. For a page of a server, use browser_test.",
    sources: [],
    pictured: true,
    input: z.strictObject({
      path: pathArgument,
      zoom: percent.default(100).describe('percent'),
      beside: besideArgument,
      picture: pictureArgument,
      timeout_ms: z
        .int()
        .min(100)
        .max(60_000)
        .default(15_000)
        .describe('maximum milliseconds to load the page'),
    }),
    output: shownPage,
    text: renderShownPage,
  }),
  zoomPreview: defineTool({
    ...previewBase,
    name: 'zoom_preview',
    title: 'Zoom the preview',
    description:
      'Zooms the preview (an HTML page, charts or a diagram): by one step in or out, or to a percentage. The steps are those of a browser.',
    sources: [],
    pictured: true,
    input: z.strictObject({
      to: z.union([z.enum(['in', 'out', 'reset']), percent]).describe('a step, or percent'),
      picture: pictureArgument,
    }),
    output: shownPage,
    text: renderShownPage,
  }),
  previewChart: defineTool({
    ...previewBase,
    name: 'preview_chart',
    title: 'Preview charts of a Python file',
    description:
      'Runs a Python file that draws with Matplotlib, without a display, shows its figures in a tab of the IDE, and returns them as pictures: those that it shows, saves or closes, and those still open at its end. A script that fails is a result, not an error.',
    sources: [],
    input: z.strictObject({
      path: pathArgument,
      arguments: z.array(z.string().max(10_000)).max(100).default([]).describe('of the script'),
      beside: besideArgument,
      timeout_ms: z
        .int()
        .min(1)
        .max(600_000)
        .default(60_000)
        .describe('milliseconds after which the script and its children are killed'),
    }),
    output: z.object({
      path: resultPath,
      status: z.enum(['ok', 'error', 'timed-out']),
      exit_code: z.int().nullable().describe('null if a signal ended it'),
      output: z.string().max(100_000).describe('what it printed, errors included'),
      figures: z
        .array(
          z.object({
            title: previewText.describe('of the figure, or of its first axes'),
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
  previewDiagram: defineTool({
    ...previewBase,
    name: 'preview_diagram',
    title: 'Preview a Mermaid diagram',
    description:
      "Draws a Mermaid diagram (flowchart, sequence, class, state, entity relationship, Gantt …) in a tab of the IDE, as VS Code does in a Markdown preview, and returns a picture of it. If the diagram can't be drawn, the result says why; it is not an error. Nothing is written: put the source into a file to keep it.",
    sources: [{ from: 'IDE-Bench', name: 'create_diagram' }],
    pictured: true,
    input: z.strictObject({
      source: z.string().min(1).max(50_000).describe('Mermaid, without a fence around it'),
      beside: besideArgument,
      picture: pictureArgument,
      timeout_ms: z.int().min(100).max(60_000).default(15_000).describe('maximum milliseconds to draw'),
    }),
    output: z.object({
      drawn: z.boolean(),
      width: z
        .int()
        .nonnegative()
        .describe('size of the whole page in pixels; larger than the tab if it can be scrolled'),
      height: z.int().nonnegative(),
      errors: z.array(previewText).max(50).describe('why it could not be drawn; lines are numbered from 1'),
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

function renderShownPage({ path, title, zoom, width, height, errors }: z.output<typeof shownPage>): string {
  return [
    `${path} ${JSON.stringify(title)} is shown at ${zoom} %, ${width}x${height} pixels`,
    ...errors.map((one) => `error: ${one}`),
  ].join('\n');
}

const pixels = z.int().nonnegative().max(16_384);

/** Pictures: of files, and of the screen. */
const pictureTools = {
  viewImage: defineTool({
    family: 'view',
    where: 'extension',
    readOnly: false,
    name: 'view_image',
    title: 'View an image',
    description:
      'Opens an image file (PNG, JPEG, GIF, WebP, SVG) in the IDE’s image viewer and returns the image itself.',
    sources: [{ from: 'VS Code', name: 'view_image' }],
    input: z.strictObject({ path: pathArgument }),
    output: z.object({
      path: resultPath,
      mime: z.string().max(100),
      bytes: z.int().nonnegative(),
      width: pixels.nullable().describe('pixels; null if the file does not state it'),
      height: pixels.nullable(),
    }),
    text: ({ path, mime, bytes, width, height }) =>
      `${path}: ${mime}, ${bytes} bytes${width === null ? '' : `, ${width}x${height} pixels`}`,
  }),
  screenshotElement: defineTool({
    family: 'view',
    where: 'bridge',
    readOnly: true,
    name: 'screenshot_element',
    title: 'Picture of an element',
    description:
      'Takes a picture of a part of the screen, in full resolution: a mark of the last observation, a match of a CSS selector in the workbench, or a box in screen pixels; by default, the whole screen. Waits until nothing moves there.',
    sources: [],
    input: z.strictObject({
      mark: z.int().positive().optional().describe('number of a mark of the last observation'),
      selector: z
        .string()
        .min(1)
        .max(1000)
        .optional()
        .describe('CSS selector in the workbench, e.g. .part.panel; the first match that is visible'),
      box: z
        .strictObject({ x: pixels, y: pixels, width: pixels.min(1), height: pixels.min(1) })
        .optional()
        .describe('screen pixels'),
      margin: z.int().min(0).max(500).default(0).describe('pixels around it'),
    }),
    output: z.object({
      box: screenBox.describe('the region of the picture, in screen pixels'),
      still: z.boolean().describe('false: it still changed when the picture was taken'),
    }),
    text: ({ box: { x, y, width, height }, still }) =>
      `picture of ${width}x${height} pixels at ${x}, ${y}${still ? '' : '; it still changes'}`,
  }),
};

/** Tools that show something in the IDE: files at a place, differences, problems, pages, pictures. */
export const viewTools = { ...showTools, ...previewTools, ...pictureTools };
