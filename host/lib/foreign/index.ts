export {
  foreignPath,
  hasForeign,
  mostForeignBytes,
  openForeign,
  readForeign,
  readForeignText,
  streamForeign,
  type ForeignFile,
} from './read.ts';
export { hasForeignFolder, listForeign, targetOf, type Listed } from './list.ts';
