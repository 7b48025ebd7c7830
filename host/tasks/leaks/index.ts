export { findLeaks, type Leak, type Secret } from './find.ts';
