export { makeRefusedStep, settleThroughReload, withdrawCertainty } from './interrupted-step.ts';
export { playBatch } from './play-batch.ts';
