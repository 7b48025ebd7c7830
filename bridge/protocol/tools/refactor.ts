/** None yet. */
export const refactorTools = {};
