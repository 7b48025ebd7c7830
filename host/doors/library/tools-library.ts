/** `programming-with-pixels/tools`: calls of tools, and marks. */
export {
  toolErrorReason,
  type Box,
  type Mark,
  type MarksQuery,
  type Point,
  type ToolDefinition,
} from '../../../bridge/protocol/index.ts';
export { type ToolAnswer, type ToolCall } from '../../ide/index.ts';
