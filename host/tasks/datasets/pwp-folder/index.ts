export { pwpFolder } from './pwp-folder.ts';
