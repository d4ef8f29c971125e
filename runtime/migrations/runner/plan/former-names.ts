import type { Step } from "../../../../vocabulary/migrations/migration-steps.ts";

/** The state of a table after the steps so far. Columns have their current names. */
interface TableState {
  /** Its name before the migration; null if it does not exist before the main transaction. */
  readonly former: string | null;
  /** Whether it is created before the main transaction, and so has no rows. */
  readonly isNew: boolean;
  readonly columns: Map<string, string | null>;
  /** Column names that a step added, removed or renamed. */
  readonly touched: Set<string>;
  /** Columns whose unique indexes change, by their current names. Foreign keys to them need the indexes. */
  readonly rekeyed: Set<string>;
  /** Dropped indexes; "" for a primary key, which can be on any column. */
  readonly dropped: string[];
}

/**
 * Follows the steps of a migration. Returns the names of tables and columns before the main transaction, and
 * whether they are already final.
 */
export class FormerNames {
  readonly #tables = new Map<string, TableState>();
  /** Names of tables and indexes that a step added, removed or renamed. */
  readonly #touched = new Set<string>();
  /** Beginnings of the names of keys and sequences that were dropped with a table. */
  readonly #gone: string[] = [];
  /** Whether indexes with unknown names were dropped together with a column or table. */
  #hasLostIndexes = false;

  /** The table's name before the main transaction, or null. */
  table(name: string): string | null {
    return this.#state(name).former;
  }

  /** Whether the table is created before the main transaction, and so is empty. */
  isNew(name: string): boolean {
    return this.#state(name).isNew;
  }

  /** The column's name before the main transaction; null if it does not exist yet, or has another type. */
  column(table: string, column: string): string | null {
    const { former, columns, touched } = this.#state(table);
    if (former === null) return null;
    return columns.get(column) ?? (columns.has(column) || touched.has(column) ? null : column);
  }

  /** All of the columns' names before the main transaction, or null. */
  columns(table: string, columns: readonly string[]): string[] | null {
    const names = columns.flatMap((column) => this.column(table, column) ?? []);
    return names.length === columns.length ? names : null;
  }

  /** Whether the column has the unique index that a foreign key needs before the main transaction. */
  isKey(table: string, column: string): boolean {
    if (column === "id") return true;
    const { rekeyed, dropped, former } = this.#state(table);
    const names = [column, this.column(table, column) ?? column];
    return !rekeyed.has(column) && !dropped.some((index) => mayServe(index, [table, former ?? table], names));
  }

  isFreeColumn(table: string, column: string): boolean {
    return !this.#state(table).touched.has(column);
  }

  /** Whether an index with this name can be created before the main transaction. */
  isFreeIndex(name: string): boolean {
    return !this.#touched.has(name) && !this.#hasLostIndexes;
  }

  /**
   * Whether a table can be created before the main transaction, with the same names of its key and sequences.
   */
  isFreeTable({ table, columns, primaryKey }: Extract<Step, { readonly step: "create_table" }>): boolean {
    if (primaryKey !== undefined && !this.isFreeIndex(primaryKey.name)) return false;
    const sequences = columns.map((column) => `${table}_${column.name}_seq`);
    return [table, `${table}_pkey`, ...sequences].every(
      (name) => !this.#touched.has(name) && !this.#gone.some((start) => name.startsWith(start)),
    );
  }

  /** Applies a step to the state. `isAhead`: the step ran before the main transaction. */
  follow(step: Step, isAhead: boolean): void {
    if (step.step === "create_table") this.#addTable(step.table, isAhead);
    else if (step.step === "drop_table") this.#removeTable(step.table);
    else if (step.step === "rename_table") this.#renameTable(step.table, step.to);
    else this.#followInTable(step, isAhead);
  }

  #followInTable(step: Step, isAhead: boolean): void {
    const state = this.#state(step.table);
    switch (step.step) {
      case "add_column":
        state.touched.add(step.column.name);
        this.#touched.add(`${step.table}_${step.column.name}_seq`);
        state.columns.set(step.column.name, isAhead ? step.column.name : null);
        break;
      case "drop_column":
        state.columns.delete(step.column);
        state.touched.add(step.column);
        this.#touched.add(`${step.table}_${step.column}_seq`);
        this.#hasLostIndexes = true;
        break;
      case "rename_column":
        state.columns.set(step.to, this.column(step.table, step.column));
        state.columns.delete(step.column);
        state.touched.add(step.column).add(step.to);
        if (state.rekeyed.delete(step.column)) state.rekeyed.add(step.to);
        break;
      case "set_type":
        state.columns.set(step.column, null);
        break;
      case "set_id_type":
        for (const { table, column } of [{ table: step.table, column: "id" }, ...step.references])
          this.#state(table).columns.set(column, null);
        this.#hasLostIndexes = true;
        break;
      case "drop_primary_key":
        state.columns.set("id", null);
        state.dropped.push("");
        this.#touched.add(step.name);
        break;
      case "add_primary_key":
        for (const column of ["id", ...step.primaryKey.columns]) state.rekeyed.add(column);
        state.columns.set("id", null);
        this.#touched.add(step.primaryKey.name);
        break;
      case "add_index":
        this.#touched.add(step.index.name);
        if (step.index.unique && !isAhead) for (const column of step.index.columns) state.rekeyed.add(column);
        break;
      case "drop_index":
        this.#touched.add(step.name);
        state.dropped.push(step.name);
        break;
      case "rename_index":
        this.#touched.add(step.name).add(step.to);
        break;
      case "rename_constraint":
        this.#touched.add(step.name).add(step.to);
        break;
      case "set_default":
        this.#touched.add(`${step.table}_${step.column}_seq`);
    }
  }

  #addTable(name: string, isAhead: boolean): void {
    this.#touched.add(name);
    this.#tables.set(name, newState(isAhead ? name : null, isAhead));
  }

  #removeTable(name: string): void {
    const { former } = this.#state(name);
    this.#gone.push(beginning(name), beginning(former ?? name));
    this.#hasLostIndexes = true;
    this.#touched.add(name);
    this.#tables.delete(name);
  }

  #renameTable(name: string, to: string): void {
    this.#tables.set(to, this.#state(name));
    this.#tables.delete(name);
    this.#touched.add(name).add(to);
  }

  #state(name: string): TableState {
    const known = this.#tables.get(name);
    if (known !== undefined) return known;
    const state = newState(this.#touched.has(name) ? null : name, false);
    this.#tables.set(name, state);
    return state;
  }
}

function newState(former: string | null, isNew: boolean): TableState {
  return { former, isNew, columns: new Map(), touched: new Set(), rekeyed: new Set(), dropped: [] };
}

/** The beginning of names that PostgreSQL generates for a table, also of shortened ones. */
function beginning(table: string): string {
  return `${table}_`.slice(0, 24);
}

/** Whether an index can be on one of these columns. Kirak's names contain the columns unless shortened. */
function mayServe(index: string, tables: readonly string[], columns: readonly string[]): boolean {
  const tells =
    index.length < 54 && tables.some((table) => index.startsWith(`${table}_`)) && /_(key|idx)$/.test(index);
  return !tells || columns.some((column) => index.includes(column));
}
