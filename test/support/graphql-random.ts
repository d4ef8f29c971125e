import fc from "fast-check";
import type { Json } from "#vocabulary/json";
import { type Data, dataModels, relationsOf } from "./graphql-data-models.ts";

/** Whether a part of a document is taken: `@include` or `@skip`, by a literal or by a variable. */
export interface Flag {
  readonly directive: "include" | "skip";
  readonly value: boolean;
  readonly bound: boolean;
}

/** Arguments of a list that leave some of its rows out. */
export interface ListArguments {
  readonly above: number | null;
  readonly descending: boolean;
  readonly limit: number | null;
  readonly offset: number | null;
}

/** One selected field, and how the document says so. */
export interface Part {
  readonly field: string;
  readonly alias: boolean;
  readonly wrapped: "plain" | "inline" | "typed" | "named";
  readonly flag: Flag | null;
  /** Of a joined model. */
  readonly list: ListArguments | null;
  readonly selection: readonly Part[] | null;
}

export interface RootPart {
  readonly model: string;
  readonly list: ListArguments;
  readonly selection: readonly Part[];
}

const flag: fc.Arbitrary<Flag | null> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.record({
      directive: fc.constantFrom("include", "skip"),
      value: fc.boolean(),
      bound: fc.boolean(),
    }),
  },
);
const shape = {
  alias: fc.boolean(),
  wrapped: fc.constantFrom("plain", "plain", "plain", "inline", "typed", "named"),
  flag,
} as const;
const listArguments: fc.Arbitrary<ListArguments> = fc.record({
  above: fc.option(fc.integer({ min: 0, max: 4 }), { freq: 1 }),
  descending: fc.boolean(),
  limit: fc.option(fc.integer({ min: 1, max: 6 })),
  offset: fc.option(fc.integer({ min: 0, max: 2 }), { freq: 1 }),
});
const noArguments: ListArguments = { above: null, descending: false, limit: null, offset: null };

function parts(model: string, depth: number): fc.Arbitrary<readonly Part[]> {
  const { scalars } = dataModels[model] ?? { scalars: [] };
  const scalar: fc.Arbitrary<Part> = fc.record({
    ...shape,
    field: fc.constantFrom(...scalars, "__typename"),
    list: fc.constant(null),
    selection: fc.constant(null),
  });
  const joins = depth === 0 ? [] : Object.entries(relationsOf(model));
  const joined = joins.map(([field, { kind, model: other }]): fc.Arbitrary<Part> => {
    const list = kind === "has_many" ? fc.oneof(fc.constant(noArguments), listArguments) : fc.constant(null);
    return fc.record({ ...shape, field: fc.constant(field), list, selection: parts(other, depth - 1) });
  });
  // A scalar that is always there, so that nothing is left empty.
  const always: Part = {
    field: "id",
    alias: false,
    wrapped: "plain",
    flag: null,
    list: null,
    selection: null,
  };
  return fc
    .array(
      fc.oneof({ weight: 3, arbitrary: scalar }, ...joined.map((arbitrary) => ({ weight: 1, arbitrary }))),
      { maxLength: 5 },
    )
    .map((list) => [always, ...list]);
}

/** A query over the models of the evaluation: lists with joins up to three levels deep. */
export const documents: fc.Arbitrary<readonly RootPart[]> = fc.array(
  fc
    .constantFrom(...Object.keys(dataModels))
    .chain((model) =>
      fc.record({ model: fc.constant(model), list: listArguments, selection: parts(model, 3) }),
    ),
  { minLength: 1, maxLength: 3 },
);

/** The response key of a part: aliases follow from field and arguments, so that equal keys mean the same. */
export function keyOf({ field, alias, list }: Part): string {
  const asked = list === null || list === noArguments ? "" : JSON.stringify(Object.values(list));
  if (asked !== "") return `${field}_${asked.replaceAll(/\W+/g, "_")}`;
  return alias ? `a_${field}` : field;
}

/** A document as it is sent. */
export interface Printed {
  readonly query: string;
  readonly variables: Data;
}

/** Writes a document down, with fragments and variables where its parts ask for them. */
export function printed(roots: readonly RootPart[]): Printed {
  const fragments: string[] = [];
  const variables: { [name: string]: Json } = {};

  const flagText = (value: Flag | null): string => {
    if (value === null) return "";
    if (!value.bound) return ` @${value.directive}(if: ${value.value})`;
    const name = value.value ? "yes" : "no";
    variables[name] = value.value;
    return ` @${value.directive}(if: $${name})`;
  };
  const part = (model: string, node: Part): string => {
    const key = keyOf(node);
    const name = key === node.field ? key : `${key}: ${node.field}`;
    const other = relationsOf(model)[node.field]?.model ?? "";
    const below = node.selection === null ? "" : ` ${selection(other, node.selection)}`;
    const text = `${name}${argumentText(node.list)}`;
    const condition = flagText(node.flag);
    if (node.wrapped === "plain") return `${text}${condition}${below}`;
    if (node.wrapped === "inline") return `...${condition} { ${text}${below} }`;
    if (node.wrapped === "typed") return `... on ${model}${condition} { ${text}${below} }`;
    const fragment = `F${fragments.length}`;
    fragments.push("");
    fragments[Number(fragment.slice(1))] = `fragment ${fragment} on ${model} { ${text}${below} }`;
    return `...${fragment}${condition}`;
  };
  const selection = (model: string, list: readonly Part[]): string =>
    `{ ${list.map((node) => part(model, node)).join(" ")} }`;

  const body = roots
    .map(
      ({ model, list, selection: list2 }, at) =>
        `r${at}: ${model}${argumentText(list)} ${selection(model, list2)}`,
    )
    .join(" ");
  const declared = Object.keys(variables).map((name) => `$${name}: Boolean!`);
  const head = declared.length > 0 ? `query (${declared.join(", ")}) ` : "";
  return { query: `${head}{ ${body} } ${fragments.join(" ")}`, variables };
}

function argumentText(list: ListArguments | null): string {
  if (list === null) return "";
  const { above, descending, limit, offset } = list;
  const texts = [
    ...(above === null ? [] : [`id: { gt: ${above} }`]),
    ...(descending ? ['orderBy: "-id"'] : []),
    ...(limit === null ? [] : [`limit: ${limit}`]),
    ...(offset === null ? [] : [`offset: ${offset}`]),
  ];
  return texts.length === 0 ? "" : `(${texts.join(", ")})`;
}
