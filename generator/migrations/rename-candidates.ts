import { isRuntimeColumn } from "../../vocabulary/fields/runtime-columns.ts";
import { familyOf } from "../../vocabulary/migrations/catalog.ts";
import type { Column } from "../../vocabulary/migrations/migration-steps.ts";
import { nearest } from "../../vocabulary/nearest.ts";
import { type ComparedTable, compareTables } from "./compare-tables.ts";
import { lossOf } from "./conversion.ts";
import type { MigrationPlan } from "./plan.ts";
import type { Table } from "./schema.ts";

/** A drop that could be half of a rename, because something similar is added. */
export interface RenameCandidate {
  /** The id of the step that drops the model or field. */
  readonly id: string;
  /** The model of a field; null if a whole model is dropped. */
  readonly model: string | null;
  /** The former name of a field, or the former key of a model. */
  readonly former: string;
  /** Possible new names, most likely first. */
  readonly names: readonly string[];
}

const shown = 3;

/** Drops that could be half of a rename, except accepted ones. */
export function renameCandidates(plan: MigrationPlan, accepted: readonly string[]): RenameCandidate[] {
  if (plan.migration === null) return [];
  const { pairs, created, dropped } = compareTables(plan.before.tables, plan.after.tables, plan.renames);
  const found = [
    ...dropped.map((table) => tableLike(table, created)),
    ...pairs.flatMap((pair) => columnsLike(pair, plan)),
  ];
  return found.filter(({ id, names }) => names.length > 0 && !accepted.includes(id));
}

function tableLike(gone: Table, created: readonly Table[]): RenameCandidate {
  const names = created.filter((table) => mostlySame(gone, table)).map(({ model }) => model);
  return {
    id: `drop_table:${gone.name}`,
    model: null,
    former: gone.model,
    names: likeliest(gone.model, names),
  };
}

/** Whether more than half of the fields are in both tables. */
function mostlySame(one: Table, other: Table): boolean {
  const [mine, theirs] = [fieldsOf(one), fieldsOf(other)];
  const common = mine.filter((column) =>
    theirs.some((it) => it.name === column.name && sameKind(it, column)),
  );
  return common.length * 2 > Math.max(mine.length, theirs.length);
}

function fieldsOf({ columns }: Table): Column[] {
  return columns.filter(({ name }) => !isRuntimeColumn(name));
}

function columnsLike(
  { was, old, now, kept, lost }: ComparedTable,
  { renames }: MigrationPlan,
): RenameCandidate[] {
  const names = renames.find(({ to }) => to === now.name)?.columns;
  const again = new Set([...lost.keys()].map((column) => names?.get(column) ?? column));
  const came = fieldsOf(now).filter(
    ({ name }) => !again.has(name) && !old.columns.some((column) => column.name === name),
  );
  const stay = new Set(kept.values());
  return fieldsOf(was)
    .filter(({ name }) => !stay.has(name) && !lost.has(name))
    .map((column) => {
      const alike = came.filter(
        (other) => couldBe(column, other) && targetOf(column, old) === targetOf(other, now),
      );
      const likely = likeliest(
        column.name,
        alike.map(({ name }) => name),
      );
      const id = `drop_column:${was.name}.${column.name}`;
      return { id, model: now.model, former: column.name, names: likely };
    });
}

function couldBe(gone: Column, come: Column): boolean {
  if (lossOf(gone, come) !== null) return false;
  return sameKind(gone, come) || similar(gone.name, come.name);
}

function sameKind(one: Column, other: Column): boolean {
  return familyOf(one.type) === familyOf(other.type) && one.secret === other.secret;
}

/** A field with a reference to another model is never the same field. */
function targetOf(column: Column, { foreignKeys }: Table): string | undefined {
  return foreignKeys.find((key) => key.column === column.name)?.references.table;
}

/** Whether names differ only by a typo, or share a word. */
function similar(one: string, other: string): boolean {
  const words = new Set(one.toLowerCase().split("_"));
  return (
    nearest(one, [other]) !== null ||
    other
      .toLowerCase()
      .split("_")
      .some((word) => words.has(word))
  );
}

function likeliest(former: string, names: readonly string[]): string[] {
  const first = names.filter((name) => similar(former, name));
  return [...first, ...names.filter((name) => !first.includes(name))].slice(0, shown);
}
