/** None yet. */
export const debugTools = {};
