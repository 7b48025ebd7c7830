import { SaxesParser } from 'saxes';

/** An element, as far as diagrams need it: text between elements is kept together. */
export interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: Element[];
  text: string;
}

/**
 * Reads a document; undefined if it is not well-formed. An entity that is not XML's own is an error, never expanded.
 */
export function readXml(text: string): Element | undefined {
  const top: Element = { name: '', attributes: new Map(), children: [], text: '' };
  const open = [top];
  const addText = (part: string) => {
    const current = open.at(-1);
    if (current) current.text += part;
  };
  const parser = new SaxesParser();
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: new Map(Object.entries(attributes)), children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  try {
    parser.write(text).close();
  } catch {
    return undefined;
  }
  return top.children[0];
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
