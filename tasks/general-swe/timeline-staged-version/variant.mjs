/** A file whose commit, index and working copy all differ; in what follows from the seed. */

const menu = (dishes, rate, note) => `"""The menu of the day."""

${note}
RATE = ${rate}

DISHES = {
${dishes.map(([name, price]) => `    "${name}": ${price},`).join('\n')}
}


def price(name: str, guests: int = 1) -> float:
    return round(DISHES[name] * guests * (1 + RATE), 2)
`;

export default function variant({ random, gitRepository, localHistory }) {
  const names = random.sample(['soup', 'bread', 'salad', 'stew', 'pie', 'rice', 'beans', 'cake'], 5);
  const dishes = names.map((name) => [name, random.int(3, 19)]);
  const dearer = dishes.map(([name, price]) => [name, price + 1]);
  const extra = [...dearer, ['tea', random.int(1, 3)]];
  const [first, second, third] = random.sample([0.05, 0.07, 0.1, 0.12, 0.19, 0.2], 3);
  const committed = menu(dishes, first, '# Prices without tax.');
  const staged = menu(extra, second, '# Prices without tax; tea is new.');
  const working = menu(extra.slice(1), third, '# Prices without tax.');
  const begin = Date.UTC(2026, 5, 1, 10, random.int(0, 59));
  const history = [
    menu(dishes.slice(0, 3), first, '# Prices without tax.'),
    committed,
    menu(dearer, first, '# Prices without tax.'),
    menu(extra, first, '# Prices without tax; tea is new.'),
    // The staged version was put together line by line: it was never saved.
    menu(extra, third, '# Prices without tax; tea is new.'),
    working,
  ];
  const entries = history.map((content, index) => ({ content, timestamp: begin + index * 5_400_000 }));
  return {
    files: {
      'environment/workspace/menu.py': working,
      ...gitRepository({
        commits: [
          { message: 'Begin the menu', timestamp: begin, files: { 'menu.py': history[0] } },
          { message: 'Add dishes', timestamp: begin + 5_500_000, files: { 'menu.py': committed } },
        ],
        index: { 'menu.py': staged },
      }),
      ...localHistory({ path: 'menu.py', entries }),
      'tests/expected.py': staged,
    },
    words: { rate: second },
  };
}
