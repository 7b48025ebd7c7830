/** To the page: the file's text, at first and after each change that the page did not make. */
export interface ShowText {
  readonly kind: 'show';
  readonly text: string;
}

/** Commands of the IDE for the document, sent by the page so that they come after its edits. */
export type DocumentCommand = 'undo' | 'redo' | 'save';

/** From the page. */
export type FromPage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'edit'; readonly text: string }
  | { readonly kind: 'command'; readonly command: DocumentCommand };

/** A `.drawio` file whose first page is edited; everything else in it is kept unchanged. */
export class DrawioFile {
  readonly #document: XMLDocument;
  readonly #page: Element;
  /** The `root` that holds the cells. */
  readonly root: Element;

  private constructor(document: XMLDocument, page: Element, root: Element) {
    this.#document = document;
    this.#page = page;
    this.root = root;
  }

  /** Throws an error that tells people what is wrong with the text. */
  static async read(text: string): Promise<DrawioFile> {
    const document = parseXml(text.trim() === '' ? emptyFile : text);
    if (document.documentElement.localName === 'mxGraphModel')
      return new DrawioFile(document, document.documentElement, findRoot(document.documentElement));
    const page = document.querySelector('mxfile > diagram');
    if (!page) throw new Error('it has no diagram');
    const model = page.querySelector('mxGraphModel') ?? (await inflatePage(page));
    page.replaceChildren(document.importNode(model, true));
    return new DrawioFile(document, page, findRoot(page));
  }

  /** Number of pages that are not shown. */
  get otherPages(): number {
    return Math.max(0, this.#document.querySelectorAll('mxfile > diagram').length - 1);
  }

  createElement(name: string): Element {
    return this.#document.createElement(name);
  }

  text(): string {
    indent(this.#page, this.#page === this.#document.documentElement ? 0 : 1);
    return `${new XMLSerializer().serializeToString(this.#document)}\n`;
  }
}

const emptyFile =
  '<mxfile host="pwp"><diagram name="Page-1" id="page-1"><mxGraphModel dx="800" dy="600" grid="1" gridSize="10" guides="1" ' +
  'tooltips="1" connect="1" arrows="1" fold="1" page="1" pageScale="1" pageWidth="850" pageHeight="1100" math="0" shadow="0">' +
  '<root><mxCell id="0"/><mxCell id="1" parent="0"/></root></mxGraphModel></diagram></mxfile>';

function parseXml(text: string): XMLDocument {
  const document = new DOMParser().parseFromString(text, 'text/xml');
  const wrong = document.querySelector('parsererror');
  if (wrong) throw new Error(`it is not XML: ${(wrong.textContent ?? '').trim().split('\n')[1] ?? 'broken'}`);
  return document;
}

/** draw.io's compressed form: the percent-encoded text, deflated, in Base64. */
async function inflatePage(page: Element): Promise<Element> {
  try {
    const bytes = Uint8Array.from(atob((page.textContent ?? '').trim()), (one) => one.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return parseXml(decodeURIComponent(await new Response(stream).text())).documentElement;
  } catch (cause) {
    throw new Error('its first page can not be decompressed', { cause });
  }
}

function findRoot(within: Element): Element {
  const root = within.querySelector('root');
  if (!root) throw new Error('its first page has no mxGraphModel with a root');
  return root;
}

/** One element per line, as draw.io writes it, so that a diff shows each change. */
function indent(element: Element, depth: number): void {
  if (element.children.length === 0) return;
  const line = (levels: number) => element.ownerDocument.createTextNode(`\n${'  '.repeat(levels)}`);
  for (const node of [...element.childNodes]) if (node.nodeType === Node.TEXT_NODE) node.remove();
  for (const child of [...element.children]) {
    element.insertBefore(line(depth + 1), child);
    indent(child, depth + 1);
  }
  element.append(line(depth));
}
