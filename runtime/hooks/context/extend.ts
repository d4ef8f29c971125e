/** Adds properties to a context. Getters stay getters: what stands behind them is made when code asks for it. */
export function extend<Context extends object, Added extends object>(
  context: Context,
  added: Added,
): asserts context is Context & Added {
  Object.defineProperties(context, Object.getOwnPropertyDescriptors(added));
}
