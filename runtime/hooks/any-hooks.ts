import { fillsExport } from "../../vocabulary/hook-names.ts";

/** Every export of a hook file must be a hook; a name that is none does not compile. */
export type OnlyHooks<Known, Exports> = {
  readonly [Name in keyof Exports]: Name extends keyof Known
    ? Known[Name] & (Name extends typeof fillsExport ? NoOthers<Known[Name], Exports[Name]> : unknown)
    : never;
};

/** No key but those of a type that has them all optional: a misspelt one would go unseen. */
type NoOthers<Type, Exported> = {
  readonly [Key in Exclude<keyof Exported, keyof NonNullable<Type>>]: never;
};

/** The hooks that a hook file exports, by name, each named so itself: one function may be several hooks, and messages and traces name them. */
export function namedHooks(exports: object): Record<string, unknown> {
  const hooks = Object.entries(exports).filter(([name]) => name !== fillsExport);
  return Object.fromEntries(hooks.map(([name, hook]) => [name, named(name, hook)]));
}

function named(name: string, hook: unknown): unknown {
  if (typeof hook !== "function" || hook.name === name) return hook;
  return { [name]: (...sent: unknown[]): unknown => Reflect.apply(hook, undefined, sent) }[name];
}
