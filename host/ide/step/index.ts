export { makeRefusedStep, settleThroughReload, withdrawCertainty } from './interrupted-step.ts';
export { judgeBatch } from './judge-batch.ts';
export { playBatch, type PlayedBatch } from './play-batch.ts';
