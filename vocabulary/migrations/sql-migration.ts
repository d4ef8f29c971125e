/** The effect of custom SQL on older instances and on data. */
export const sqlClasses = ["additive", "destructive", "breaks-older-code"] as const;

export type SqlClass = (typeof sqlClasses)[number];

/** A back-fill of a table, some rows at a time. */
export interface SqlBatches {
  readonly table: string;
  /** The number of rows in a batch. */
  readonly size: number;
  /** One statement, in which `$1` is the lowest and `$2` the highest id of a batch. */
  readonly sql: string;
}

/** The content of a file of `models/migrations/`. */
export interface SqlMigration {
  /** Its effect on older instances and on data. */
  readonly class: SqlClass;
  /** Texts of one or more statements each, which run in this order and before the batches. */
  readonly up?: string | readonly string[];
  /** Reverts the migration. Without it, a revert is refused. */
  readonly down?: string | readonly string[];
  /** False for statements that PostgreSQL refuses in a transaction. Then each text is one statement. */
  readonly transaction?: boolean;
  readonly batches?: readonly SqlBatches[];
}

/** SQL texts with LF line endings, because a checkout by Git can change them. */
export function sqlTexts(texts: SqlMigration["up"] = []): string[] {
  return [texts].flat().map((text) => text.replaceAll("\r\n", "\n").trim());
}

/**
 * The input of the checksum of custom SQL. Class and batch size are left out, because they do not change the
 * result.
 */
export function sqlChecksumInput({ up, down, transaction, batches = [] }: SqlMigration) {
  return {
    up: sqlTexts(up),
    down: down === undefined ? undefined : sqlTexts(down),
    transaction: transaction === false ? transaction : undefined,
    batches: batches.map(({ table, sql }) => [table, ...sqlTexts(sql)]),
  };
}

/** The id of a custom SQL migration for `--accept-destructive`. */
export function sqlStepId(name: string): string {
  return `sql:${name}`;
}
