/** None yet. */
export const dataTools = {};
