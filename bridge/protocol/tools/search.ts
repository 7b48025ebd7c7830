/** None yet. */
export const searchTools = {};
