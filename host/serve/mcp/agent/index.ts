export { AgentSeat } from './agent-seat.ts';
