import { parse } from "postgres-array";
import type { ElementKind } from "../../../vocabulary/fields/field-kinds.ts";
import type { Kind } from "./kind.ts";

/** How lists are stored and answered, as it follows from their elements. A column of `varchar[]` takes no operator with `text[]`. */
export function listOf(element: Kind, kind: ElementKind): Kind {
  return {
    sqlType: kind === "string" ? "varchar[]" : `${element.sqlType}[]`,
    expected: `a list, each element of it ${element.expected}`,
    parse: () => undefined,
    // Only a foreign writer can have put NULL into a list.
    toJson: (text) =>
      `[${parse(text, element.toJson)
        .map((one) => one ?? "null")
        .join(",")}]`,
    jsonSql: element.jsonSql === "?" ? "?" : elementsSql(element.jsonSql),
    unheldSql: element.unheldSql && anyElementSql(element.unheldSql),
  };
}

/** Whether it holds for any element of an array. */
function anyElementSql(sql: string): string {
  return `exists (select from unnest(?) as element$ (value) where ${sql.replaceAll("?", "element$.value")})`;
}

/** An array whose elements are written one by one, in their order; NULL stays NULL. */
function elementsSql(jsonSql: string): string {
  const written = jsonSql.replace("?", "element$.value");
  return `(select case when list is not null then array(
    select ${written} from unnest(list) with ordinality as element$ (value, position) order by position
  ) end from (select ? as list) as held$)`;
}
