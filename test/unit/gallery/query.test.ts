import assert from 'node:assert/strict';
import {
  findPackages,
  galleryQuerySchema,
  makeExtensionUuid,
} from '../../../host/node/gallery/gallery-protocol.ts';
import { extension, packagesOf } from './packages.ts';

const gallery = packagesOf(
  extension('ms.pylance', { displayName: 'Pylance', categories: ['Languages'], keywords: ['python'] }),
  extension('tools.pylance', { displayName: 'Pylance Tools', description: 'Snippets' }),
  extension('ms.pyright', { displayName: 'Pyright', keywords: ['pylance', 'python'] }),
  extension('x.theme', { displayName: 'A Theme', categories: ['Themes'] }),
);

function ids(criteria: readonly (readonly [number, string])[], more: Record<string, unknown> = {}): string[] {
  const filter = { criteria: criteria.map(([filterType, value]) => ({ filterType, value })), ...more };
  const { filters } = galleryQuerySchema.parse({ filters: [filter], assetTypes: [], flags: 950 });
  return filters.flatMap((one) => findPackages(gallery, one, makeExtensionUuid).packages.map(({ id }) => id));
}

describe('a query to the gallery', () => {
  it('finds by words, the best first', () => {
    assert.deepEqual(
      ids([
        [8, 'Microsoft.VisualStudio.Code'],
        [10, 'pylance'],
        [12, '4096'],
      ]),
      ['ms.pylance', 'tools.pylance', 'ms.pyright'],
    );
    assert.deepEqual(ids([[10, 'pylance snippets']]), ['tools.pylance']);
    assert.deepEqual(ids([[10, 'nothing like it']]), []);
  });

  it('finds by id and by identity, in any case', () => {
    assert.deepEqual(
      ids([
        [7, 'MS.Pylance'],
        [7, 'x.theme'],
        [7, 'y.none'],
      ]).sort(),
      ['ms.pylance', 'x.theme'],
    );
    const pyright = gallery.get('ms.pyright');
    assert.ok(pyright);
    assert.deepEqual(ids([[4, makeExtensionUuid(pyright)]]), ['ms.pyright']);
  });

  it('finds by category and by tag', () => {
    assert.deepEqual(ids([[5, 'themes']]), ['x.theme']);
    assert.deepEqual(
      ids([
        [1, 'python'],
        [10, 'pyright'],
      ]),
      ['ms.pyright'],
    );
  });

  it('sorts by title, and returns one page and the total count', () => {
    assert.deepEqual(ids([], { sortBy: 2, sortOrder: 2 }), [
      'ms.pyright',
      'tools.pylance',
      'ms.pylance',
      'x.theme',
    ]);
    assert.deepEqual(ids([], { sortBy: 2, pageNumber: 2, pageSize: 3 }), ['ms.pyright']);
    const filter = galleryQuerySchema.parse({ filters: [{ criteria: [], pageSize: 1 }] }).filters[0];
    assert.ok(filter);
    assert.equal(findPackages(gallery, filter, makeExtensionUuid).total, 4);
  });
});
