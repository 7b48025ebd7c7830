import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../../lib/index.ts';
import { type PageDocument, renderDocument } from '../web/index.ts';

/** The pages of the web app. `npm run build` makes the style of each, and a script if it has one. */
type WebPage = 'live' | 'studies' | 'queue' | 'report' | 'tables';

interface PageFiles {
  readonly style: string;
  readonly script: string;
}

/** What a page is made of; the script is empty for a page without one. */
export async function readPageFiles(page: WebPage): Promise<PageFiles> {
  const folder = join(packageFolder(), 'dist/web');
  const [style, script] = await Promise.all([
    readFile(join(folder, `${page}.css`), 'utf8'),
    page === 'tables' ? '' : readFile(join(folder, `${page}.js`), 'utf8'),
  ]);
  return { style, script };
}

/**
 * A page as one file. Its policy allows only its own style and script, by their hashes, and pictures inside the file: even
 * text that got past the escaping could neither run nor reach the network.
 */
export function renderFile({ style, script }: PageFiles, page: Pick<PageDocument, 'title' | 'body'>): string {
  const scripts = script === '' ? "'none'" : hashForPolicy(script);
  const policy = `default-src 'none'; img-src data:; style-src ${hashForPolicy(style)}; script-src ${scripts}; base-uri 'none'; form-action 'none'`;
  return renderDocument({ ...page, style, policy, script: script === '' ? undefined : script });
}

function hashForPolicy(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
