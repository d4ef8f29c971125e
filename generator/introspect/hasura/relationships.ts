import { isRuntimeColumn } from "../../../vocabulary/fields/runtime-columns.ts";
import type { FoundModels } from "../as-found/adopt-as-found.ts";
import type { FoundRemark } from "../as-found/found-remarks.ts";
import type { FoundTable } from "../as-found/found-table.ts";
import { cleaned } from "../model-names.ts";
import type { HasuraRelationship, HasuraTable } from "./hasura-metadata.ts";
import { remarkAt } from "./metadata-node.ts";
import { type ModelPart, modelPart } from "./presets-of-table.ts";

/** A relationship of Hasura as a field of the model, or why it is lost. */
export type ModelLink = { readonly from: FoundTable; readonly relationship: HasuraRelationship } & (
  | { readonly lost: string }
  | {
      /** The `belongs_to`, `has_many` or `has_one`. */
      readonly field: string;
      /** The column of a `belongs_to`; null for the others. */
      readonly column: string | null;
      readonly target: FoundTable;
    }
);

interface Pair {
  readonly table: FoundTable;
  readonly hasura: HasuraTable;
}

/** The models with the relationships of Hasura instead of the collections of an introspection. */
export function withRelationships(
  pairs: readonly Pair[],
  found: FoundModels["models"],
): {
  readonly models: FoundModels["models"];
  readonly links: readonly ModelLink[];
  readonly remarks: readonly FoundRemark[];
} {
  const fields = new Map(
    Object.entries(found).map(([key, model]) => {
      const own = Object.entries(modelPart(modelPart(model)["fields"]));
      return [key, Object.fromEntries(own.filter(([, field]) => modelPart(field)["type"] !== "has_many"))];
    }),
  );
  const fieldsOf = ({ key }: FoundTable) => fields.get(key) ?? {};
  const links = pairs.flatMap(({ table, hasura }) =>
    hasura.relationships.map((relationship): ModelLink => {
      const reached = reach(relationship, table, pairs, fieldsOf);
      if (typeof reached === "string") return { from: table, relationship, lost: reached };
      const { side, column, target, field } = reached;
      const link = { from: table, relationship, target };
      if (side === "own") return { ...link, field, column };
      const isOne = !relationship.many && modelPart(fieldsOf(target)[field])["unique"] === true;
      const name = freeName(relationship.name, fieldsOf(table));
      fields.set(table.key, {
        ...fieldsOf(table),
        [name]: {
          type: isOne ? "has_one" : "has_many",
          relationship: { model: target.key, foreign_key: field },
        },
      });
      return { ...link, field: name, column: null };
    }),
  );
  return {
    models: Object.fromEntries(
      Object.entries(found).map(([key, model]) => [
        key,
        { ...modelPart(model), fields: fields.get(key) ?? {} },
      ]),
    ),
    links,
    remarks: links.flatMap((link) =>
      "lost" in link
        ? [
            remarkAt(
              "hasura",
              link.relationship.node,
              `relationship ${link.relationship.name} of ${link.from.source.name}: ${link.lost}`,
            ),
          ]
        : [],
    ),
  };
}

function freeName(wanted: string, fields: ModelPart): string {
  const name = cleaned(wanted, "related");
  const isTaken = (one: string) =>
    isRuntimeColumn(one.toLowerCase()) ||
    Object.keys(fields).some((other) => other.toLowerCase() === one.toLowerCase());
  if (!isTaken(name)) return name;
  for (let number = 2; ; number++) if (!isTaken(`${name}_${number}`)) return `${name}_${number}`;
}

interface Reached {
  /** The table with the foreign key. */
  readonly side: "own" | "other";
  readonly column: string;
  /** The field of the foreign key. */
  readonly field: string;
  readonly target: FoundTable;
}

type FieldsOf = (table: FoundTable) => ModelPart;

/** The foreign key of a relationship, or why none can be used. */
function reach(
  { columns, other }: HasuraRelationship,
  table: FoundTable,
  pairs: readonly Pair[],
  fieldsOf: FieldsOf,
): Reached | string {
  const [pair, second] = columns;
  if (pair === undefined || second !== undefined) return "it is not over one column";
  const [own, far] = pair;
  const target = pairs.find(
    ({ table: { schema, source } }) => schema === other?.schema && source.name === other.name,
  )?.table;
  if (other !== null && target === undefined) return "its table is not tracked, or not in this database";
  const forth = own === null ? null : referenceOf(table, own, fieldsOf);
  if (
    own !== null &&
    forth !== null &&
    (target === undefined || (forth.model === target.key && refersTo(target, far, forth.key)))
  ) {
    const to = target ?? pairs.find((one) => one.table.key === forth.model)?.table;
    return to === undefined
      ? "its table is not tracked"
      : { side: "own", column: own, field: forth.field, target: to };
  }
  const back = target === undefined || far === null ? null : referenceOf(target, far, fieldsOf);
  if (
    target !== undefined &&
    far !== null &&
    back?.model === table.key &&
    (own === null || refersTo(table, own, back.key))
  )
    return { side: "other", column: far, field: back.field, target };
  return "the database has no foreign key of one column for it, or its model has a plain field";
}

/** The `belongs_to` of a column, with the model and the field that it refers to. */
function referenceOf(table: FoundTable, column: string, fieldsOf: FieldsOf) {
  const field = table.columns.find(({ source }) => source.name === column)?.name ?? "";
  const { type, relationship } = modelPart(fieldsOf(table)[field]);
  const { model, foreign_key: key } = modelPart(relationship);
  return type === "belongs_to" ? { field, model, key } : null;
}

/** Whether the key of a reference, by default the id, is this column. */
function refersTo({ columns, id }: FoundTable, column: string | null, key: unknown): boolean {
  const named = key === undefined ? id : columns.find(({ name }) => name === key);
  return named?.source.name === column;
}
