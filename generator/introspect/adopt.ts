import type { Json } from "../../vocabulary/json.ts";
import type { CatalogSchema, CatalogTable } from "../../vocabulary/migrations/catalog.ts";
import { internalPrefix } from "../../vocabulary/migrations/internal-tables.ts";
import type { Table } from "../migrations/schema.ts";
import { type AdoptedKey, keysOf } from "./adopted-keys.ts";
import { baselineTable } from "./baseline.ts";
import type { Draft, DraftColumn } from "./draft.ts";
import { draftTable } from "./draft-tables.ts";
import { fieldDefaultsOf } from "./field-defaults.ts";
import { fieldRulesOf } from "./field-rules.ts";
import { type AdoptedRelation, canRefer, relationsOf, type UniqueFields } from "./foreign-keys.ts";
import { changeRemarks } from "./model-changes.ts";
import { type Adopted, jsonKindOf, modelJson } from "./model-json.ts";
import { modelNames } from "./model-names.ts";
import { prechecks } from "./prechecks.ts";
import { absentRemarks, arrayRemarks, type Remark, valueRemarks } from "./remarks.ts";

/** The models of a database schema. */
export interface Adoption {
  /** By key, as the models file has them. */
  readonly models: { readonly [key: string]: Json };
  /** The existing tables, in the order of the models. */
  readonly tables: readonly Table[];
  /** Objects that models cannot express. */
  readonly remarks: readonly Remark[];
}

/** Turns the tables of a schema into models. Skips the tables of the service itself. */
export function adopt(schema: CatalogSchema): Adoption {
  const tables = schema.tables.filter(isKirakTable);
  const relations = new Set(schema.tables.map(({ name }) => name));
  const names = modelNames(tables, relations);
  const drafted = tables.map((table, index) =>
    draftTable(table, names[index] ?? { key: table.name, table: table.name }),
  );
  const drafts = drafted.flatMap(({ draft }) => draft ?? []);
  const parts = partsOf(drafts, schema.name);
  const kept = parts.adopted.map(({ draft }) => draft);
  return {
    models: Object.fromEntries(parts.adopted.map((one) => [one.draft.key, modelJson(one)])),
    tables: parts.adopted.map(baselineTable),
    remarks: [
      ...drafted.flatMap((one) => one.remarks),
      ...parts.remarks,
      ...parts.adopted.flatMap(changeRemarks),
      ...arrayRemarks(schema.arrays, kept),
      ...valueRemarks(schema.values, kept),
      ...prechecks(schema, parts.adopted),
      ...absentRemarks(schema),
    ],
  };
}

function isKirakTable({ kind, name }: CatalogTable): boolean {
  return kind === "table" && !name.startsWith(internalPrefix);
}

function partsOf(drafts: readonly Draft[], schema: string): { adopted: Adopted[]; remarks: Remark[] } {
  const { relations, remarks } = relationsOf(drafts, schema, uniqueFields(drafts));
  const byField = new Map(relations.map((relation) => [relation.field, relation]));
  const refers = (column: DraftColumn) => byField.has(column);
  const collections = collectionsOf(relations);
  const all: Remark[] = [...remarks];
  const adopted = drafts.map((draft): Adopted => {
    const rules = fieldRulesOf(draft, refers);
    const own = keysOf(draft, rules, refers);
    const found = fieldDefaultsOf(draft, rules, (column) => jsonKindOf(byField, column));
    all.push(...rules.remarks, ...own.remarks, ...found.remarks);
    const back = collections.get(draft) ?? new Map();
    return { draft, rules, ...own, defaults: found.defaults, relations: byField, collections: back };
  });
  return { adopted, remarks: all };
}

/** The fields that are unique by themselves. At this point it is not known which columns become relations. */
function uniqueFields(drafts: readonly Draft[]): UniqueFields {
  const single = ({ unique, columns }: AdoptedKey) => (unique && columns.length === 1 ? columns : []);
  return new Map(
    drafts.map((draft) => {
      const rules = fieldRulesOf(draft, () => false);
      const { keys } = keysOf(draft, rules, (column) => canRefer(draft, column));
      return [draft, new Set(keys.flatMap(single).map(({ name }) => name))];
    }),
  );
}

/**
 * The collections of each model: a `has_many` with the other model's key as its name, if that model refers to it
 * with only one relation and the name is free.
 */
function collectionsOf(
  relations: readonly AdoptedRelation[],
): ReadonlyMap<Draft, ReadonlyMap<string, AdoptedRelation>> {
  const found = new Map<Draft, Map<string, AdoptedRelation>>();
  for (const relation of relations) {
    const { from, to } = relation;
    const several = relations.some((other) => other !== relation && other.from === from && other.to === to);
    if (from === to || several || !isFree(from.key, to)) continue;
    const own = found.get(to) ?? new Map<string, AdoptedRelation>();
    found.set(to, own.set(from.key, relation));
  }
  return found;
}

/** Whether a name is neither that of a field nor that of a relation, such as `author` for `author_id`. */
function isFree(name: string, { columns }: Draft): boolean {
  const taken = ["id", "created_at", "updated_at", "deleted_at", ...columns.map((column) => column.name)];
  const lower = name.toLowerCase();
  return !taken.some((other) => [lower, `${lower}_id`].includes(other.toLowerCase()));
}
