/** The effect of custom SQL on concurrent work and on data. */
export const sqlClasses = ["additive", "destructive", "breaks-older-code"] as const;

export type SqlClass = (typeof sqlClasses)[number];

/** A back-fill of a table, some rows at a time. */
export interface SqlBatches {
  readonly table: string;
  /** How many rows a batch has. */
  readonly size: number;
  /** One statement, in which `$1` is the lowest and `$2` the highest id of a batch. */
  readonly sql: string;
}

/** The content of a file of `models/migrations/`. */
export interface SqlMigration {
  /** Its effect on older instances and on rows. */
  readonly class: SqlClass;
  /** Texts, each of one or more statements. They run in their order, and before the batches. */
  readonly up?: string | readonly string[];
  /** Takes it back; without it that is refused. */
  readonly down?: string | readonly string[];
  /** False for statements that PostgreSQL refuses in a transaction: then each text is one statement, and runs by itself. */
  readonly transaction?: boolean;
  readonly batches?: readonly SqlBatches[];
}

/** Texts of SQL as they count: files that were checked out with other ends of lines are the same. */
export function sqlTexts(texts: SqlMigration["up"] = []): string[] {
  return [texts].flat().map((text) => text.replaceAll("\r\n", "\n").trim());
}

/** The input of a custom SQL checksum. The class is for people, and the batch size does not change the result. */
export function sqlContent({ up, down, transaction, batches = [] }: SqlMigration) {
  return {
    up: sqlTexts(up),
    down: down === undefined ? undefined : sqlTexts(down),
    transaction: transaction === false ? transaction : undefined,
    batches: batches.map(({ table, sql }) => [table, ...sqlTexts(sql)]),
  };
}

/** By what a migration of own SQL is accepted, as steps are by their ids. */
export function sqlStepId(name: string): string {
  return `sql:${name}`;
}
