export { PytestController } from './controller.ts';
