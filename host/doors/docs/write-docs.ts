import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../../lib/index.ts';
import { renderToolsPage } from './tools-page.ts';

// `node host/doors/docs/write-docs.ts`: writes the pages of docs/ that are made from code.

await writeFile(join(packageFolder(), 'docs/tools.md'), renderToolsPage());
