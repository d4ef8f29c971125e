import type {
  CatalogColumn,
  CatalogCounter,
  CatalogTable,
} from "../../../../vocabulary/migrations/catalog.ts";
import { canonicalExpression, shortType } from "./canonical.ts";
import { type Finding, fault, pairsByName, remark } from "./finding.ts";

/** Compares the columns of a table, in any order. */
export function compareColumns(expected: CatalogTable, actual: CatalogTable): Finding[] {
  const table = expected.name;
  return pairsByName(expected.columns, actual.columns).flatMap(([wanted, found]) => {
    if (wanted !== null && found !== null) return columnFindings(table, wanted, found);
    if (wanted !== null)
      return [
        fault({ kind: "column", table, name: wanted.name, expected: describeColumn(wanted), actual: null }),
      ];
    return found === null ? [] : [extraColumn(actual, found)];
  });
}

/** An additional column is harmless if rows can be inserted without a value for it. A trigger can fill it. */
function extraColumn({ name: table, triggers }: CatalogTable, column: CatalogColumn): Finding {
  const { name, nullable, default: filling, identity } = column;
  const difference = { kind: "column", table, name, expected: null, actual: describeColumn(column) } as const;
  const isFilled = filling !== null || identity !== null || triggers.length > 0;
  return nullable || isFilled ? remark(difference) : fault(difference);
}

function describeColumn(column: CatalogColumn): string {
  return `column ${shortType(column.type)}${column.nullable ? "" : " not null"}`;
}

interface Facet {
  readonly kind: "type" | "nullability" | "default" | "identity" | "sequence" | "collation";
  readonly text: (column: CatalogColumn) => string;
  /** The compared value; default: the text. */
  readonly key?: (column: CatalogColumn) => string;
  /** Whether it is compared; default: always. */
  readonly when?: (wanted: CatalogColumn, found: CatalogColumn) => boolean;
  /** Whether the service works with the found value; default: never. */
  readonly harmless?: (wanted: CatalogColumn, found: CatalogColumn) => boolean;
}

const facets: readonly Facet[] = [
  {
    kind: "type",
    text: ({ type }) => shortType(type),
    // A domain accepts fewer values. A refused value is an error of the caller.
    harmless: ({ type }, { baseType }) => type === baseType,
  },
  { kind: "nullability", text: nullabilityText },
  {
    kind: "identity",
    text: ({ identity }) => (identity === null ? "no identity" : `identity (generated ${identity})`),
  },
  {
    kind: "default",
    text: defaultText,
    key: defaultKey,
    // It fills in missing values: introspected databases keep defaults that models cannot express.
    harmless: (wanted, found) => wanted.default === null && found.default !== null && !found.generated,
  },
  {
    kind: "sequence",
    text: counterText,
    // Without a counter, the identity or the default differs.
    when: ({ counter: wanted }, { counter: found }) => wanted !== null && found !== null,
    harmless: ({ counter: wanted }, { counter: found }) =>
      wanted !== null && found !== null && countsAsFar(wanted, found),
  },
  {
    kind: "collation",
    text: ({ collation }) => `collation ${collation ?? "default"}`,
    harmless: () => true,
  },
];

function columnFindings(table: string, wanted: CatalogColumn, found: CatalogColumn): Finding[] {
  return facets
    .filter(({ text, key = text, when }) => key(wanted) !== key(found) && when?.(wanted, found) !== false)
    .map(({ kind, text, harmless = never }) => ({
      kind,
      table,
      name: wanted.name,
      expected: text(wanted),
      actual: text(found),
      harmless: harmless(wanted, found),
    }));
}

function never(): boolean {
  return false;
}

function nullabilityText({ nullable, validated }: CatalogColumn): string {
  if (nullable) return "nullable";
  return validated ? "not null" : "not null, not validated: older rows can be null";
}

/** Whether a sequence reaches the maximum without repeating a number. The increment can differ. */
function countsAsFar(wanted: CatalogCounter, found: CatalogCounter): boolean {
  return !found.cycle && BigInt(found.maximum) >= BigInt(wanted.maximum) && BigInt(found.increment) > 0n;
}

function counterText({ counter }: CatalogColumn): string {
  if (counter === null) return "no sequence";
  const { increment, maximum, cycle } = counter;
  return `counting to ${maximum} by ${increment}${cycle ? ", then from the beginning" : ""}`;
}

function defaultText({ default: value, generated, sequence }: CatalogColumn): string {
  if (value === null) return "no default";
  if (generated) return `generated as ${value}`;
  return sequence ? "the next number of a sequence" : `default ${value}`;
}

/** A sequence keeps its name when its table or its column is renamed. */
function defaultKey({ default: value, generated, sequence }: CatalogColumn): string {
  if (value === null || sequence) return sequence ? "sequence" : "";
  return `${generated ? "generated" : "default"} ${canonicalExpression(value)}`;
}
