import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { madeTask, scriptThatWrites, type Task } from '../../tasks/index.ts';
import type { Dataset, OpenDataset } from '../contract.ts';
import { badData, noData } from '../errors.ts';
import { findData } from '../files.ts';
import { openRecords } from '../open.ts';
import { configOf, pythonTests, taskId } from '../parts.ts';
import { pngEntry, readBytes, readText } from '../records/index.ts';
import { about } from './about.ts';
import { instruction } from './instruction.ts';

/** The picture that all pages show in place of their own. */
const placeholder = 'rick.jpg';
const answer = 'index.html';
const picture = 'image.png';

export const design2code: Dataset = {
  about,
  open: async (path) => openFolder(await findData(about, path, ['testset_final', '.'])),
};

async function openFolder(folder: string): Promise<OpenDataset> {
  const files = new Set(await namesIn(folder));
  const ids = [...files]
    .filter((name) => name.endsWith('.html'))
    .map((name) => name.slice(0, -'.html'.length));
  ids.sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
  const missing = ids.length === 0 ? '<number>.html' : [placeholder].find((name) => !files.has(name));
  if (missing !== undefined) throw noData(about, join(folder, missing));
  const pictureless = ids.filter((id) => !files.has(`${id}.png`));
  return openRecords({
    ...{ about, file: folder, records: ids },
    idOf: (id) => id,
    taskOf: (id) => taskOf(folder, id),
    lacking: new Map(pictureless.map((id) => [id, `${join(folder, `${id}.png`)} is missing`])),
  });
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    throw badData(folder, 'expected a folder of pages', cause);
  }
}

async function taskOf(folder: string, id: string): Promise<Task> {
  const html = await readText(join(folder, `${id}.html`));
  if (!/<body[\s>]/i.test(html))
    throw badData(join(folder, `${id}.html`), 'expected a page with a body element');
  const image = await readBytes(join(folder, placeholder));
  const record = JSON.stringify({ html, image: image.toString('base64') });
  return madeTask({
    id: taskId(about, id),
    path: folder,
    instruction,
    // Two browsers, and comparing.
    config: configOf(about, { testSeconds: 1200, open: [picture] }),
    workspace: [
      await pngEntry(picture, join(folder, `${id}.png`)),
      { kind: 'file', path: placeholder, content: image, executable: false },
    ],
    tests: await pythonTests(about, { 'record.json': record }),
    solutions: [{ name: 'gold', text: scriptThatWrites({ [answer]: html }) }],
    falseSolutions: falseSolutionsFor(html),
  });
}

function falseSolutionsFor(html: string) {
  const page = (body: string) => scriptThatWrites({ [answer]: `<html><body>${body}</body></html>\n` });
  return [
    {
      name: 'wrong',
      why: 'Its text has no letter of the page to copy.',
      text: page(`<p>${otherText(html)}</p>`),
    },
    {
      name: 'picture',
      why: 'It shows the picture of the page in place of its text.',
      text: page(`<img src="${picture}">`),
    },
  ];
}

/** A text of a character that the page doesn't have. */
function otherText(html: string): string {
  const character = ['ж', 'ξ', '語', '¤', '¶'].find((one) => !html.includes(one)) ?? 'Ѫ';
  return character.repeat(12);
}
