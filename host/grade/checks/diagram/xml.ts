/** An element, as far as diagrams need it: text between elements is kept together. */
export interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: Element[];
  text: string;
}

const token =
  /<!--[^]*?-->|<\?[^]*?\?>|<!\[CDATA\[([^]*?)\]\]>|<![^>]*>|<\/\s*([\w:.-]+)\s*>|<([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)/gy;

/** Reads the XML that diagram editors write; no document types, no entities of one's own. Undefined where it is none. */
export function readXml(text: string): Element | undefined {
  const top: Element = { name: '', attributes: new Map(), children: [], text: '' };
  const open = [top];
  let end = 0;
  for (const match of text.matchAll(token)) {
    end = match.index + match[0].length;
    const [, verbatim, closed, opened, attributes, isEmpty, plain] = match;
    const current = open.at(-1);
    if (!current) return undefined;
    if (verbatim !== undefined) current.text += verbatim;
    else if (plain !== undefined) current.text += decoded(plain);
    else if (closed !== undefined) {
      if (open.length === 1 || current.name !== closed) return undefined;
      open.pop();
    } else if (opened !== undefined) {
      const element = { name: opened, attributes: attributesOf(attributes ?? ''), children: [], text: '' };
      current.children.push(element);
      if (isEmpty === '') open.push(element);
    }
  }
  const [only, ...others] = top.children;
  return end === text.length && open.length === 1 && others.length === 0 ? only : undefined;
}

/** All elements of a name, wherever they are, in the document's order. */
export function* descendants(element: Element, name: string): Generator<Element> {
  const left = [...element.children].reverse();
  for (let next = left.pop(); next; next = left.pop()) {
    if (next.name === name) yield next;
    left.push(...[...next.children].reverse());
  }
}

export function childOf(element: Element, name: string): Element | undefined {
  return element.children.find((child) => child.name === name);
}

function attributesOf(text: string): Map<string, string> {
  const pairs = text.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g);
  return new Map([...pairs].map(([, name = '', double, single]) => [name, decoded(double ?? single ?? '')]));
}

const named: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** Character references of XML, and HTML's blank, which labels are full of. */
export function decoded(text: string): string {
  return text.replaceAll(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi,
    (whole, hex?: string, number?: string, name = '') => {
      if (hex === undefined && number === undefined) return named[String(name)] ?? whole;
      const code = hex === undefined ? Number(number) : parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
