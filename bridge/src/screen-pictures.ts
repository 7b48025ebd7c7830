import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import type { Client, Image } from 'x11';
import type { DomReader } from '../dom/index.ts';
import { deadline, describeError, pause, PwpError, raceSignal } from '../lib/index.ts';
import {
  type Box,
  ErrorCode,
  findTool,
  limits,
  type ParamsOut,
  type ResultOf,
  RpcError,
  toolError,
  type ToolImage,
  toolMethods,
  viewTools,
} from '../protocol/index.ts';
import { type Handlers, ToolHandlers } from '../rpc/index.ts';
import { clip } from '../text/index.ts';
import type { AgentSideConnection } from './agent-connection.ts';
import type { ScreenSize } from './config.ts';
import { askXServer, openDisplay } from './x-client.ts';

/** The place of the workbench's active editor, with its tabs. */
const editorArea = '.part.editor .editor-group-container.active';

/** Takes pictures of parts of the screen: for its own tool, and for the answers of tools of the agent's side. */
export class ScreenPictures {
  readonly #reader: DomReader;
  readonly #screen: ScreenSize;

  constructor(reader: DomReader, screen: ScreenSize) {
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
      return toToolImage(await takeScreenPicture(box, this.#screen, signal), 'the editor area');
    } catch {
      signal.throwIfAborted();
      return undefined;
    }
  }

  /** Serves every tool: the one that takes pictures here, the others by passing the call on. */
  serve(handlers: Handlers, link: AgentSideConnection): void {
    const own = this.#add(new ToolHandlers());
    handlers
      .add(toolMethods.call, (params, signal) =>
        own.has(params.name) ? own.call(params, signal) : this.#passOn(link, params, signal),
      )
      .add(toolMethods.list, async (_, signal) => {
        const there = await listAgentSideTools(link, signal);
        return { ...there, tools: [...own.definitions, ...there.tools] };
      });
  }

  async #passOn(
    link: AgentSideConnection,
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
      const picture = await takeScreenPicture(wide, this.#screen, signal);
      attach(toToolImage(picture, what));
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
      return {
        what: `mark ${mark}`,
        box: (await translateScreenError(this.#reader.locate({ mark }, signal))).box,
      };
    if (selector !== undefined)
      return { what: selector, box: await translateScreenError(this.#reader.boxOf(selector, signal)) };
    const { width, height } = this.#screen;
    if (box && (box.x >= width || box.y >= height))
      throw toolError('bad-arguments', `${box.x}, ${box.y} is off the screen of ${width}x${height}`);
    return { what: box ? 'a box' : 'the screen', box: box ?? { x: 0, y: 0, width, height } };
  }
}

/** Turns an error about the screen into a tool's error. */
async function translateScreenError<T>(found: Promise<T>): Promise<T> {
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

async function listAgentSideTools(
  link: AgentSideConnection,
  signal: AbortSignal,
): Promise<ResultOf<typeof toolMethods.list>> {
  try {
    return await link.request(toolMethods.list, {}, signal);
  } catch (error) {
    if (!(error instanceof RpcError) || error.code !== ErrorCode.Unavailable) throw error;
    return { tools: [], missing: clip(describeError(error), 20_000) };
  }
}

function toToolImage({ png }: CapturedPicture, title: string): ToolImage {
  const base64 = png.toString('base64');
  if (base64.length > limits.toolImage)
    throw toolError('too-large', `the picture of ${title} has ${png.length} bytes`, {
      help: 'Take a smaller part',
    });
  return { mime: 'image/png', base64, title };
}

/** How long to wait until a part of the screen is still, and the pause between two looks, in milliseconds. */
const STILL_MS = 4000;
const LOOK_MS = 120;
/** Number of looks that have to be the same. */
const LOOKS = 4;

interface CapturedPicture {
  readonly png: Buffer;
  readonly box: Box;
  /** Several consecutive looks were the same. */
  readonly still: boolean;
}

/** A picture of a box of the screen, once nothing moves there. Errors: `display-lost`. */
async function takeScreenPicture(
  wanted: Box,
  screen: ScreenSize,
  signal: AbortSignal,
): Promise<CapturedPicture> {
  const box = clipToScreen(wanted, screen);
  const { client, root } = await openDisplay(signal);
  try {
    const { pixels, still } = await waitForStillPixels(client, root, box, signal);
    return { png: await encodePng(pixels, box.width, box.height), box, still };
  } finally {
    client.terminate();
  }
}

async function waitForStillPixels(
  client: Client,
  root: number,
  box: Box,
  signal: AbortSignal,
): Promise<{ pixels: Buffer; still: boolean }> {
  using limit = deadline('a still screen', STILL_MS, signal);
  let last = await readPixels(client, root, box, signal);
  for (let same = 1; ;) {
    const waited = await pause(LOOK_MS, limit.signal).then(
      () => true,
      () => false,
    );
    signal.throwIfAborted();
    if (!waited) return { pixels: last, still: false };
    const now = await readPixels(client, root, box, signal);
    same = now.equals(last) ? same + 1 : 1;
    if (same === LOOKS) return { pixels: now, still: true };
    last = now;
  }
}

async function readPixels(client: Client, root: number, box: Box, signal: AbortSignal): Promise<Buffer> {
  const zPixmap = 2;
  const allPlanes = 0xffffffff;
  const { x, y, width, height } = box;
  const asked = askXServer<Image>((answer) =>
    client.GetImage(zPixmap, root, x, y, width, height, allPlanes, answer),
  );
  return (await raceSignal(asked, signal)).data.subarray(0, width * height * 4);
}

/** The part of a box that is on the screen, in whole pixels. */
function clipToScreen({ x, y, width, height }: Box, screen: ScreenSize): Box {
  const left = Math.max(0, Math.floor(x));
  const top = Math.max(0, Math.floor(y));
  const right = Math.min(screen.width, Math.ceil(x + width));
  const bottom = Math.min(screen.height, Math.ceil(y + height));
  if (right <= left || bottom <= top)
    throw new PwpError('bad-picture', `nothing of ${width}x${height} at ${x}, ${y} is on the screen`);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

const deflateAsync = promisify(deflate);

/**
 * A PNG (https://www.w3.org/TR/png-3/) of 8-bit RGB.
 * @param pixels four bytes each: blue, green, red and an unused one, as X returns them
 */
export async function encodePng(pixels: Buffer, width: number, height: number): Promise<Buffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits a channel, RGB, the only compression and filter methods that exist, not interlaced.
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = await deflateAsync(filterRows(pixels, width, height), { level: 6 });
  return Buffer.concat([
    signature,
    writeChunk('IHDR', header),
    writeChunk('IDAT', data),
    writeChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Each row begins with its filter, 0: screens compress well without one. */
function filterRows(pixels: Buffer, width: number, height: number): Buffer {
  const stride = width * 3 + 1;
  const out = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    let to = y * stride + 1;
    for (let from = y * width * 4; from < (y + 1) * width * 4; from += 4) {
      out[to++] = pixels[from + 2] ?? 0;
      out[to++] = pixels[from + 1] ?? 0;
      out[to++] = pixels[from] ?? 0;
    }
  }
  return out;
}

function writeChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(named.length + 8);
  out.writeUInt32BE(data.length, 0);
  named.copy(out, 4);
  out.writeUInt32BE(crc32(named), named.length + 4);
  return out;
}
