export { bootstrap, usualBootstrap, type BootstrapOptions } from './bootstrap.ts';
export { wilson, type Interval } from './interval.ts';
export { mcnemar } from './mcnemar.ts';
export { deviation, mean, share, sum, variance } from './moments.ts';
export { passAtK } from './pass-at-k.ts';
