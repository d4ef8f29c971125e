/** Every export of a hook file must be a hook; a name that is none does not compile. */
export type OnlyHooks<Known, Exports> = {
  readonly [Name in keyof Exports]: Name extends keyof Known ? Known[Name] : never;
};

/** The exports of a hook file by name, each named so itself: one function may be several hooks, and messages and traces name them. */
export function namedHooks(exports: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(exports).map(([name, hook]) => [name, named(name, hook)]));
}

function named(name: string, hook: unknown): unknown {
  if (typeof hook !== "function" || hook.name === name) return hook;
  return { [name]: (...sent: unknown[]): unknown => Reflect.apply(hook, undefined, sent) }[name];
}
