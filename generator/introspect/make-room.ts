import { maxIdentifierLength } from "../../vocabulary/identifiers.ts";
import { internalTables, isInternalTable } from "../../vocabulary/internal-tables.ts";
import { differences } from "../migrations/diff.ts";
import { contentName } from "../migrations/name.ts";
import type { PlannedMigration } from "../migrations/plan.ts";
import { reversed, withNewNames } from "../migrations/renames.ts";
import type { Table } from "../migrations/schema.ts";

/**
 * The migration after the baseline, where tables or indexes have names that the service takes for its own: it renames them,
 * and nothing else, so that it can run before the service's own migrations do. Null where nothing is in the way.
 */
export function makeRoom(
  baseline: string,
  tables: readonly Table[],
): { readonly planned: PlannedMigration | null; readonly tables: readonly Table[] } {
  const taken = tables.filter(({ name }) => isInternalTable(name));
  const names = new Map(taken.map(({ name, model }) => [name, model]));
  const renames = [...names].map(([from, to]) => ({ from, to, columns: new Map<string, string>() }));
  const relations = new Set(
    tables.flatMap(({ name, indexes }) => [name, ...indexes.map((index) => index.name)]),
  );
  const after = withNewNames(tables, names).map((table) => ({
    ...table,
    indexes: table.indexes.map((index) => ({ ...index, name: freeName(index.name, relations) })),
  }));
  const changes = differences(tables, after, renames);
  if (changes.length === 0) return { planned: null, tables };
  const down = differences(after, tables, reversed(renames)).map(({ step }) => step);
  const planned = { name: `0002_${contentName(changes)}`, parent: baseline, changes, down };
  return { planned, tables: after };
}

const takenIndexes: ReadonlySet<string> = new Set(Object.values(internalTables).flat());

function freeName(index: string, relations: ReadonlySet<string>): string {
  if (!takenIndexes.has(index)) return index;
  for (let number = 1; ; number++) {
    const name = `app${number === 1 ? "" : number}_${index}`.slice(0, maxIdentifierLength);
    if (!relations.has(name)) return name;
  }
}
