import { isRuntimeColumn } from "../../../vocabulary/fields/runtime-columns.ts";
import type { Json } from "../../../vocabulary/json.ts";
import { columnNameProblem } from "../../check/check-names.ts";
import { createReporter } from "../../diagnostics/index.ts";
import { rawBuiltInUsers } from "../../load/built-in-users.ts";
import { parseJsonTree } from "../../load/json-tree.ts";
import { readRawModels } from "../../load/read-models.ts";
import { buildGraph, type ModelGraph } from "../../resolve/model-graph.ts";
import type { FoundRemark } from "../as-found/found-remarks.ts";
import type { FoundTable } from "../as-found/found-table.ts";
import type { ConditionTable } from "./bool-exp.ts";
import {
  type HasuraTable,
  type JsonMap,
  listOf,
  mapOf,
  placeOf,
  tableNameOf,
  textsOf,
} from "./hasura-metadata.ts";

/** A tracked table that the database has. */
export interface TrackedTable {
  readonly table: FoundTable;
  readonly hasura: HasuraTable;
}

type Fields = Map<string, JsonMap>;

/** The models with the relationships of Hasura instead of the collections of an introspection. */
export function withRelationships(tracked: readonly TrackedTable[], found: JsonMap) {
  const fields: Fields = new Map();
  for (const [key, model] of Object.entries(found)) {
    const all = Object.entries(mapOf(mapOf(model)["fields"]));
    const kept = all.filter(([, field]) => mapOf(field)["type"] !== "has_many");
    fields.set(key, Object.fromEntries(kept));
  }
  const links = tracked.flatMap(({ table, hasura: { content } }) =>
    ["object_relationships", "array_relationships"].flatMap((list) =>
      listOf(content[list]).map((item) => {
        const [name = ""] = textsOf(mapOf(item)["name"]);
        const to = linkTo(name, mapOf(item)["using"], table, tracked, fields);
        return { from: table, name, place: placeOf(item, content), to };
      }),
    ),
  );
  const models = Object.fromEntries(
    Object.entries(found).map(([key, model]) => [key, { ...mapOf(model), fields: fields.get(key) ?? {} }]),
  );
  const tree = parseJsonTree("models.json", JSON.stringify(models), createReporter().report);
  const graph = buildGraph([...(tree === null ? [] : readRawModels(tree)), rawBuiltInUsers()]);
  const tables = new Map(
    tracked.map(({ table }): [FoundTable, ConditionTable] => [
      table,
      { table, relations: new Map(), isCaller: false },
    ]),
  );
  const remarks = links.flatMap(({ from, name, place, to }): FoundRemark[] => {
    const target = to === null ? undefined : tables.get(to.target);
    const remark = { kind: "hasura", place } as const;
    const what = `relationship ${name} of ${from.source.name}`;
    if (to === null || target === undefined)
      return [{ ...remark, text: `${what}: no relation between two models can be it` }];
    const join = joinOf(to.field, from, graph);
    tables.get(from)?.relations.set(name, { name: join, target });
    return join === name ? [] : [{ ...remark, text: `${what}: its name is ${join}` }];
  });
  return { models, graph, tables, remarks };
}

/** The name of a relation: `author` for the field `author_id`. */
function joinOf(field: string, { key }: FoundTable, graph: ModelGraph): string {
  const relations = [...(graph.get(key)?.relations.values() ?? [])];
  return relations.find((one) => one.kind === "belongs_to" && one.field === field)?.name ?? field;
}

/** The field that a relationship is, which is added if the foreign key is in the other table. Null if no field can be it. */
function linkTo(
  name: string,
  using: Json | undefined,
  table: FoundTable,
  tracked: readonly TrackedTable[],
  fields: Fields,
) {
  const key = mapOf(using)["foreign_key_constraint_on"];
  const { table: remote, column, columns } = mapOf(key);
  const [keyColumn, second] = [key, column, columns].flatMap(textsOf);
  const place = tableNameOf(remote);
  const isOther = ({ hasura }: TrackedTable) => hasura.schema === place.schema && hasura.name === place.name;
  const from = remote === undefined ? table : tracked.find(isOther)?.table;
  const field = from?.columns.find(({ source }) => source.name === keyColumn)?.name ?? "";
  const { type, relationship, unique } = mapOf(fields.get(from?.key ?? "")?.[field]);
  const target = tracked.find((one) => one.table.key === mapOf(relationship)["model"])?.table;
  if (from === undefined || target === undefined || second !== undefined || type !== "belongs_to")
    return null;
  if (remote === undefined) return { field, target };
  const own = fields.get(table.key) ?? {};
  const taken = Object.keys(own).map((one) => one.toLowerCase());
  const isFree = columnNameProblem(name) === null && !isRuntimeColumn(name.toLowerCase());
  if (target !== table || !isFree || taken.includes(name.toLowerCase())) return null;
  const added = {
    type: unique === true ? "has_one" : "has_many",
    relationship: { model: from.key, foreign_key: field },
  };
  fields.set(table.key, { ...own, [name]: added });
  return { field: name, target: from };
}
