import fc from "fast-check";
import type { Json } from "#vocabulary/json";

/** An object of an answer. */
export type Data = { readonly [key: string]: Json };

interface Join {
  readonly kind: "belongs_to" | "has_one" | "has_many";
  readonly field: string;
  readonly model: string;
  readonly references: string;
}

interface DataModel {
  readonly scalars: readonly string[];
  readonly maxLimit: number;
  readonly joins: { readonly [name: string]: Join };
}

const one = (field: string, model: string): Join => ({ kind: "belongs_to", field, model, references: "id" });
const many = (model: string, references: string): Join => ({
  kind: "has_many",
  field: "id",
  model,
  references,
});

/** Models of the fixture as the tests see them, told apart from the generated ones on purpose. */
// biome-ignore format: one entry a line
export const dataModels: { readonly [model: string]: DataModel } = {
  books: {
    // biome-ignore format: a list of values
    scalars: ["id", "title", "pages", "price", "genre", "in_stock", "published", "printed_at", "author_id", "publisher_id"],
    maxLimit: 20,
    joins: { author: one("author_id", "authors"), editor: one("editor", "authors"), chapters: many("chapters", "book_id") },
  },
  authors: {
    scalars: ["id", "name", "user", "public", "rating", "salary", "deleted_at"],
    maxLimit: 1000,
    joins: { books: many("books", "author_id"), edited: many("books", "editor"),
      profile: { kind: "has_one", field: "id", model: "profiles", references: "author_id" } },
  },
  chapters: { scalars: ["id", "number", "heading", "book_id"], maxLimit: 4, joins: { book: one("book_id", "books") } },
  profiles: { scalars: ["id", "bio", "author_id"], maxLimit: 1000, joins: { author: one("author_id", "authors") } },
  folders: { scalars: ["id", "name", "size", "parent_id"], maxLimit: 12,
    joins: { parent: one("parent_id", "folders"), children: many("folders", "parent_id") } },
};

export const relationsOf = (model: string): DataModel["joins"] => dataModels[model]?.joins ?? {};

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

/** A selected field, and its form in the document. */
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

/** Live rows by model, as they are answered. */
export type Tables = { readonly [model: string]: readonly Data[] };

/** What a document answers, worked out from rows in memory. */
export function evaluate(roots: readonly RootPart[], tables: Tables): Data {
  const entries = roots.map(({ model, list, selection }, at): [string, Json] => [
    `r${at}`,
    listed(tables[model] ?? [], model, list).map((row) => objectOf(row, model, selection, tables)),
  ]);
  return Object.fromEntries(entries);
}

function listed(
  rows: readonly Data[],
  model: string,
  { above, descending, limit, offset }: ListArguments,
): Data[] {
  const { maxLimit } = dataModels[model] ?? { maxLimit: 10 };
  const found = rows.filter(({ id }) => above === null || Number(id) > above);
  const ordered = found.toSorted((a, b) => (Number(a["id"]) - Number(b["id"])) * (descending ? -1 : 1));
  const start = offset ?? 0;
  return ordered.slice(start, start + Math.min(limit ?? 10, maxLimit));
}

function objectOf(row: Data, model: string, selection: readonly Part[], tables: Tables): Data {
  const object: { [key: string]: Json } = {};
  for (const part of selection.filter(({ flag }) => isTaken(flag))) {
    const key = keyOf(part);
    const value = fieldOf(row, model, part, tables);
    object[key] = key in object ? merged(object[key] ?? null, value) : value;
  }
  return object;
}

const isTaken = (flag: Flag | null): boolean =>
  flag === null || (flag.directive === "include") === flag.value;

function fieldOf(row: Data, model: string, { field, list, selection }: Part, tables: Tables): Json {
  if (field === "__typename") return model;
  const join = relationsOf(model)[field];
  if (join === undefined || selection === null) return row[field] ?? null;
  const rows = (tables[join.model] ?? []).filter(
    (other) => row[join.field] !== null && other[join.references] === row[join.field],
  );
  const shown = (other: Data) => objectOf(other, join.model, selection, tables);
  if (list !== null) return listed(rows, join.model, list).map(shown);
  const [first] = rows;
  return first === undefined ? null : shown(first);
}

/** Two answers of the same field are one: their objects hold what either asked for. */
function merged(a: Json, b: Json): Json {
  if (Array.isArray(a) && Array.isArray(b)) return a.map((entry: Json, at) => merged(entry, b[at] ?? null));
  if (!isObject(a) || !isObject(b)) return a;
  const both = Object.entries(b).map(([key, value]): [string, Json] => [
    key,
    key in a ? merged(a[key] ?? null, value) : value,
  ]);
  return { ...a, ...Object.fromEntries(both) };
}

const isObject = (value: Json): value is Data =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether what a document takes holds a model or a field (`model.field`) that is denied. */
export function asksFor(denied: ReadonlySet<string>, roots: readonly RootPart[]): boolean {
  const within = (model: string, selection: readonly Part[]): boolean =>
    selection.some(({ flag, field, selection: below }) => {
      if (!isTaken(flag)) return false;
      const join = relationsOf(model)[field];
      if (join === undefined || below === null) return denied.has(`${model}.${field}`);
      return denied.has(join.model) || within(join.model, below);
    });
  return roots.some(({ model, selection }) => denied.has(model) || within(model, selection));
}
