import { name } from "./quoted-name.ts";
import { doBlock, text } from "./quoted-text.ts";

/**
 * The statement that drops an index. In a database that was introspected it may belong to a unique constraint, and then goes
 * with it alone.
 */
export function dropIndexToSql(table: string, index: string): string {
  return doBlock(`BEGIN
  IF EXISTS (SELECT FROM pg_constraint WHERE contype = 'u' AND conindid = ${text(name(index))}::regclass) THEN
    ALTER TABLE ${name(table)} DROP CONSTRAINT ${name(index)};
  ELSE
    DROP INDEX ${name(index)};
  END IF;
END`);
}
