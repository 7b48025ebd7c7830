export {
  type ActionOutcome,
  type Effect,
  type Evidence,
  type EvidenceAround,
  type EvidenceRequest,
  takeEvidence,
} from './evidence.ts';
export { awaitsSetting, describePending, EventsSinceLastLook } from './ide-events.ts';
export { judgeAction, whyAstray } from './judge-action.ts';
export { compareEvidence } from './seen-changes.ts';
