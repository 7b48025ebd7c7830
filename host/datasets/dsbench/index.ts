export { dsbenchAnalysis } from './analysis.ts';
export { dsbenchModelling } from './modelling.ts';
