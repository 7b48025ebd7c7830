export { byId, highlighted, make, setText } from './dom.ts';
