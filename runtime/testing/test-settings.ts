import type { Manifest } from "../core/config/index.ts";

/** Generated code contains these values, so a test cannot change them. */
type Fixed = "name" | "service_prefix" | "auth_prefix" | "modules" | "typescript";

/** Manifest keys with other values. */
export type TestSettings = {
  readonly [Key in Exclude<keyof Manifest, Fixed>]?: Manifest[Key] extends string | undefined
    ? string
    : Partial<Manifest[Key]>;
};

/** Settings as environment variables: `SERVICE_SET_<SECTION>__<KEY>`. */
export function variablesOf(settings: TestSettings): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([key, value]) =>
      typeof value === "object"
        ? Object.entries(value).map(([inner, its]) => variable(`${key}__${inner}`, its))
        : [variable(key, value)],
    ),
  );
}

function variable(name: string, value: unknown): [string, string] {
  return [`SERVICE_SET_${name.toUpperCase()}`, value === undefined ? "" : JSON.stringify(value)];
}
