import { isDeepStrictEqual } from "node:util";
import type { Json } from "../../../vocabulary/json.ts";
import { elementTypeOf } from "../../../vocabulary/migrations/catalog.ts";
import type {
  Column,
  ColumnDefault,
  ForeignKey,
  Index,
} from "../../../vocabulary/migrations/migration-steps.ts";
import type { ModelDefinition } from "../../definition/definition.ts";
import { heldTypeOf } from "../as-found/held-type.ts";
import {
  type EditedEntries,
  emptyToAbsent,
  entriesOf,
  isEntries,
  type JsonEntries,
  listOrEmpty,
  sectionOf,
  set,
  setList,
} from "./json-entries.ts";
import { isSameKey, type TableChange } from "./table-changes.ts";

/** A model whose table the database has changed. */
export interface ChangedModel {
  readonly change: TableChange;
  readonly model: ModelDefinition;
  /** The names of fields by their columns, of new columns too. */
  readonly names: ReadonlyMap<string, string>;
  /** The same model as an introspection from the start has it, with the names of the project. */
  readonly fresh: JsonEntries;
}

/** Changes of a models file. */
export interface ModelChanges {
  readonly changed: readonly ChangedModel[];
  /** Keys of models whose tables are gone. */
  readonly dropped: readonly string[];
  /** Further models, and the collections that models get through them and through new foreign keys, by model. */
  readonly added: JsonEntries;
  readonly collections: ReadonlyMap<string, JsonEntries>;
}

/** The models file with the changes of the database; all else stays as it is. Adds models only to the main file. */
export function editedModels(file: JsonEntries, changes: ModelChanges, isMain: boolean): JsonEntries {
  const entries = Object.entries(file).flatMap(([key, json]): [string, Json][] => {
    if (changes.dropped.includes(key)) return [];
    if (key.startsWith("$") || !isEntries(json)) return [[key, json]];
    const changed = changes.changed.find(({ model }) => model.key === key);
    const model = changed === undefined ? { ...json } : editedModel(json, changed);
    return [[key, withCollections(model, key, changes)]];
  });
  return Object.fromEntries([...entries, ...(isMain ? Object.entries(changes.added) : [])]);
}

function editedModel(json: JsonEntries, { change, model, fresh }: ChangedModel): EditedEntries {
  const draft: EditedEntries = { ...json };
  const section = sectionOf(json);
  const fields = entriesOf(json[section]);
  const columns = entriesOf(json["columns"]);
  const [freshFields, freshColumns] = [entriesOf(fresh["fields"]), entriesOf(fresh["columns"])];
  const editor: Editor = {
    ...{ draft, fields, columns, freshFields, freshColumns, fresh, model },
    names: (column) => model.fields.filter((field) => field.column === column).map(({ name }) => name),
    runtime: (column) =>
      Object.entries(model.columns).flatMap(([name, stored]) => (stored?.name === column ? [name] : [])),
  };
  for (const column of change.dropped) dropColumn(editor, column);
  for (const index of change.indexes.gone)
    if (!change.indexes.come.some((other) => isSameKey(index, other))) dropIndex(editor, index);
  for (const key of change.foreignKeys.gone) dropReference(editor, key, change);
  for (const column of change.retyped) retype(editor, column, change);
  for (const { name } of change.renulled) copyKeys(editor, name, ["required"]);
  for (const column of change.redefaulted) redefault(editor, column, change);
  for (const column of change.added) addColumn(editor, column.name);
  for (const key of change.foreignKeys.come) addReference(editor, key);
  for (const index of change.indexes.come) addIndex(editor, index);
  set(draft, "columns", emptyToAbsent(columns));
  return { ...draft, [section]: fields };
}

/** A model while it is edited. `names` and `runtime` are the fields and runtime columns of a column. */
interface Editor {
  readonly draft: EditedEntries;
  readonly fields: EditedEntries;
  readonly columns: EditedEntries;
  readonly fresh: JsonEntries;
  readonly freshFields: JsonEntries;
  readonly freshColumns: JsonEntries;
  readonly model: ModelDefinition;
  readonly names: (column: string) => readonly string[];
  readonly runtime: (column: string) => readonly string[];
}

