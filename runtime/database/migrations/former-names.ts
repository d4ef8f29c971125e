import type { Step } from "./operations.ts";

/** What became of a table in the steps so far. Columns are found by the names that they have now. */
interface TableState {
  /** Its name before the migration; null where it cannot be had before the main transaction. */
  readonly former: string | null;
  /** Made ahead of the main transaction: it has no rows. */
  readonly isNew: boolean;
  readonly columns: Map<string, string | null>;
  /** Column names that were given, taken away or given up. */
  readonly touched: Set<string>;
  /** Foreign keys to other columns than `id` depend on unique indexes that come or go. */
  rekeyed: boolean;
}

/**
 * Follows the steps of a migration, and tells under which names tables and columns are found before its main transaction,
 * and whether they are by then what they will be.
 */
export class FormerNames {
  private readonly tables = new Map<string, TableState>();
  /** Names of tables and indexes that were given, taken away or given up. */
  private readonly touched = new Set<string>();
  /** Something is gone that may have held a name which PostgreSQL gives to the key or the sequence of a new table. */
  private hasFreedNames = false;

  /** The table's name before the main transaction, or null. */
  table(name: string): string | null {
    return this.state(name).former;
  }

  /** Whether the table is made ahead, and empty. */
  isNew(name: string): boolean {
    return this.state(name).isNew;
  }

  /** The column's name before the main transaction; null where it is not there yet, or not yet of its type. */
  column(table: string, column: string): string | null {
    const { former, columns, touched } = this.state(table);
    if (former === null) return null;
    return columns.get(column) ?? (columns.has(column) || touched.has(column) ? null : column);
  }

  /** All of the columns' names before the main transaction, or null. */
  columns(table: string, columns: readonly string[]): string[] | null {
    const names = columns.flatMap((column) => this.column(table, column) ?? []);
    return names.length === columns.length ? names : null;
  }

  /** Whether a foreign key may refer to the column before the main transaction, as far as indexes go. */
  isKey(table: string, column: string): boolean {
    return column === "id" || !this.state(table).rekeyed;
  }

  isFreeColumn(table: string, column: string): boolean {
    return !this.state(table).touched.has(column);
  }

  /** Whether a table or index of this name can be made ahead. */
  isFreeName(name: string): boolean {
    return !this.touched.has(name) && !this.hasFreedNames;
  }

  /** Notes what a step does; `isAhead` says that it was done before the main transaction. */
  follow(step: Step, isAhead: boolean): void {
    if (step.step === "create_table") this.addTable(step.table, isAhead);
    else if (step.step === "drop_table") this.removeTable(step.table);
    else if (step.step === "rename_table") this.renameTable(step.table, step.to);
    else this.followInTable(step, isAhead);
  }

  private followInTable(step: Step, isAhead: boolean): void {
    const state = this.state(step.table);
    switch (step.step) {
      case "add_column":
        state.touched.add(step.column.name);
        state.columns.set(step.column.name, isAhead ? step.column.name : null);
        break;
      case "drop_column":
        state.columns.delete(step.column);
        state.touched.add(step.column);
        break;
      case "rename_column":
        state.columns.set(step.to, this.column(step.table, step.column));
        state.columns.delete(step.column);
        state.touched.add(step.column).add(step.to);
        break;
      case "set_type":
        state.columns.set(step.column, null);
        break;
      case "set_id_type":
        for (const { table, column } of [{ table: step.table, column: "id" }, ...step.references])
          this.state(table).columns.set(column, null);
        break;
      case "drop_primary_key":
      case "add_primary_key":
        state.columns.set("id", null);
        state.rekeyed = true;
        this.hasFreedNames = true;
        break;
      case "add_index":
        this.touched.add(step.index.name);
        state.rekeyed ||= step.index.unique && !isAhead;
        break;
      case "drop_index":
        this.touched.add(step.name);
        state.rekeyed = true;
        break;
      case "rename_index":
        this.touched.add(step.name).add(step.to);
        break;
      case "rename_constraint":
        this.hasFreedNames = true;
    }
  }

  private addTable(name: string, isAhead: boolean): void {
    this.touched.add(name);
    this.tables.set(name, newState(isAhead ? name : null, isAhead));
  }

  private removeTable(name: string): void {
    this.touched.add(name);
    this.tables.delete(name);
    this.hasFreedNames = true;
  }

  private renameTable(name: string, to: string): void {
    this.tables.set(to, this.state(name));
    this.tables.delete(name);
    this.touched.add(name).add(to);
  }

  private state(name: string): TableState {
    const known = this.tables.get(name);
    if (known !== undefined) return known;
    const state = newState(this.touched.has(name) ? null : name, false);
    this.tables.set(name, state);
    return state;
  }
}

function newState(former: string | null, isNew: boolean): TableState {
  return { former, isNew, columns: new Map(), touched: new Set(), rekeyed: false };
}
