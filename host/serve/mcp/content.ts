import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { ToolImage } from '../../../bridge/protocol/index.ts';
import type { Picture } from '../../env/index.ts';

export type Content = CallToolResult['content'][number];

export function text(words: string): Content {
  return { type: 'text', text: words };
}

/** A picture as an image. An SVG, which most clients don't show as an image, is returned as a text resource. */
export function picture({ mime, base64, title }: ToolImage): Content {
  if (mime !== 'image/svg+xml') return { type: 'image', data: base64, mimeType: mime };
  const uri = `pwp://picture/${encodeURIComponent(title)}`;
  return {
    type: 'resource',
    resource: { uri, mimeType: mime, text: Buffer.from(base64, 'base64').toString('utf8') },
  };
}

export function image({ bytes, mime }: Pick<Picture, 'bytes' | 'mime'>): Content {
  return { type: 'image', data: Buffer.from(bytes).toString('base64'), mimeType: mime };
}
