export { Store, type Draft, type Held } from './store.ts';
