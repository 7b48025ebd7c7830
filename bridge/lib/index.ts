export {
  imageMountPoint,
  imagePrograms,
  type ImageVariables,
  readImageVariables,
  splitImageVariables,
} from './agent-root.ts';
export { findProgram, isProgram } from './find-program.ts';
export { type Child, type ChildOptions, type Exit, signalGroup, startChild } from './child-process.ts';
export { SerialQueue, SingleFlight } from './concurrency.ts';
export {
  type Cancellable,
  deadline,
  type Deadline,
  neverAborted,
  pause,
  poll,
  type Probe,
  raceSignal,
} from './deadline.ts';
export {
  collectCauses,
  describeError,
  isErrorCode,
  isTimeout,
  PwpError,
  type PwpErrorCode,
} from './errors.ts';
export { createHttpServer, guardListener, isSameSecret, parseRequestUrl } from './http-server.ts';
export { readImageFacts } from './image-facts.ts';
export {
  type CallFrame,
  type FunctionTime,
  layOutFlames,
  type Profile,
  rankFunctions,
  readProfile,
} from './profile/index.ts';
export { BoundedOutput, encodeLspMessage, LspMessageReader, readBounded } from './streams.ts';
