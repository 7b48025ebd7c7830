/** None yet. */
export const ideTools = {};
