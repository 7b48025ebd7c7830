import { dataTools } from '../../../../protocol/index.ts';
import type { ToolHandlers } from '../../../../rpc/index.ts';
import type { BrowserTests } from './tests.ts';

export { BrowserTests } from './tests.ts';

/** Adds tests of pages. */
export function addBrowser(handlers: ToolHandlers, tests: BrowserTests): ToolHandlers {
  return handlers.add(dataTools.browserTest, (input, context) => tests.run(input, context));
}
