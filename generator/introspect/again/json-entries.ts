import { isJsonObject, type Json } from "../../../vocabulary/json.ts";

/** The models file, or one model, as parsed. */
export type JsonEntries = { readonly [key: string]: Json };
/** A part of it while it is edited. */
export type EditedEntries = Record<string, Json>;

/** The key of the fields, which has two names. */
export function sectionOf(json: JsonEntries): "schema" | "fields" {
  return "schema" in json ? "schema" : "fields";
}

/** Without a value, the key is removed. */
export function set(entries: EditedEntries, key: string, value: Json | undefined): void {
  if (value === undefined) delete entries[key];
  else entries[key] = value;
}

/** Changes a list that is there; an empty one is removed. */
export function setList(entries: EditedEntries, key: string, list: readonly Json[]): void {
  if (key in entries) set(entries, key, list.length === 0 ? undefined : list);
}

/** Undefined for an object without keys. */
export function emptyToAbsent(entries: EditedEntries): Json | undefined {
  return Object.keys(entries).length === 0 ? undefined : entries;
}

/** Whether a value is an object. */
export function isEntries(value: Json): value is JsonEntries {
  return isJsonObject(value);
}

/** A copy of an object; empty for another value. */
export function entriesOf(value: Json | undefined): EditedEntries {
  return value !== undefined && isEntries(value) ? { ...value } : {};
}

/** Empty for a value that is no list. */
export function listOrEmpty(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
