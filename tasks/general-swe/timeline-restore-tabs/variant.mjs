/** A file that was indented with tabs once; what else changed follows from the seed. */

const program = (limit, title, unit) => `"""Prints a report of what was measured."""

LIMIT = ${limit}


def rows(values):
\tfor name, value in values:
\t\tif value > LIMIT:
\t\t\tyield f"{name}: {value} ${unit}  # over"
\t\telse:
\t\t\tyield f"{name}: {value} ${unit}"


def table(values):
\tlines = ["${title}", "${'='.repeat(title.length)}"]
\tlines.extend(
\t    rows(values),  # aligned with spaces behind the tab
\t)
\treturn "\\n".join(lines)


if __name__ == "__main__":
\tprint(table([("north", 3), ("south", 14), ("east", 8)]))
`;

export default function variant({ random, localHistory }) {
  const [limit, later] = random.sample([5, 6, 7, 9, 10, 11, 12, 13], 2);
  const title = random.pick(['Rainfall', 'Wind speed', 'Tide levels', 'Snow depth']);
  const unit = random.pick(['mm', 'm', 'cm']);
  const change = random.pick(['Spaces instead of tabs', 'Indent with spaces', 'Reformat']);
  const spaces = (text) => text.replaceAll('\t', '    ');
  const versions = [
    ['First version', program(1, 'Report', unit)],
    ['Add a title', program(1, title, unit)],
    ['Set the limit', program(limit, title, unit)],
    [change, spaces(program(limit, title, unit).replace('  # over', '  # too much'))],
    ['Raise the limit', spaces(program(later, title, unit).replace('  # over', '  # too much'))],
    [undefined, spaces(program(later, title, unit).replace('  # over', '  # too high'))],
  ];
  const begin = Date.UTC(2026, 3, 6, 8, random.int(0, 59));
  const entries = versions.map(([source, content], index) => ({
    content,
    timestamp: begin + index * 31 * 3_600_000,
    ...(source === undefined ? {} : { source }),
  }));
  return {
    files: {
      'environment/workspace/report.py': versions.at(-1)[1],
      ...localHistory({ path: 'report.py', entries }),
      'tests/expected.py': versions[2][1],
    },
    words: { change, before: versions[2][0] },
  };
}