function dropColumn(
  { draft, fields, columns, fresh, names, runtime }: Editor,
  { name: column }: Column,
): void {
  const gone = names(column);
  for (const name of gone) delete fields[name];
  for (const name of runtime(column)) {
    columns[name] = null;
    if (name === "deleted_at") delete draft["soft_delete"];
    if (name !== "id") continue;
    draft["read_only"] = true;
    set(draft, "key", fresh["key"]);
  }
  for (const list of ["unique", "indexes"]) {
    const kept = listOrEmpty(draft[list]).filter(
      (entry) => !listOrEmpty(entry).some((name) => gone.includes(String(name))),
    );
    setList(draft, list, kept);
  }
  setList(
    draft,
    "key",
    listOrEmpty(draft["key"]).filter((name) => !gone.includes(String(name))),
  );
}

/** Takes what describes a column from the fresh model: all of a runtime column, the named keys of a field. */
function copyKeys(editor: Editor, column: string, keys: readonly string[]): void {
  const { fields, columns, freshFields, freshColumns } = editor;
  // Only a person writes `deleted_at`.
  for (const name of editor.runtime(column))
    if (name !== "deleted_at") set(columns, name, freshColumns[name]);
  for (const name of editor.names(column)) {
    const from = entriesOf(freshFields[name]);
    const field = entriesOf(fields[name]);
    for (const key of keys) set(field, key, from[key]);
    fields[name] = field;
  }
}

/** A person closes columns that a trigger fills in: only a column that the database itself computes is opened again. */
function redefault(editor: Editor, { name, default: now }: Column, { was }: TableChange): void {
  const { fields, columns } = editor;
  const isClosed = (entries: EditedEntries, key: string) => entriesOf(entries[key])["generated"] === true;
  const former = was.columns.find((column) => column.name === name)?.default;
  const isKept = !isComputed(former) && editor.names(name).some((key) => isClosed(fields, key));
  const runtime = now === undefined ? [] : editor.runtime(name).filter((key) => isClosed(columns, key));
  copyKeys(editor, name, isKept ? [] : ["default", "generated"]);
  for (const key of runtime) {
    const stored = columns[key];
    columns[key] = {
      ...(typeof stored === "string" ? { column: stored } : entriesOf(stored)),
      generated: true,
    };
  }
}

function isComputed(value: ColumnDefault | undefined): boolean {
  return typeof value === "object" ? "computed" in value : value?.endsWith("identity") === true;
}

const typeKeys = ["type", "db_type", "max_length", "precision", "scale", "enum"];

/** Changes only the keys that differ between the former and the new type: a person can have chosen `email` for a text. */
function retype(editor: Editor, column: Column, { was }: TableChange): void {
  const { draft, fresh, freshFields, fields } = editor;
  const former = was.columns.find(({ name }) => name === column.name);
  const names = editor.names(column.name);
  for (const name of names) {
    const now = entriesOf(freshFields[name]);
    const isRelation = now["type"] === "belongs_to";
    const before = isRelation || former === undefined ? entriesOf(fields[name]) : typeEntries(former);
    const keys = isRelation ? ["db_type"] : typeKeys;
    const differing = keys.filter((key) => !isDeepStrictEqual(before[key], now[key]));
    copyKeys(editor, column.name, differing);
    const field = entriesOf(fields[name]);
    // A person can have written a `db_type` that an introspected field does not need.
    if (former !== undefined && field["db_type"] === former.type)
      fields[name] = { ...field, db_type: column.type.replaceAll('"', "") };
  }
  if (names.length === 0) copyKeys(editor, column.name, []);
  if (editor.runtime(column.name).includes("id") && idFamily(former) !== idFamily(column))
    set(draft, "id_type", fresh["id_type"]);
  // A runtime column that is no longer a time is a field.
  if (names.length === 0) addColumn(editor, column.name);
}

/** The keys of a field that an introspection writes for the type of a column. */
function typeEntries({ type, values: labels }: Column): JsonEntries {
  const values = labels ?? null;
  const element = elementTypeOf(type);
  const plain = type.replaceAll('"', "");
  const held = heldTypeOf({
    ...{ type: plain, baseType: null, dimensions: element === null ? 0 : 1 },
    ...{ enumValues: values, enumType: values === null ? null : plain },
  });
  if (held === null) return {};
  return { type: held.type, ...(held.differs ? { db_type: held.column } : {}), ...held.options };
}

function idFamily(column: Column | undefined): string {
  return /uuid|int/.exec(column?.type ?? "")?.[0] ?? "text";
}

