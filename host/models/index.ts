export {
  contentsOf,
  vendors,
  type Block,
  type CallResult,
  type ComputerCall,
  type Content,
  type FunctionCall,
  type FunctionTool,
  type ImageMime,
  type Message,
  type Model,
  type ModelMessage,
  type ModelSource,
  type ModelTurn,
  type SafetyCheck,
  type TurnOptions,
  type TurnRequest,
  type Vendor,
} from './model.ts';
export { ClientModel } from './client.ts';
export { ModelError } from './ask.ts';
export { shownAddress } from './network.ts';
export type { Room } from './room.ts';
export { addUsage, unknownUsage, type Usage } from './usage.ts';
export { hasKey, keyVariables, openModel, openUnasked, readModelName } from './choose.ts';
export { defaultMaxOutput, defaultRetry, type ModelSettings, type RetrySettings } from './settings.ts';
export { costOf, priceOf, requirePrice, type Price } from './prices.ts';
export type { Exchange, Try } from './exchange.ts';
