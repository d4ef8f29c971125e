import type { Service } from "#runtime/server/service";

/** An app whose hooks are watched. */
export interface WatchedHooks {
  readonly app: Service;
  /** The hook that threw or changed its value since the last `clear`. `owner` is a model key or `graphql`. */
  effectOf(owner: string, operation: string): string | null;
  clear(): void;
}

/** Watches the hooks of an app: a hook causes a difference only if it threw or changed something. */
export function watchHooks(app: Service): WatchedHooks {
  const effects = new Set<string>();
  const watched = <Hooks extends object>(owner: string, hooks: Hooks): Hooks =>
    new Proxy(hooks, {
      get(target, name) {
        const hook: unknown = Reflect.get(target, name);
        if (typeof hook !== "function" || typeof name !== "string") return hook;
        const noted = () => effects.add(`${owner}.${name}`);
        const watching = async (value: unknown, ...rest: unknown[]): Promise<unknown> => {
          const before = JSON.stringify(value);
          try {
            const result: unknown = await Reflect.apply(hook, undefined, [value, ...rest]);
            if (JSON.stringify(result ?? value) !== before) noted();
            return result;
          } catch (error) {
            noted();
            throw error;
          }
        };
        return Object.defineProperty(watching, "name", { value: name });
      },
    });
  return {
    app: {
      ...app,
      models: app.models.map((entry) => ({ ...entry, hooks: watched(entry.model.key, entry.hooks) })),
      graphql: { hooks: watched("graphql", app.graphql.hooks) },
    },
    effectOf(owner, operation) {
      const names = [`before_${operation}`, `after_${operation}`];
      return names.find((name) => effects.has(`${owner}.${name}`)) ?? null;
    },
    clear: () => effects.clear(),
  };
}
