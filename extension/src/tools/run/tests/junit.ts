/** One test of a report in JUnit's format. */
export interface TestCase {
  readonly name: string;
  readonly group: string;
  readonly file: string | undefined;
  readonly status: 'passed' | 'failed' | 'error' | 'skipped' | 'xfailed';
  readonly seconds: number;
  readonly message: string;
}

interface Open {
  readonly attributes: Readonly<Record<string, string>>;
  status: TestCase['status'];
  message: string;
}

const outcomes: Readonly<Record<string, TestCase['status']>> = {
  failure: 'failed',
  error: 'error',
  skipped: 'skipped',
};

/**
 * Reads what pytest and Node.js write as JUnit XML. Not a parser of all XML: no entities of its own, no namespaces; text
 * that looks like a tag stands escaped or in CDATA there.
 */
export function readReport(xml: string): TestCase[] {
  const tests: TestCase[] = [];
  let open: Open | undefined;
  let inside = false;
  const tokens = /<!\[CDATA\[([^]*?)\]\]>|<(\/?)([\w:.-]+)((?:\s+[\w:.-]+="[^"]*")*)\s*(\/?)>|([^<]+)/g;
  for (const [, cdata, closes, tag = '', attributes = '', empty, words] of xml.matchAll(tokens)) {
    if (tag === '') {
      if (open && inside) open.message += cdata ?? unescaped(words ?? '');
      continue;
    }
    const outcome = outcomes[tag];
    if (closes === '/') {
      inside = false;
      if (tag === 'testcase' && open) tests.push(caseOf(open));
      if (tag === 'testcase') open = undefined;
    } else if (tag === 'testcase') {
      open = { attributes: attributesOf(attributes), status: 'passed', message: '' };
      if (empty !== '/') continue;
      tests.push(caseOf(open));
      open = undefined;
    } else if (open && outcome !== undefined) {
      const { type = '', message = '' } = attributesOf(attributes);
      open.status = type === 'pytest.xfail' ? 'xfailed' : outcome;
      open.message = message === '' ? '' : `${message}\n`;
      inside = empty !== '/';
    }
  }
  return tests;
}

function caseOf({ attributes, status, message }: Open): TestCase {
  const { name = '', classname = '', file, time = '0' } = attributes;
  return { name, group: classname, file, status, seconds: Number(time) || 0, message: message.trim() };
}

function attributesOf(text: string): Record<string, string> {
  const found = text.matchAll(/([\w:.-]+)="([^"]*)"/g);
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, unescaped(value)]));
}

function unescaped(text: string): string {
  const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return text.replaceAll(
    /&(?:#x([0-9a-fA-F]+)|#(\d+)|(\w+));/g,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return named[name] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
