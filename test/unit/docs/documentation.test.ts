import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { projectFolder } from '../../support/cli.ts';

const patterns = ['*.md', 'docs/**/*.md', '.github/*.md', 'extension/README.md', 'images/gallery/README.md'];
const pages = globSync(patterns, { cwd: projectFolder });

describe('the documentation', () => {
  it('has no link that leads nowhere', async () => {
    const dead: string[] = [];
    for (const page of pages)
      for (const target of linksOf(await textOf(page)))
        if (!(await leads(page, target))) dead.push(`${page}: ${target}`);
    assert.ok(pages.length > 20, pages.join());
    assert.deepEqual(dead, []);
  });

  it('names only files and folders that exist, on the page for contributors', async () => {
    const named = [...(await textOf('CONTRIBUTING.md')).matchAll(/`([\w-]+(?:\/[\w.-]+)+\/?)`/g)];
    const paths = named
      .map(([, path = '']) => path)
      .filter((path) => /^(host|bridge|extension|test|bench|docs)\//.test(path));
    const there = await Promise.all(paths.map(isThere));
    assert.ok(paths.length > 20, paths.join());
    assert.deepEqual(
      paths.filter((_, index) => there[index] !== true),
      [],
    );
  });

  it('is listed in docs/README.md, each page once', async () => {
    const listed = linksOf(await textOf('docs/README.md')).filter((target) => !target.startsWith('../'));
    const others = pages.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md');
    assert.deepEqual(listed.sort(), others.map((page) => page.slice('docs/'.length)).sort());
  });

  it('begins with a README of at most 1,200 words', async () => {
    const words = (await textOf('README.md')).split(/\s+/).filter((word) => word !== '');
    assert.ok(words.length <= 1200, `${words.length} words`);
  });
});

function textOf(page: string): Promise<string> {
  return readFile(join(projectFolder, page), 'utf8');
}

function withoutBlocks(text: string): string {
  return text.replaceAll(/^```[^]*?^```/gm, '');
}

/** Targets of the links that stay in this repository. */
function linksOf(text: string): string[] {
  const prose = withoutBlocks(text).replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

function isThere(file: string): Promise<boolean> {
  return access(join(projectFolder, file)).then(
    () => true,
    () => false,
  );
}

async function leads(page: string, target: string): Promise<boolean> {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : join(dirname(page), path);
  const found = await isThere(file);
  if (!found || anchor === undefined || !file.endsWith('.md')) return found;
  return anchorsOf(await textOf(file)).has(anchor);
}

/** Of the headings of a page, as GitHub makes them. */
function anchorsOf(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [, heading = ''] of withoutBlocks(text).matchAll(/^#+ (.*)$/gm)) {
    const anchor = anchorOf(heading);
    let name = anchor;
    for (let i = 1; found.has(name); i++) name = `${anchor}-${i}`;
    found.add(name);
  }
  return found;
}

function anchorOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}
