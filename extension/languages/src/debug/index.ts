export { registerDebugger, type DebuggerKind } from './register.ts';
