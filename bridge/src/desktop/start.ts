import { codeServerPort, places } from '../config.ts';

/** The address of the workbench: its folder, and the files that are open at the start. */
export function startUrl(files: readonly string[]): string {
  const authority = `127.0.0.1:${codeServerPort}`;
  const url = new URL(`http://${authority}/`);
  url.searchParams.set('folder', places.workspace);
  // VS Code's own way for a page to be opened with files: its smoke tests and `code-server -r` use it.
  const payload = files.map((path) => ['openFile', `vscode-remote://${authority}${encodeURI(path)}`]);
  if (payload.length > 0) url.searchParams.set('payload', JSON.stringify(payload));
  return url.href;
}
