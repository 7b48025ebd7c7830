import { temporaryFolder, type TemporaryFolder } from './folder.ts';

/** Gives the tests of a suite a cache folder of their own, which is empty. */
export function useOwnHome(): void {
  const usual = process.env['PWP_HOME'];
  let folder: TemporaryFolder;
  before(async () => {
    folder = await temporaryFolder();
    process.env['PWP_HOME'] = folder.file('home');
  });
  after(async () => {
    if (usual === undefined) delete process.env['PWP_HOME'];
    else process.env['PWP_HOME'] = usual;
    await folder[Symbol.asyncDispose]();
  });
}
