import type { CatalogColumn, CatalogCounter, CatalogTable } from "../../../vocabulary/catalog.ts";
import { canonicalExpression, shortType } from "./canonical.ts";
import { type Finding, fault, note } from "./finding.ts";
import { pairsByName } from "./pairs-by-name.ts";

/** What differs in the columns of a table. Their order does not count. */
export function compareColumns(expected: CatalogTable, actual: CatalogTable): Finding[] {
  const table = expected.name;
  return pairsByName(expected.columns, actual.columns).flatMap(([wanted, found]) => {
    if (wanted !== null && found !== null) return columnFindings(table, wanted, found);
    if (wanted !== null)
      return [fault({ kind: "column", table, name: wanted.name, expected: described(wanted), actual: null })];
    return found === null ? [] : [extraColumn(actual, found)];
  });
}

/** A row can be inserted without a value for it, or it cannot. A trigger may fill it. */
function extraColumn({ name: table, triggers }: CatalogTable, column: CatalogColumn): Finding {
  const { name, nullable, default: filling, identity } = column;
  const difference = { kind: "column", table, name, expected: null, actual: described(column) } as const;
  const isFilled = filling !== null || identity !== null || triggers.length > 0;
  return nullable || isFilled ? note(difference) : fault(difference);
}

function described(column: CatalogColumn): string {
  return `column ${shortType(column.type)}${column.nullable ? "" : " not null"}`;
}

interface Facet {
  readonly kind: "type" | "nullability" | "default" | "identity" | "sequence" | "collation";
  readonly text: (column: CatalogColumn) => string;
  /** What is compared, where that is not the text. */
  readonly key?: (column: CatalogColumn) => string;
  /** Whether it is compared at all. */
  readonly when?: (wanted: CatalogColumn, found: CatalogColumn) => boolean;
  /** Whether the service works as well with what is found; never unless said. */
  readonly harmless?: (wanted: CatalogColumn, found: CatalogColumn) => boolean;
}

const facets: readonly Facet[] = [
  {
    kind: "type",
    text: ({ type }) => shortType(type),
    // A domain takes fewer values of the type, and a value that it refuses is the caller's mistake.
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
    // It fills in what a caller leaves out: introspected databases keep such as models cannot say.
    harmless: (wanted, found) => wanted.default === null && found.default !== null && !found.generated,
  },
  {
    kind: "sequence",
    text: counterText,
    // Elsewhere the identity or the default differs.
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
  return validated ? "not null" : "not null, not validated: rows from before may be null";
}

/** A number never comes again, and a larger step only leaves some out. */
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
