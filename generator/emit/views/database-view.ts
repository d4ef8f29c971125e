import type { ServiceDefinition } from "../../definition/definition.ts";
import { tableNameOf } from "../../migrations/snapshot.ts";
import { type Import, importFromKirak } from "../file.ts";
import { propertyName } from "../literal.ts";
import { type DatabaseColumn, databaseColumns } from "./database-columns.ts";

/** The view of `templates/database.hbs`: the tables of the models, for Kysely. */
export interface DatabaseView {
  readonly imports: readonly Import[];
  readonly tables: readonly DatabaseTable[];
}

interface DatabaseTable {
  /** With its schema, if that is not the first one of the search path. */
  readonly name: string;
  readonly type: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/** Whether the app's code has `context.kysely`. */
export function hasKysely({ kysely }: Pick<ServiceDefinition, "kysely">): boolean {
  return kysely;
}

/** The view of `database.ts`. */
export function databaseView({ models }: ServiceDefinition): DatabaseView {
  const tables = models.map((model) => ({
    name: propertyName(tableNameOf(model)),
    type: `${model.typeName}Table`,
    columns: databaseColumns(model).map((column) => ({
      name: propertyName(column.name),
      type: typeOf(column),
    })),
  }));
  const types = tables.flatMap(({ columns }) => columns.map(({ type }) => type)).join("\n");
  const used = (names: readonly string[]) => names.filter((name) => new RegExp(`\\b${name}\\b`).test(types));
  const imports = [
    { from: importFromKirak("kysely"), names: used(["BoundJson", "Json"]), typeOnly: true },
    { from: "kysely", names: used(["ColumnType", "Generated", "GeneratedAlways"]), typeOnly: true },
  ];
  return { imports: imports.filter(({ names }) => names.length > 0), tables };
}

/** The type of a column for Kysely. A nullable column is optional in an insert. */
function typeOf({ types, nullable, written }: DatabaseColumn): string {
  // `Json` already includes null.
  const orNull = (type: string) => (nullable && type !== "Json" ? `${type} | null` : type);
  const [read, bound] = [orNull(types.read), orNull(types.bound)];
  if (written === "never") return `GeneratedAlways<${read}>`;
  if (written === "updates only") return `ColumnType<${read}, never, ${bound}>`;
  const isOptional = written === "optional" && !nullable;
  if (read === bound) return isOptional ? `Generated<${read}>` : read;
  return `ColumnType<${read}, ${bound}${isOptional ? " | undefined" : ""}, ${bound}>`;
}
