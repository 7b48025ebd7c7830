export { diagramMatches } from './check.ts';
export type { Arrow, Diagram, Shape } from './diagram.ts';
export { readDrawio, type DrawioRead } from './drawio.ts';
export { matchDiagrams } from './match.ts';
