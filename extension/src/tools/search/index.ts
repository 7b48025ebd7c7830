export { addSearchTools } from './search-tools.ts';
