const stock = `"""Keeps count of what is on the shelves."""


class Shelf:
    def restock(self, packs):
        """Adds packs to the shelf."""
        return packs * 10


class CoolShelf(Shelf):
    def restock(self, packs):
        return packs * 5


def refill(shelf: Shelf, packs):
    return shelf.restock(packs)


def refill_all(shelves, packs):
    return [one.restock(packs) for one in shelves]
`;

const notebook = {
  cells: [
    { cell_type: 'markdown', id: 'a', metadata: {}, source: ['# Title\n', 'text'] },
    {
      cell_type: 'code',
      id: 'b',
      metadata: {},
      execution_count: 4,
      outputs: [{ output_type: 'stream', name: 'stdout', text: ['3\n'] }],
      source: ['x = 3\n', 'print(x)'],
    },
  ],
  metadata: { language_info: { name: 'python' } },
  nbformat: 4,
  nbformat_minor: 5,
};

const chart = `import matplotlib.pyplot as plt
plt.figure(figsize=(4, 3)); plt.plot([1, 4, 9]); plt.title('Squares')
plt.figure(figsize=(2, 2)); plt.bar(['a', 'b'], [1, 2]); plt.title('Bars')
plt.show()
print('drawn')
`;

const tests = `import pytest
from shop.stock import Shelf, refill

def test_refill():
    assert refill(Shelf(), 2) == 20

def test_wrong():
    assert refill(Shelf(), 2) == 21

@pytest.mark.skip(reason="not now")
def test_skipped():
    pass
`;

/** Modules with a caller, tests, one file with errors, a notebook and charts. */
export const pythonFiles: Readonly<Record<string, string>> = {
  'shop/__init__.py': '',
  'shop/stock.py': stock,
  'shop/use.py':
    'from shop.stock import CoolShelf, Shelf, refill\n\nprint(refill(Shelf(), 2), refill(CoolShelf(), 2))\n',
  'shop/broken.py': 'def price(amount):\n    return amount * rate\n\n\nlength: int = "long"\n',
  'test_stock.py': tests,
  'notes.ipynb': `${JSON.stringify(notebook, null, 1)}\n`,
  'chart.py': chart,
  'nothing.py': 'print("no chart")\n',
};
