import type { DomReader } from '../../dom/index.ts';
import { limits, toolError, viewTools, type Box, type ToolImage } from '../../protocol/index.ts';
import type { ToolHandlers } from '../../rpc/index.ts';
import type { Screen } from '../config.ts';
import { pictureOf, type Picture } from '../desktop/index.ts';

/** Where the workbench has its active editor, its tabs included. */
const editorArea = '.part.editor .editor-group-container.active';

/** Takes pictures of parts of the screen. */
export class Pictures {
  readonly #reader: DomReader;
  readonly #screen: Screen;

  constructor(reader: DomReader, screen: Screen) {
    this.#reader = reader;
    this.#screen = screen;
  }

  /**
   * What the editor area shows; undefined if that is unknown, as with a dialog in front: the work before is done, and
   * its answer is worth more than an error about a picture.
   */
  async ofEditor(signal: AbortSignal): Promise<ToolImage | undefined> {
    try {
      const box = await this.#reader.boxOf(editorArea, signal);
      return imageOf(await pictureOf(box, this.#screen, signal), 'the editor area');
    } catch {
      signal.throwIfAborted();
      return undefined;
    }
  }

  add(handlers: ToolHandlers): ToolHandlers {
    return handlers.add(viewTools.screenshotElement, async (input, { signal, attach }) => {
      const { what, box } = await this.#find(input, signal);
      const { margin } = input;
      const wide = {
        x: box.x - margin,
        y: box.y - margin,
        width: box.width + 2 * margin,
        height: box.height + 2 * margin,
      };
      const picture = await pictureOf(wide, this.#screen, signal);
      attach(imageOf(picture, what));
      return { box: picture.box, still: picture.still };
    });
  }

  async #find(
    {
      mark,
      selector,
      box,
    }: { mark?: number | undefined; selector?: string | undefined; box?: Box | undefined },
    signal: AbortSignal,
  ): Promise<{ what: string; box: Box }> {
    const given = [mark, selector, box].filter((one) => one !== undefined);
    if (given.length > 1) throw toolError('bad-arguments', 'give one of mark, selector and box');
    if (mark !== undefined)
      return { what: `mark ${mark}`, box: (await this.#reader.locate({ mark }, signal)).box };
    if (selector !== undefined) return { what: selector, box: await this.#reader.boxOf(selector, signal) };
    const { width, height } = this.#screen;
    return { what: box ? 'a box' : 'the screen', box: box ?? { x: 0, y: 0, width, height } };
  }
}

function imageOf({ png }: Picture, title: string): ToolImage {
  const base64 = png.toString('base64');
  if (base64.length > limits.toolImage)
    throw toolError('too-large', `the picture of ${title} has ${png.length} bytes`, {
      help: 'Take a smaller part',
    });
  return { mime: 'image/png', base64, title };
}
