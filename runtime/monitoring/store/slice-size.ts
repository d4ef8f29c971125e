/** What is copied for the worker at once holds up the main thread, and what is written at once the worker: most of either. */
export const mostInSlice = 500;

/** Bytes of the same. */
export const largestSlice = 256 * 1024;
