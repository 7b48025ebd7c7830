/** Sensors of which the last one fails; their numbers, and so the shapes, follow from the seed. */

/** As NumPy and `model/layers.py` compute them: the input of the last layer, and its table. */
function shapesOf({ rate, divide, pool, overlap, seconds, channels, outputs }) {
  const size = Math.floor(rate / divide);
  const bands = Math.floor((Math.floor(size / 2) + 1) / pool);
  const step = Math.max(1, Math.floor(size / overlap));
  const windows = Math.floor((rate * seconds - size) / step) + 1;
  const rows = Math.ceil((bands * (1 + (windows % 3))) / (1 + (channels % 2)));
  return { x: [channels, windows, bands], table: [rows, outputs], bands, fits: rows === bands };
}

function sensor(random, name) {
  const settings = {
    name,
    rate: 10 * random.int(8, 14),
    divide: random.int(3, 5),
    pool: random.int(2, 3),
    overlap: random.int(2, 4),
    seconds: random.int(2, 3),
    channels: random.int(2, 5),
    outputs: 1,
  };
  // As many outputs as bands: the second dimension of the table fits by chance alone.
  const outputs = shapesOf(settings).bands;
  const { x, table, fits } = shapesOf({ ...settings, outputs });
  return { settings: { ...settings, outputs }, x, table, fits };
}

const tuple = (shape) => `(${shape.join(', ')})`;

const text = (sensors) =>
  `[\n${sensors.map((one) => `  ${JSON.stringify(one).replaceAll(/[:,{]/g, '$& ').replace('}', ' }')}`).join(',\n')}\n]\n`;

/** @param {import('../../../host/tasks/index.ts').VariantInput} input */
export default function variant({ random }) {
  const some = (name, wanted) => {
    for (;;) {
      const one = sensor(random, name);
      if (wanted(one)) return one;
    }
  };
  const names = random.sample(['north', 'east', 'south', 'west', 'roof', 'cellar', 'yard'], 3);
  const bad = some(names[2], ({ fits, x }) => !fits && x[1] !== x[2]);
  const good = names
    .slice(0, 2)
    .map((name) => some(name, ({ fits, x }) => fits && tuple(x) !== tuple(bad.x)));
  const sensors = text([...good, bad].map(({ settings }) => settings));
  const answer = {
    x: [bad.x.join()],
    table: [bad.table.join()],
    'dimension of x': ['2', '-1'],
    'dimension of table': ['0', '-2'],
  };
  return {
    files: {
      'environment/workspace/sensors.json': sensors,
      'tests/before/sensors.json': sensors,
      'tests/expected.json': JSON.stringify(answer),
    },
    words: {
      x: tuple(bad.x),
      table: tuple(bad.table),
      good_x: tuple(good[1].x),
      good_table: tuple(good[1].table),
      turned_x: tuple([bad.x[0], bad.x[2], bad.x[1]]),
      turned_table: tuple(bad.table.toReversed()),
      seconds: bad.settings.seconds,
      sensor: bad.settings.name,
    },
  };
}
