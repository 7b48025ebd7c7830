export { ExecAgent, requireCommand } from './exec-agent.ts';
export { execProtocol } from './messages.ts';
