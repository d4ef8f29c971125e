import { isRuntimeColumn } from "../../../vocabulary/fields/runtime-columns.ts";
import type { Json } from "../../../vocabulary/json.ts";
import { columnNameProblem } from "../../check/check-names.ts";
import { createReporter } from "../../diagnostics/index.ts";
import { rawBuiltInUsers } from "../../load/built-in-users.ts";
import { parseJsonTree } from "../../load/json-tree.ts";
import { readRawModels } from "../../load/read-models.ts";
import { buildGraph } from "../../resolve/model-graph.ts";
import { callersIn, type HasuraModel } from "./bool-exp.ts";
import { hasuraRemark, mapOf, mapsIn, placeOf, tableNameAt, textsOf } from "./hasura-metadata.ts";

/** A tracked table with its model, which has none of the collections of an introspection. */
export function hasuraModel(found: Pick<HasuraModel, "hasura" | "table" | "model">): HasuraModel {
  const all = Object.entries(mapOf(found.model["fields"]));
  const fields = Object.fromEntries(all.filter(([, field]) => mapOf(field)["type"] !== "has_many"));
  const columns = new Map(found.table.columns.map((column) => [column.source.name, column]));
  return { ...found, columns, fields, relations: new Map() };
}

/** Adds the relationships of Hasura to the models. Returns their graph, the models whose ids are compared with the caller, and remarks. */
export function addRelationships(models: readonly HasuraModel[]) {
  const links = models.flatMap((from) => {
    const { object_relationships: one, array_relationships: many } = from.hasura.content;
    return [...mapsIn(one), ...mapsIn(many)].map((item) => {
      const name = String(item["name"]);
      return { from, name, place: placeOf(item), to: linkTo(name, item["using"], from, models) };
    });
  });
  const content = models.map(({ table, model, fields }) => [table.key, { ...model, fields }] as const);
  const text = JSON.stringify(Object.fromEntries(content));
  const tree = parseJsonTree("models.json", text, createReporter().report);
  const graph = buildGraph([...(tree === null ? [] : readRawModels(tree)), rawBuiltInUsers()]);
  const remarks = links.flatMap(({ from, name, place, to }) => {
    const what = `relationship ${name} of ${from.table.source.name}`;
    if (to === null) return [hasuraRemark(place, `${what}: no relation between two models can be it`)];
    const joins = [...(graph.get(from.table.key)?.relations.values() ?? [])];
    const join = joins.find((one) => one.kind === "belongs_to" && one.field === to.field)?.name ?? to.field;
    from.relations.set(name, { name: join, target: to.target });
    return join === name ? [] : [hasuraRemark(place, `${what}: its name is ${join}`)];
  });
  const filtersOf = ({ hasura }: HasuraModel) => hasura.permissions.map((one) => Object.values(one.content));
  const callers = models.flatMap((model) => callersIn(filtersOf(model), model));
  return { graph, callers, remarks };
}

/** The field that a relationship is, which is added if the foreign key is in the other table. Null if no field can be it. */
function linkTo(name: string, using: Json | undefined, from: HasuraModel, models: readonly HasuraModel[]) {
  const key = mapOf(using)["foreign_key_constraint_on"];
  const { table: remote, column, columns } = mapOf(key);
  const [keyColumn, second] = [key, column, columns].flatMap(textsOf);
  const other = tableNameAt(remote);
  const isOther = ({ hasura }: HasuraModel) => hasura.schema === other.schema && hasura.name === other.name;
  const owner = remote === undefined ? from : models.find(isOther);
  const field = owner?.columns.get(keyColumn ?? "")?.name ?? "";
  const { type, relationship, unique } = mapOf(owner?.fields[field]);
  const target = models.find(({ table }) => table.key === mapOf(relationship)["model"]);
  if (owner === undefined || target === undefined || second !== undefined || type !== "belongs_to")
    return null;
  if (remote === undefined) return { field, target };
  const isTaken = Object.keys(from.fields).some((one) => one.toLowerCase() === name.toLowerCase());
  const isName = columnNameProblem(name) === null && !isRuntimeColumn(name.toLowerCase());
  if (target !== from || isTaken || !isName) return null;
  const added = { model: owner.table.key, foreign_key: field };
  from.fields[name] = { type: unique === true ? "has_one" : "has_many", relationship: added };
  return { field: name, target: owner };
}
