// @ts-check
/**
 * Has `kirak/…` lead to the sources of the runtime, as `--conditions=source` does. For the thread of Node.js that resolves
 * imports.
 *
 * @type {import("node:module").ResolveHook}
 */
export function resolve(specifier, context, nextResolve) {
  return nextResolve(specifier, { ...context, conditions: [...context.conditions, "source"] });
}
