import { isRuntimeColumn } from "../../../vocabulary/fields/runtime-columns.ts";
import type { FoundModels } from "../as-found/adopt-as-found.ts";
import type { FoundTable } from "../as-found/found-table.ts";
import { cleaned } from "../model-names.ts";
import { type HasuraTable, tableNameAt } from "./hasura-metadata.ts";
import { type MetadataNode, nodeAt, nodeItems, nodeText, nodeTexts } from "./metadata-node.ts";
import { type ModelPart, modelPart } from "./permission-rules.ts";

/** A tracked table. */
export interface TrackedTable {
  readonly table: FoundTable;
  readonly hasura: HasuraTable;
}

/** A relationship of Hasura, with the field that is it, or why it is lost. */
export interface ModelLink {
  readonly from: FoundTable;
  readonly name: string;
  readonly node: MetadataNode;
  readonly to: { readonly field: string; readonly target: FoundTable } | string;
}

/** The models with the relationships of Hasura instead of the collections of an introspection. */
export function withRelationships(
  tracked: readonly TrackedTable[],
  found: FoundModels["models"],
): { readonly models: { readonly [key: string]: ModelPart }; readonly links: readonly ModelLink[] } {
  const fields = new Map(
    Object.entries(found).map(([key, model]) => {
      const own = Object.entries(modelPart(modelPart(model)["fields"]));
      return [key, Object.fromEntries(own.filter(([, field]) => modelPart(field)["type"] !== "has_many"))];
    }),
  );
  const links = tracked.flatMap(({ table, hasura: { node } }) =>
    ["object_relationships", "array_relationships"].flatMap((list) =>
      nodeItems(nodeAt(node, list)).map((item): ModelLink => {
        const name = nodeText(item, "name") ?? "";
        const link = { from: table, name, node: item };
        const reached = reach(nodeAt(item, "using"), table, tracked, fields);
        if (typeof reached === "string" || reached.isOwn) return { ...link, to: reached };
        const own = fields.get(table.key) ?? {};
        const isOne =
          list === "object_relationships" &&
          modelPart(fields.get(reached.target.key)?.[reached.field])["unique"] === true;
        const relationship = { model: reached.target.key, foreign_key: reached.field };
        const field = freeName(name, own);
        fields.set(table.key, { ...own, [field]: { type: isOne ? "has_one" : "has_many", relationship } });
        return { ...link, to: { field, target: reached.target } };
      }),
    ),
  );
  const models = Object.entries(found).map(([key, model]) => [
    key,
    { ...modelPart(model), fields: fields.get(key) ?? {} },
  ]);
  return { models: Object.fromEntries(models), links };
}

function freeName(wanted: string, fields: ModelPart): string {
  const name = cleaned(wanted, "related");
  const taken = Object.keys(fields).map((field) => field.toLowerCase());
  const isTaken = (one: string) => isRuntimeColumn(one.toLowerCase()) || taken.includes(one.toLowerCase());
  let free = name;
  for (let number = 2; isTaken(free); number++) free = `${name}_${number}`;
  return free;
}

/** The foreign key of a relationship: of this table, or of the other one. Or why none can be used. */
function reach(
  using: MetadataNode | undefined,
  table: FoundTable,
  tracked: readonly TrackedTable[],
  fields: ReadonlyMap<string, ModelPart>,
): { readonly isOwn: boolean; readonly field: string; readonly target: FoundTable } | string {
  const key = nodeAt(using, "foreign_key_constraint_on");
  const place = nodeAt(key, "table");
  const columns = [...nodeTexts(key), ...nodeTexts(key, "column"), ...nodeTexts(key, "columns")];
  const [column] = columns;
  if (column === undefined || columns.length > 1) return "it is not over a foreign key of one column";
  const { schema, name } = tableNameAt(place);
  const other = tracked.find(({ hasura }) => hasura.schema === schema && hasura.name === name)?.table;
  const from = place === undefined ? table : other;
  if (from === undefined) return `its table ${name} is not a model`;
  const found = referenceOf(from, column, tracked, fields);
  if (found === null || (place !== undefined && found.target !== table))
    return "no field is the foreign key for it";
  return place === undefined ? { ...found, isOwn: true } : { field: found.field, target: from, isOwn: false };
}

/** The `belongs_to` of a column, and its target. */
function referenceOf(
  table: FoundTable,
  column: string,
  tracked: readonly TrackedTable[],
  fields: ReadonlyMap<string, ModelPart>,
) {
  const field = table.columns.find(({ source }) => source.name === column)?.name ?? "";
  const { type, relationship } = modelPart(fields.get(table.key)?.[field]);
  const target = tracked.find((one) => one.table.key === modelPart(relationship)["model"])?.table;
  return type !== "belongs_to" || target === undefined ? null : { field, target };
}
