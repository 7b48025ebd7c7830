export { ModelError } from './ask-model.ts';
export { ClientModel } from './client-model.ts';
export { redactAddress, type RequestTry } from './model-exchange.ts';
export {
  type AskPace,
  makeOwnPace,
  type MakeLimiter,
  makePace,
  type ModelRate,
  modelRate,
  type PaceQuestion,
  paceQuestion,
  parseModelRate,
} from './model-pace.ts';
export { computeCost, priceOf, requirePrice } from './model-prices.ts';
export { defaultMaxOutput, defaultTryMs, type ModelSettings } from './model-settings.ts';
export {
  type AnswerBlock,
  type CallResult,
  collectContents,
  type ConversationMessage,
  type FunctionCall,
  type FunctionTool,
  type ImageMime,
  type MessageContent,
  type Model,
  type ModelComputerCall,
  type ModelTurn,
  type TurnOptions,
  vendors,
} from './model.ts';
export { hasModelKey, openModel, openModelWithoutProbe } from './open-model.ts';
export { sharePace } from './rate-limiter.ts';
export type { ReportedLimits } from './server-refusal.ts';
export { addTokenUsage, type TokenUsage } from './token-usage.ts';
