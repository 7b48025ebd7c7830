export interface Style {
  /** The kind of a shape, in the words of `Shape.kind`. */
  readonly kind: string;
  readonly values: ReadonlyMap<string, string>;
}

/** Names that draw.io has for what people call the same. */
const sameAs: Readonly<Record<string, string>> = {
  rhombus: 'diamond',
  'mxgraph.flowchart.decision': 'diamond',
  cylinder2: 'cylinder',
  cylinder3: 'cylinder',
  datastore: 'cylinder',
  'mxgraph.flowchart.database': 'cylinder',
  'mxgraph.flowchart.start_1': 'ellipse',
  'mxgraph.flowchart.start_2': 'ellipse',
  label: 'rectangle',
  'mxgraph.flowchart.process': 'rectangle',
};

/** Reads `ellipse;whiteSpace=wrap;html=1;`. */
export function readStyle(text: string): Style {
  const parts = text.split(';').map((part) => part.trim());
  const values = new Map(
    parts.flatMap((part) => {
      const at = part.indexOf('=');
      return at > 0 ? [[part.slice(0, at), part.slice(at + 1)] as const] : [];
    }),
  );
  const name = values.get('shape') ?? parts.find((part) => part !== '' && !part.includes('='));
  return { kind: kindOf(name, values), values };
}

function kindOf(name: string | undefined, values: ReadonlyMap<string, string>): string {
  const kind = name === undefined ? 'rectangle' : (sameAs[name] ?? name);
  if (kind !== 'rectangle') return kind;
  // Text is also drawn as a box that can't be seen.
  if (values.get('strokeColor') === 'none' && ['none', undefined].includes(values.get('fillColor')))
    return 'text';
  return values.get('rounded') === '1' ? 'rounded' : 'rectangle';
}

/** The text of a label: no markup, one blank between words, one form of quotes and dashes. */
export function plainLabel(label: string, isHtml: boolean): string {
  const text = isHtml ? decoded(label.replaceAll(/<[^>]*>/g, ' ')) : label;
  return text
    .normalize('NFKC')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/[‐-―]/g, '-')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[,.;:?!])/g, '')
    .trim();
}

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** Character references, and those of HTML's names that draw.io writes. */
function decoded(html: string): string {
  return html.replaceAll(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi,
    (whole, hex?: string, number?: string, name = '') => {
      if (hex === undefined && number === undefined) return entities[String(name)] ?? whole;
      const code = hex === undefined ? Number(number) : parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
