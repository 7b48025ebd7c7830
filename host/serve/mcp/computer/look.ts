import * as z from 'zod';
import { observationText, pageText, pointerText, seenText, type PageText } from '../../../env/index.ts';
import { image, text } from '../content.ts';
import { pictureOf, pictureWanted } from './answer.ts';
import { lookingTool } from './descriptor.ts';

const meta = (number: number) => ({ 'pwp/observation': number });

/** The tools that show the screen and change nothing. */
export const lookingTools = [
  lookingTool({
    name: 'computer_screenshot',
    title: 'Screenshot',
    description:
      'Returns the current screen of the IDE as an image in screen pixels. With marks, every useful element is drawn in with its number and listed with its role and name: click elements by number instead of guessing coordinates.',
    fields: {
      marks: z.boolean().default(false).describe('draw the marks in, and list them'),
    },
    async look({ marks }, { session, signal }) {
      const observation = await session.observe({ signal });
      const pictures = await pictureOf(observation, marks ? 'marks' : 'screen');
      return { content: [text(seenText(observation)), ...pictures], _meta: meta(observation.number) };
    },
  }),
  lookingTool({
    name: 'computer_zoom',
    title: 'Look closer',
    description:
      'Returns a part of the current screen as an image in full resolution: for small text, at less cost than the whole screen. Earlier marks stay valid.',
    fields: {
      region: z
        .array(z.int().nonnegative().max(32_767))
        .length(4)
        .describe('[x0, y0, x1, y1] in screen pixels: upper left corner, and lower right corner (exclusive)'),
    },
    async look({ region: [x0 = 0, y0 = 0, x1 = 0, y1 = 0] }, { session, signal }) {
      const box = { x: x0, y: y0, width: x1 - x0, height: y1 - y0 };
      const shot = await session.picture({
        region: box,
        format: 'png',
        signal,
      });
      const { region, width, height } = shot;
      const shown = `the image shows ${region.width}x${region.height} screen pixels from (${region.x}, ${region.y})`;
      return { content: [text(`${shown}, in ${width}x${height}`), image(shot)] };
    },
  }),
  lookingTool({
    name: 'computer_marks',
    title: 'Marks',
    description:
      'Returns the useful elements on the screen as text, one a line: number, role, name, box in screen pixels, value, states. Much cheaper than a screenshot. Narrow it down if you know what you are looking for.',
    fields: {
      role: z.string().max(60).optional().describe('exactly this ARIA role, e.g. button, treeitem, tab'),
      text: z
        .string()
        .max(300)
        .optional()
        .describe('part of the name, the value or the static text, ignoring case'),
      within: z.string().max(1000).optional().describe('only inside matches of this CSS selector'),
      limit: z.int().positive().max(2000).default(200).describe('maximum number'),
      static_text: z
        .boolean()
        .default(false)
        .describe('also what can only be read: messages, descriptions, headings'),
      screenshot: pictureWanted,
    },
    async look({ screenshot, static_text: readable, ...query }, { session, signal }) {
      const observation = await session.observe({ marks: query, signal });
      const pictures = (await pictureOf(observation, screenshot)).filter(({ type }) => type === 'image');
      const { within } = query;
      const read = readable
        ? withText(await session.text({ ...(within !== undefined && { within }), signal }), query.text)
        : undefined;
      const words = [observationText(observation), ...(read ? [pageText(read)] : [])].join('\n');
      return { content: [text(words), ...pictures], _meta: meta(observation.number) };
    },
  }),
  lookingTool({
    name: 'computer_cursor_position',
    title: 'Pointer position',
    description: 'Returns the position of the pointer in screen pixels, and the element under it.',
    fields: {},
    look: async (_, { session, signal }) => ({
      content: [text(pointerText(await session.pointer({ signal })))],
    }),
  }),
];

/** The pieces that contain the wanted text. */
function withText(page: PageText, wanted = ''): PageText {
  const part = wanted.toLowerCase();
  return { ...page, pieces: page.pieces.filter(({ text: words }) => words.toLowerCase().includes(part)) };
}
