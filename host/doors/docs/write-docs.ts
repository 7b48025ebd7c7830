import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../../lib/index.ts';
import { renderSettingsPage } from './settings-page.ts';
import { renderToolsPage } from './tools-page.ts';

// `node host/doors/docs/write-docs.ts`: writes the pages of docs/ that are made from code.

const folder = join(packageFolder(), 'docs');
await writeFile(join(folder, 'tools.md'), renderToolsPage());
await writeFile(join(folder, 'settings.md'), await renderSettingsPage());
