import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { AnswerPicture, Picture } from '../../env/index.ts';

export type Content = CallToolResult['content'][number];

export function text(words: string): Content {
  return { type: 'text', text: words };
}

/** A picture as an image. An SVG, which most clients don't show as an image, is returned as a text resource. */
export function picture({ bytes, mime, title }: AnswerPicture): Content {
  if (mime !== 'image/svg+xml') return image({ bytes, mime });
  const uri = `pwp://picture/${encodeURIComponent(title)}`;
  return {
    type: 'resource',
    resource: { uri, mimeType: mime, text: Buffer.from(bytes).toString('utf8') },
  };
}

export function image({ bytes, mime }: Pick<Picture | AnswerPicture, 'bytes' | 'mime'>): Content {
  return { type: 'image', data: Buffer.from(bytes).toString('base64'), mimeType: mime };
}
