import { SaxesParser } from 'saxes';

/** One test of a report in JUnit's format. */
export interface TestCase {
  readonly name: string;
  readonly group: string;
  readonly file: string | undefined;
  readonly status: 'passed' | 'failed' | 'error' | 'skipped' | 'xfailed';
  readonly seconds: number;
  readonly message: string;
}

interface OpenCase {
  readonly attributes: Readonly<Record<string, string>>;
  status: TestCase['status'];
  message: string;
}

const outcomes: Readonly<Record<string, TestCase['status']>> = {
  failure: 'failed',
  error: 'error',
  skipped: 'skipped',
};

/** Reads what pytest and Node.js write as JUnit XML. */
export function parseJunitReport(xml: string): TestCase[] {
  const tests: TestCase[] = [];
  let open: OpenCase | undefined;
  let inside = false;
  const addText = (text: string) => {
    if (open && inside) open.message += text;
  };
  const parser = new SaxesParser();
  // Output of tests can contain characters that XML forbids: the parser reads as much as possible.
  parser.on('error', () => undefined);
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('opentag', ({ name, attributes }) => {
    const outcome = outcomes[name];
    if (name === 'testcase') open = { attributes, status: 'passed', message: '' };
    else if (open && outcome !== undefined) {
      const { type = '', message = '' } = attributes;
      open.status = type === 'pytest.xfail' ? 'xfailed' : outcome;
      open.message = message === '' ? '' : `${message}\n`;
      inside = true;
    }
  });
  parser.on('closetag', ({ name }) => {
    inside = false;
    if (name !== 'testcase' || !open) return;
    tests.push(makeTestCase(open));
    open = undefined;
  });
  parser.write(xml).close();
  return tests;
}

function makeTestCase({ attributes, status, message }: OpenCase): TestCase {
  const { name = '', classname = '', file, time = '0' } = attributes;
  return { name, group: classname, file, status, seconds: Number(time) || 0, message: message.trim() };
}
