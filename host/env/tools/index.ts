export {
  callTool,
  callToolOver,
  checkedCall,
  isToolRefusal,
  sendCall,
  type CheckedCall,
  type SendToolCall,
  type ToolAnswer,
  type ToolCall,
} from './call.ts';
export type { AnswerPicture } from './picture.ts';
export { definitionIn, translated, type SetDefinition, type SetTool, type ToolSet } from './set.ts';
export { ideBench } from './ide-bench.ts';
export { setNames, toolSet } from './sets.ts';
