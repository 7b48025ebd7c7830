export { setNames, toolSet } from './known-tool-sets.ts';
export {
  type AnswerPicture,
  callTool,
  callToolOver,
  type CheckedCall,
  checkToolCall,
  isToolRefusal,
  sendCheckedCall,
  type ToolAnswer,
  type ToolCall,
} from './tool-call.ts';
export { describeSetTool, type SetTool, translateSetCall } from './tool-set.ts';
