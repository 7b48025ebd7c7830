import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import Mocha from 'mocha';
import type { Runnable, Runner } from 'mocha';
import { type Summary, summaryVariable } from './summary.ts';

/** Mocha's own report, and a summary as JSON for the program that runs several passes. */
export default class SummaryReporter extends Mocha.reporters.Spec {
  readonly #files: Record<string, number> = {};
  readonly #failures: string[] = [];

  constructor(runner: Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const { EVENT_HOOK_END, EVENT_TEST_END, EVENT_TEST_FAIL, EVENT_RUN_END } = Mocha.Runner.constants;
    runner.on(EVENT_HOOK_END, (hook) => this.#count(hook));
    runner.on(EVENT_TEST_END, (test) => this.#count(test));
    runner.on(EVENT_TEST_FAIL, (failed, error: Error | undefined) => this.#fail(failed, error));
    runner.once(EVENT_RUN_END, () => this.#write());
  }

  #count(done: Runnable): void {
    const path = pathOf(done);
    this.#files[path] = (this.#files[path] ?? 0) + (done.duration ?? 0);
  }

  #fail(failed: Runnable, error: { readonly message?: string } | undefined): void {
    // Here too, since mocha's own list comes at the end of a pass, which may be an hour away.
    console.log(`      ${error?.message?.replaceAll('\n', '\n      ') ?? ''}`);
    // A hook that fails ends without any other event.
    if ('type' in failed && failed.type === 'hook') this.#count(failed);
    this.#failures.push(`${pathOf(failed)}: ${failed.titlePath().join(' › ')}`);
  }

  #write(): void {
    const path = process.env[summaryVariable];
    if (path === undefined) return;
    const { passes, failures, pending } = this.stats;
    const counts = { passed: passes, failed: failures, pending };
    const summary: Summary = { ...counts, files: this.#files, failures: this.#failures };
    writeFileSync(path, JSON.stringify(summary));
  }
}

function pathOf({ file }: Runnable): string {
  return file === undefined ? 'hooks of all files' : relative(process.cwd(), file);
}