/** Adds the field or the runtime column that the fresh model has for a column. */
function addColumn(editor: Editor, column: string): void {
  const { fields, freshFields, columns, freshColumns, model } = editor;
  for (const [name, json] of Object.entries(freshFields)) {
    if (fields[name] === undefined && columnOf(name, json) === column) fields[name] = json;
  }
  for (const name of ["created_at", "updated_at"] as const) {
    const stored = freshColumns[name];
    const is = isEntries(stored ?? null) ? entriesOf(stored)["column"] : stored;
    if (model.columns[name] === null && stored !== null && (is ?? name) === column)
      set(columns, name, stored);
  }
}

function columnOf(name: string, json: Json): Json {
  const { type, column } = entriesOf(json);
  return type === "has_many" || type === "has_one" ? null : (column ?? name);
}

function dropReference(editor: Editor, { column }: ForeignKey, { foreignKeys }: TableChange): void {
  if (foreignKeys.come.some((key) => key.column === column)) return;
  const { fields, freshFields } = editor;
  for (const name of editor.names(column)) {
    if (freshFields[name] === undefined) delete fields[name];
    else copyKeys(editor, column, [...typeKeys, "relationship"]);
  }
}

function addReference(editor: Editor, { column }: ForeignKey): void {
  if (editor.names(column).length === 0) addColumn(editor, column);
  copyKeys(editor, column, [...typeKeys, "relationship"]);
}

/** The names of the columns of an index, and the field if it is an index of one field. */
function keyNames(editor: Editor, { columns }: Index): { names: string[]; field: string | null } {
  const names = columns.flatMap((column) => [...editor.names(column), ...editor.runtime(column)].slice(0, 1));
  const [only = "", second] = names;
  return { names, field: second === undefined && editor.fields[only] !== undefined ? only : null };
}

function dropIndex(editor: Editor, index: Index): void {
  const { draft, fields } = editor;
  const { names, field } = keyNames(editor, index);
  if (field !== null) {
    const json = entriesOf(fields[field]);
    delete json[index.unique ? "unique" : "index"];
    fields[field] = json;
  }
  const list = index.unique ? "unique" : "indexes";
  const kept = listOrEmpty(draft[list]).filter((entry) => !isDeepStrictEqual(entry, names));
  setList(draft, list, kept);
}

function addIndex(editor: Editor, index: Index): void {
  const { draft, fields, freshFields, fresh } = editor;
  const { unique, columns } = index;
  const known = new Map(Object.entries(freshFields).map(([name, json]) => [columnOf(name, json), name]));
  const names = columns.map((column) => editor.runtime(column)[0] ?? known.get(column) ?? column);
  const [name = "", second] = names;
  const key = unique ? "unique" : "index";
  if (second === undefined && entriesOf(freshFields[name])[key] === true && fields[name] !== undefined)
    fields[name] = { ...entriesOf(fields[name]), [key]: true };
  const list = unique ? "unique" : "indexes";
  const there = listOrEmpty(draft[list]);
  const isDeclared = listOrEmpty(fresh[list]).some((entry) => isDeepStrictEqual(entry, names));
  if (isDeclared && !there.some((entry) => isDeepStrictEqual(entry, names))) draft[list] = [...there, names];
}

/** Without the collections whose foreign keys are gone, and with those of new ones where their names are free. */
function withCollections(model: EditedEntries, key: string, changes: ModelChanges): EditedEntries {
  const { changed, dropped, collections } = changes;
  const isGone = (json: Json) => {
    const { type, relationship } = entriesOf(json);
    const { model: of, foreign_key: by } = entriesOf(relationship);
    if (type !== "has_many" && type !== "has_one") return false;
    return (
      dropped.includes(String(of)) ||
      changed.some((one) => one.model.key === of && goneReferences(one).some((name) => name === (by ?? name)))
    );
  };
  const section = sectionOf(model);
  const fields = Object.entries(entriesOf(model[section])).filter(([, json]) => !isGone(json));
  const taken = new Set(
    fields.flatMap(([name]) => [name.toLowerCase(), name.toLowerCase().replace(/_id$/, "")]),
  );
  const further = Object.entries(collections.get(key) ?? {}).filter(
    ([name]) => !taken.has(name.toLowerCase()),
  );
  const all = Object.fromEntries([...fields, ...further]);
  return isDeepStrictEqual(all, model[section] ?? {}) ? model : { ...model, [section]: all };
}

/** The fields that no longer refer to a row of another model. */
function goneReferences({ change, model }: ChangedModel): string[] {
  const { gone, come } = change.foreignKeys;
  const columns = gone
    .filter(({ column }) => !come.some((key) => key.column === column))
    .map(({ column }) => column);
  return model.fields.filter(({ column }) => columns.includes(column)).map(({ name }) => name);
}
