import type { DomReader } from '../dom/index.ts';
import { messageOf, clip } from '../lib/index.ts';
import {
  ErrorCode,
  RpcError,
  findTool,
  limits,
  toolError,
  toolMethods,
  viewTools,
  type Box,
  type ParamsOut,
  type ResultOf,
  type ToolImage,
} from '../protocol/index.ts';
import { ToolHandlers, type Handlers } from '../rpc/index.ts';
import type { AgentLink } from './agent-link.ts';
import type { Screen } from './config.ts';
import { pictureOf, type Picture } from './desktop/index.ts';

/** The place of the workbench's active editor, with its tabs. */
const editorArea = '.part.editor .editor-group-container.active';

/** Takes pictures of parts of the screen: for its own tool, and for the answers of tools of the agent's side. */
export class Pictures {
  readonly #reader: DomReader;
  readonly #screen: Screen;

  constructor(reader: DomReader, screen: Screen) {
    this.#reader = reader;
    this.#screen = screen;
  }

  /**
   * A picture of the editor area; undefined if that can't be found, as with a dialog in front: the tool's work is done,
   * and its answer is worth more than an error about a picture.
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

  /** Serves every tool: the one that takes pictures here, the others by passing the call on. */
  serve(handlers: Handlers, link: AgentLink): void {
    const own = this.#add(new ToolHandlers());
    handlers
      .add(toolMethods.call, (params, signal) =>
        own.has(params.name) ? own.call(params, signal) : this.#passOn(link, params, signal),
      )
      .add(toolMethods.list, async (_, signal) => {
        const there = await listOf(link, signal);
        return { ...there, tools: [...own.definitions, ...there.tools] };
      });
  }

  async #passOn(
    link: AgentLink,
    params: ParamsOut<typeof toolMethods.call>,
    signal: AbortSignal,
  ): Promise<ResultOf<typeof toolMethods.call>> {
    const answer = await link.request(toolMethods.call, params, signal);
    const asked = findTool(params.name);
    const given = asked?.pictured ? asked.input.safeParse(params.arguments) : undefined;
    if (!given?.success || !(given.data as { picture?: boolean }).picture) return answer;
    const picture = await this.ofEditor(signal);
    return picture ? { ...answer, images: [...answer.images, picture].slice(0, limits.toolImages) } : answer;
  }

  #add(handlers: ToolHandlers): ToolHandlers {
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
      return { what: `mark ${mark}`, box: (await sought(this.#reader.locate({ mark }, signal))).box };
    if (selector !== undefined)
      return { what: selector, box: await sought(this.#reader.boxOf(selector, signal)) };
    const { width, height } = this.#screen;
    if (box && (box.x >= width || box.y >= height))
      throw toolError('bad-arguments', `${box.x}, ${box.y} is off the screen of ${width}x${height}`);
    return { what: box ? 'a box' : 'the screen', box: box ?? { x: 0, y: 0, width, height } };
  }
}

/** Turns an error about the screen into a tool's error. */
async function sought<T>(found: Promise<T>): Promise<T> {
  try {
    return await found;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const help = 'Observe first: marks and elements are those of the last observation';
    if (error.code === ErrorCode.NotFound || error.code === ErrorCode.Stale)
      throw toolError('not-found', error.message, { help, cause: error });
    if (error.code === ErrorCode.InvalidParams)
      throw toolError('bad-arguments', error.message, { cause: error });
    throw error;
  }
}

async function listOf(link: AgentLink, signal: AbortSignal): Promise<ResultOf<typeof toolMethods.list>> {
  try {
    return await link.request(toolMethods.list, {}, signal);
  } catch (error) {
    if (!(error instanceof RpcError) || error.code !== ErrorCode.Unavailable) throw error;
    return { tools: [], missing: clip(messageOf(error), 20_000) };
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
