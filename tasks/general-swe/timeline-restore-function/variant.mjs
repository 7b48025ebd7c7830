/** A ledger whose function went through several versions; names and numbers follow from the seed. */

const head = (factor) => `"""Splits amounts among people, to the cent."""

CENTS = 100
FACTOR = ${factor}


def parse_amount(text: str) -> int:
    """Cents of an amount such as 12.50."""
    whole, _, rest = text.partition(".")
    return int(whole) * CENTS + int(rest.ljust(2, "0")[:2] or 0)


`;

const simple = `def allocate(cents: int, shares: list[int]) -> list[int]:
    """One part for each share."""
    total = sum(shares)
    return [cents * share // total for share in shares]
`;
const rounded = `def allocate(cents: int, shares: list[int]) -> list[int]:
    """One part for each share, rounded."""
    total = sum(shares)
    return [round(cents * share / total) for share in shares]
`;
const checked = (start, step) => `def allocate(cents: int, shares: list[int]) -> list[int]:
    """One part for each share; what is left over goes round, from number ${start}."""
    total = sum(shares)
    parts = [cents * share // total for share in shares]
    left = cents - sum(parts)
    for turn in range(left):
        parts[(${start} + ${step} * turn) % len(parts)] += 1
    return parts
`;
const rewritten = (start) => `def allocate(cents: int, shares: list[int]) -> list[int]:
    """One part for each share; what is left over goes to one of them."""
    total = sum(shares)
    parts = [cents * share // total for share in shares]
    parts[${start}] += cents - sum(parts)
    return parts
`;

const tail = (width, sum) => `

def format_line(name: str, cents: int) -> str:
    """A line of the ledger."""
    return f"{name:<${width}}{cents / CENTS:>10.2f}"


def total(lines: list[tuple[str, int]]) -> int:
    """${sum}"""
    return FACTOR * sum(cents for _, cents in lines)
`;

export default function variant({ random, localHistory }) {
  const person = random.pick(['Ada', 'Barbara', 'Grace', 'Katherine', 'Radia']);
  const [start, step] = [random.int(1, 3), random.pick([1, 5, 7])];
  const [width, factor] = [random.int(20, 40), random.int(2, 9)];
  const plain = 'All amounts together.';
  const now = 'All amounts together, times the factor.';
  const label = `Checked by ${person}`;
  const versions = [
    ['First draft', head(1) + simple + tail(width + 8, plain)],
    ['Round parts', head(1) + rounded + tail(width + 8, plain)],
    [label, head(1) + checked(start, step) + tail(width + 8, plain)],
    ['Rewrite allocate', head(1) + rewritten(start) + tail(width + 8, plain)],
    ['Narrower lines', head(1) + rewritten(start) + tail(width, plain)],
    [undefined, head(factor) + rewritten(start) + tail(width, now)],
  ];
  const begin = Date.UTC(2026, 2, 2, 9, random.int(0, 59));
  const entries = versions.map(([source, content], index) => ({
    content,
    timestamp: begin + index * 26 * 3_600_000,
    ...(source === undefined ? {} : { source }),
  }));
  return {
    files: {
      'environment/workspace/ledger.py': head(factor) + rewritten(start) + tail(width, now),
      ...localHistory({ path: 'ledger.py', entries }),
      'tests/expected.py': head(factor) + checked(start, step) + tail(width, now),
    },
    words: { label },
  };
}
