/** None yet. */
export const viewTools = {};
