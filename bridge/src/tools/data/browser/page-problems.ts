import * as z from 'zod';
import { clip } from '../../../../lib/index.ts';
import type { dataTools, ToolOutput } from '../../../../protocol/index.ts';

type Complaint = ToolOutput<typeof dataTools.browserTest>['errors'][number];

const most = { count: 100, text: 2000 };

const called = z.object({
  type: z.string(),
  args: z.array(z.object({ value: z.unknown().optional(), description: z.string().optional() })),
});
const thrown = z.object({
  exceptionDetails: z.object({
    text: z.string(),
    exception: z.object({ description: z.string().optional() }).optional(),
  }),
});
const logged = z.object({
  entry: z.object({ source: z.string(), level: z.string(), text: z.string(), url: z.string().optional() }),
});
const opened = z.object({ type: z.string(), message: z.string() });

/** Errors and warnings of a page during a test. */
export class PageProblems {
  #all: Complaint[] = [];
  #omitted = 0;

  /** Those since the previous call. */
  take(): { errors: Complaint[]; omitted: number } {
    const taken = { errors: this.#all, omitted: this.#omitted };
    this.#all = [];
    this.#omitted = 0;
    return taken;
  }

  /** Handles an event of the browser. */
  add(method: string, params: unknown): void {
    if (method === 'Runtime.consoleAPICalled') this.#onConsole(called.parse(params));
    else if (method === 'Runtime.exceptionThrown') {
      const { text, exception } = thrown.parse(params).exceptionDetails;
      this.#add('exception', exception?.description ?? text);
    } else if (method === 'Log.entryAdded') this.#onLog(logged.parse(params).entry);
    else if (method === 'Page.javascriptDialogOpening') {
      const { type, message } = opened.parse(params);
      this.#add('dialog', `${type}: ${message}`);
    }
  }

  #onConsole({ type, args }: z.output<typeof called>): void {
    if (!['error', 'warning', 'assert'].includes(type)) return;
    const words = args.map(
      (one) => one.description ?? (typeof one.value === 'string' ? one.value : JSON.stringify(one.value)),
    );
    this.#add('console', `${type}: ${words.join(' ')}`);
  }

  #onLog({ source, level, text, url }: z.output<typeof logged>['entry']): void {
    // The icon is requested by the browser, not by the page.
    if (level !== 'error' || url?.endsWith('/favicon.ico') === true) return;
    const kind = source === 'network' ? 'network' : 'console';
    this.#add(kind, url === undefined ? text : `${text} (${url})`);
  }

  #add(kind: Complaint['kind'], text: string): void {
    if (this.#all.length >= most.count) this.#omitted++;
    else this.#all.push({ kind, text: clip(text, most.text) });
  }
}
