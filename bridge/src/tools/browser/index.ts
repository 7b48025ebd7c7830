export { addBrowserTools, BrowserTests } from './browser-tests.ts';
