import schema from "../../../schemas/manifest.schema.json" with { type: "json" };
import { suggestion } from "../../../vocabulary/nearest.ts";
import { knownVariables, type Variables } from "./environment-variables.ts";

/** A key of the manifest that a variable sets. */
export interface Setting {
  /** `SERVICE_SET_<SECTION>__<KEY>` */
  readonly variable: string;
  /** Null at the top level. */
  readonly section: string | null;
  readonly key: string;
  readonly value: unknown;
  /** The value is the text of the variable itself, not JSON. */
  readonly isText: boolean;
}

interface KeySchema {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, KeySchema>>;
}

interface Key extends Pick<Setting, "section" | "key"> {
  readonly schema: KeySchema;
}

export const settingPrefix = "SERVICE_SET_";

const generated = "it is part of the generated code: change it in the manifest, then run npm run generate";
const fixed: Readonly<Record<string, string>> = {
  name: generated,
  service_schema: generated,
  service_prefix: generated,
  auth_prefix: generated,
  modules: generated,
  "typescript.kysely": generated,
  "docs.title": generated,
  "docs.version": generated,
  "docs.description": generated,
  lint_ignore: "only npm run generate reads it, from the manifest",
};

const topLevel: Readonly<Record<string, KeySchema>> = schema.properties;
const definitions: Readonly<Record<string, KeySchema>> = schema.definitions;
const sections = Object.entries(topLevel).flatMap(([name, { properties }]) =>
  properties === undefined ? [] : [{ name, properties }],
);

/** Every key that a variable can set, by the variable. */
export const settableKeys: ReadonlyMap<string, Key> = new Map([
  ...Object.entries(topLevel)
    .filter(([key, { properties }]) => properties === undefined && key !== "$schema" && !(key in fixed))
    .map(([key, keySchema]) => entry(null, key, keySchema)),
  ...sections.flatMap(({ name, properties }) =>
    Object.entries(properties)
      .filter(([key]) => !(`${name}.${key}` in fixed))
      .map(([key, keySchema]) => entry(name, key, keySchema)),
  ),
]);

function entry(section: string | null, key: string, keySchema: KeySchema): [string, Key] {
  return [variableOf(section === null ? key : `${section}__${key}`), { section, key, schema: keySchema }];
}

function withoutPrefix(variable: string): string {
  return variable.slice(settingPrefix.length);
}

function variableOf(name: string): string {
  return `${settingPrefix}${name.toUpperCase()}`;
}

/**
 * The keys of the manifest that the environment sets, sorted by variable. An empty variable counts as unset.
 * Adds errors to `problems`.
 */
export function readSettings(variables: Variables, problems: string[]): Setting[] {
  const names = Object.keys(variables).filter((name) => name.startsWith(settingPrefix));
  return names.sort().flatMap((variable) => {
    const text = variables[variable] ?? "";
    if (text === "") return [];
    const found = settableKeys.get(variable);
    if (found !== undefined) return [settingOf(variable, text, found)];
    problems.push(`${variable} ${settingProblem(variable)}`);
    return [];
  });
}

function settingOf(variable: string, text: string, { schema: keySchema, ...place }: Key): Setting {
  const types = typesOf(keySchema);
  const value = jsonOf(text);
  // `123` for a setting of type string is the string "123", although it is valid JSON.
  const isText =
    value === undefined ||
    (types.includes("string") && typeof value !== "string" && !(value === null && types.includes("null")));
  return { variable, ...place, value: isText ? text : value, isText };
}

function typesOf({ type, $ref: reference }: KeySchema): readonly string[] {
  const referred = reference === undefined ? undefined : definitions[reference.replace("#/definitions/", "")];
  return [type ?? referred?.type ?? []].flat();
}

/** Undefined if the text is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function settingProblem(variable: string): string {
  const reason = Object.entries(fixed).find(([key]) => variableOf(key.replace(".", "__")) === variable)?.[1];
  if (reason !== undefined) return `cannot be set: ${reason}`;
  const section = sections.find(({ name }) => variableOf(name) === variable)?.name;
  if (section !== undefined) return `names a section: set its keys one by one, as ${variable}__<KEY>`;
  const above = [...settableKeys].find(
    ([name, key]) => key.section !== null && variable.startsWith(`${name}__`),
  );
  if (above !== undefined) return `has too many levels: set ${above[0]} to the whole value as JSON`;
  const [, key = ""] = variable.split("__");
  const own = knownVariables.find((name) => key !== "" && name.endsWith(`_${key}`));
  if (own !== undefined) return `is not a key of the manifest: use ${own}`;
  const names = [...settableKeys.keys()].map(withoutPrefix);
  return `is not a key of the manifest${suggestion(withoutPrefix(variable), names, settingPrefix)}`;
}

/**
 * Puts settings into the content of a manifest. A section that is not an object stays, so that the check
 * rejects it.
 */
export function applySettings(content: Record<string, unknown>, settings: readonly Setting[]): void {
  for (const { section, key, value } of settings) {
    if (section === null) content[key] = value;
    else content[section] = withKey(content[section] ?? {}, key, value);
  }
}

function withKey(section: unknown, key: string, value: unknown): unknown {
  const isObject = typeof section === "object" && section !== null && !Array.isArray(section);
  return isObject ? { ...section, [key]: value } : section;
}

/** The setting that sets a path of the manifest, such as `cors.origins.0`. */
export function settingAt(place: string, settings: readonly Setting[]): Setting | undefined {
  return settings.find(({ section, key }) => {
    const path = section === null ? key : `${section}.${key}`;
    return place === path || place.startsWith(`${path}.`);
  });
}
