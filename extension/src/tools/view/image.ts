import {
  toolError,
  limits,
  type ToolInput,
  type ToolOutput,
  type viewTools,
} from '../../../../bridge/protocol/index.ts';
import { imageFacts } from '../../../../bridge/lib/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { pathText, place } from '../place/index.ts';
import { readBytes } from '../text/index.ts';
import { mustBeFile, openEditor } from './open.ts';

type View = typeof viewTools.viewImage;

/** The view type of VS Code's own media preview. */
const viewer = 'imagePreview.previewEditor';

export async function viewImage(
  { path }: ToolInput<View>,
  { signal, attach }: ToolContext,
): Promise<ToolOutput<View>> {
  const where = await place(path);
  await mustBeFile(where);
  const name = pathText(where.path);
  const { bytes } = await readBytes(where.real, name);
  const facts = imageFacts(bytes);
  if (!facts)
    throw toolError('not-an-image', `${name} is not a PNG, JPEG, GIF, WebP or SVG image, despite its name`);
  const base64 = Buffer.from(bytes).toString('base64');
  if (base64.length > limits.toolImage)
    throw toolError('too-large', `${name} has ${bytes.length} bytes, more than an answer can hold`, {
      help: 'Make a smaller copy of it, or open it with open_file and take a picture of that',
    });
  await openEditor(where, false, signal, viewer);
  attach({ mime: facts.mime, base64, title: name });
  return { path: name, bytes: bytes.length, ...facts };
}
