import { codeServerPort, places } from '../config.ts';

/** The address of the workbench, with its folder. */
export function startUrl(): string {
  const url = new URL(`http://127.0.0.1:${codeServerPort}/`);
  url.searchParams.set('folder', places.workspace);
  return url.href;
}
