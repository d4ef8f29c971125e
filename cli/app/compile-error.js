// @ts-check
/** Where TypeScript cannot be compiled: a mistake in it, or nobody may write the result. */
export class CompileError extends Error {}
