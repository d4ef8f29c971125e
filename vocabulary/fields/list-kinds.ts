import type { FieldKindRow } from "./field-kind-row.ts";
import { columnOptions, type ScalarKind, type ScalarValues, scalarKinds } from "./scalar-kinds.ts";

/** The kinds that elements of lists can have. */
export const elementKinds = [
  "string",
  "text",
  "email",
  "integer",
  "int64",
  "decimal",
  "float",
  "boolean",
  "datetime",
  "date",
  "time",
  "uuid",
] as const satisfies readonly ScalarKind[];

export type ElementKind = (typeof elementKinds)[number];

export type ListKind = `${ElementKind}[]`;

/** The TypeScript types of lists. */
export type ListValues = { [Kind in ElementKind as `${Kind}[]`]: ScalarValues[Kind][] };

/** Options that apply to the elements of a list. */
const elementOptions = [
  "enum",
  "minimum",
  "maximum",
  "precision",
  "scale",
  "max_length",
  "min_length",
  "pattern",
  "out_of_range",
];

/** Default maximum number of elements of a list. */
export const defaultMaxItems = 1_000;

/** The row of a kind of list. `column` is that of its elements. */
export type ListKindRow = FieldKindRow & { readonly compared: "as list" };

/** A table of all kinds of lists, made from the kinds of their elements. */
export function forListKinds<T>(make: (element: ElementKind) => T): Readonly<Record<ListKind, T>> {
  return {
    "string[]": make("string"),
    "text[]": make("text"),
    "email[]": make("email"),
    "integer[]": make("integer"),
    "int64[]": make("int64"),
    "decimal[]": make("decimal"),
    "float[]": make("float"),
    "boolean[]": make("boolean"),
    "datetime[]": make("datetime"),
    "date[]": make("date"),
    "time[]": make("time"),
    "uuid[]": make("uuid"),
  };
}

/** One row for each kind of list. */
export const listKinds = forListKinds(listRow);

function listRow(element: ElementKind): ListKindRow {
  const { called, options, placeholders, typescript, graphql, column }: FieldKindRow = scalarKinds[element];
  return {
    called: `a list, each element of which is ${called}`,
    options: [
      ...columnOptions,
      ...["default", "preset", "index", "min_items", "max_items", "unique_items"],
      ...options.filter((option) => elementOptions.includes(option)),
    ],
    compared: "as list",
    families: [],
    summed: false,
    placeholders,
    typescript: `${typescript}[]`,
    graphql: { value: `[${graphql.value}!]`, filter: listFilter(graphql.value), alike: graphql.alike },
    schema: { type: "array" },
    column,
  };
}

function listFilter(element: string): string {
  return `${element}ListFilter`;
}

const elements: ReadonlyMap<string, ElementKind> = new Map(elementKinds.map((kind) => [`${kind}[]`, kind]));

/** The kind of a list's elements; null if the kind is not a list. */
export function elementKindOf(kind: ScalarKind | ListKind): ElementKind | null {
  return elements.get(kind) ?? null;
}
