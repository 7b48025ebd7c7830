/** None yet. */
export const historyTools = {};
