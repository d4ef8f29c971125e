import { join } from "node:path";
import { expect, test } from "vitest";
import { readMigrations } from "#generator/migrations/read-history";
import type { Snapshot, Table } from "#generator/migrations/schema";
import { readSchema } from "#generator/migrations/schema-file";
import { readOutputFolder } from "#generator/output/output-folder";
import { sorted } from "../support/catalogs.ts";
import { repository } from "../support/project.ts";

/** Sorted, because a column or a key of a later migration comes last, at any position in the models. */
function unordered({ migration, tables }: Snapshot): Snapshot {
  const parts = ({ columns, indexes, foreignKeys, checks, ...table }: Table): Table => ({
    ...table,
    columns: sorted(columns),
    indexes: sorted(indexes),
    foreignKeys: sorted(foreignKeys),
    checks: sorted(checks),
  });
  return { migration, tables: sorted(tables).map(parts) };
}

test.each(["generated", "test/http/fixture/generated"])(
  "the migrations in %s give all that its schema.json holds, passwords included",
  async (out) => {
    const folder = readOutputFolder(join(repository, out));
    const files = new Map(folder.files);
    const schema = readSchema(files.get("migrations/schema.json"));
    if (schema === null) throw new Error("schema.json cannot be read");
    files.delete("migrations/schema.json");
    const history = await readMigrations({ ...folder, files }, out, []);
    if (!("snapshot" in history)) throw new Error("the history cannot be read");
    expect(history.derived).toEqual(expect.any(String));
    expect(unordered(history.snapshot)).toEqual(unordered(schema));
  },
);
