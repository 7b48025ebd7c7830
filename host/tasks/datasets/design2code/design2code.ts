import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../../../lib/index.ts';
import { makeTask, scriptThatWrites, type Task } from '../../format/index.ts';
import {
  badData,
  type Dataset,
  type DatasetAbout,
  findData,
  makeRecordConfig,
  makeTaskId,
  noData,
  type OpenDataset,
  openRecords,
  packPythonTests,
  readDataBytes,
  readDataText,
  readPngEntry,
} from '../records/index.ts';

const about: DatasetAbout = {
  name: 'design2code',
  title: 'Design2Code',
  family: 'Multimodal code synthesis',
  records: 484,
  source: 'https://github.com/NoviScl/Design2Code',
  licence: 'ODC-By 1.0, for research',
  metric:
    'mean of block, text, position and colour score of the text blocks, and of the CLIP similarity of the pictures',
  agentCode: 'apart',
  files: ['testset_final/ with <number>.html, <number>.png and rick.jpg'],
  needs: [
    'CLIP ViT-B/32: its weights come from a hub at run time. Without them this score is unavailable, and the score is the mean of the other four.',
  ],
};

/** The picture that all pages show in place of their own. */
const placeholderPicture = 'rick.jpg';
const answerFile = 'index.html';
const pictureFile = 'image.png';

export const design2code: Dataset = {
  about,
  open: async (path) => openRecordFolder(await findData(about, path, ['testset_final', '.'])),
};

async function openRecordFolder(folder: string): Promise<OpenDataset> {
  const files = new Set(await listRecords(folder));
  const ids = [...files]
    .filter((name) => name.endsWith('.html'))
    .map((name) => name.slice(0, -'.html'.length));
  ids.sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
  const missing = ids.length === 0 ? '<number>.html' : [placeholderPicture].find((name) => !files.has(name));
  if (missing !== undefined) throw noData(about, join(folder, missing));
  const pictureless = ids.filter((id) => !files.has(`${id}.png`));
  return openRecords({
    ...{ about, file: folder, records: ids },
    idOf: (id) => id,
    taskOf: (id) => makeRecordTask(folder, id),
    lacking: new Map(pictureless.map((id) => [id, `${join(folder, `${id}.png`)} is missing`])),
  });
}

async function listRecords(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    throw badData(folder, 'expected a folder of pages', cause);
  }
}

async function makeRecordTask(folder: string, id: string): Promise<Task> {
  const html = await readDataText(join(folder, `${id}.html`));
  if (!/<body[\s>]/i.test(html))
    throw badData(join(folder, `${id}.html`), 'expected a page with a body element');
  const image = await readDataBytes(join(folder, placeholderPicture));
  const record = JSON.stringify({ html, image: image.toString('base64') });
  return makeTask({
    id: makeTaskId(about, id),
    path: folder,
    instruction: pageInstruction,
    // Two browsers, and comparing.
    config: makeRecordConfig(about, { testSeconds: 1200, open: [pictureFile] }),
    workspace: [
      await readPngEntry(pictureFile, join(folder, `${id}.png`)),
      { kind: 'file', path: placeholderPicture, content: image, executable: false },
    ],
    tests: await packPythonTests(about, { 'record.json': record }),
    solutions: [{ name: 'gold', text: scriptThatWrites({ [answerFile]: html }) }],
    falseSolutions: await falseSolutionsFor(html),
  });
}

async function falseSolutionsFor(html: string) {
  const folder = join(packageFolder(import.meta.url), 'host/tasks/datasets/design2code/false-pages');
  const write = async (name: string) => {
    const page = await readFile(join(folder, `${name}.html`), 'utf8');
    return scriptThatWrites({ [answerFile]: page.replace('TEXT', replaceText(html)) });
  };
  return [
    { name: 'wrong', why: 'Its text has no letter of the page to copy.', text: await write('wrong') },
    {
      name: 'picture',
      why: 'It shows the picture of the page in place of its text.',
      text: await write('picture'),
    },
  ];
}

/** A text of a character that the page doesn't have. */
function replaceText(html: string): string {
  const character = ['ж', 'ξ', '語', '¤', '¶'].find((one) => !html.includes(one)) ?? 'Ѫ';
  return character.repeat(12);
}

/** The same for every page. */
const pageInstruction = `The file \`/workspace/image.png\`, which is open in the editor, is a picture of a whole web page. Write a page that looks like it, as one HTML file with its styles inside: \`/workspace/index.html\`. Its text, layout, positions, fonts and colours should be those of the picture, for a window that is 1280 pixels wide. Where the page has pictures, show \`rick.jpg\` from the workspace in their size and place. Nothing else is loaded: no further files, nothing from the network. Save the file.`;
