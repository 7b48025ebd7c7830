import { profileTools } from '../../../../bridge/protocol/index.ts';
import type { ToolHandlers } from '../../../../bridge/rpc/index.ts';
import { openProfile } from './open.ts';
import { profileSummary } from './summary.ts';

/** Adds the tools of CPU profiles. */
export function addProfile(handlers: ToolHandlers): ToolHandlers {
  return handlers
    .add(profileTools.profileSummary, (input) => profileSummary(input))
    .add(profileTools.openProfile, (input) => openProfile(input));
}
