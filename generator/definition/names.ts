import { createHash } from "node:crypto";
import { maxIdentifierLength } from "../../vocabulary/identifiers.ts";

/**
 * The name of an index or constraint: `books_author_id_fkey` for the parts `books`, `author_id` and the suffix `fkey`.
 * A name that is too long for PostgreSQL is shortened, and ends in `_` and 8 hexadecimal digits of its SHA-256.
 */
export function tableKeyName(parts: readonly string[], suffix: "key" | "idx" | "fkey" | "check"): string {
  const name = [...parts, suffix].join("_");
  return Buffer.byteLength(name) <= maxIdentifierLength ? name : marked(name, name);
}

/** The name of the primary key of a table without a column `id`. */
export function primaryKeyName(table: string): string {
  return `${table.slice(0, maxIdentifierLength - "_pkey".length)}_pkey`;
}

/** Names of the check constraints of enums: `<table>_<field>_check`. */
export function enumCheckName(table: string, field: string): string {
  return tableKeyName([table, field], "check");
}

/**
 * Names of the constraints of a model's checks: `<table>_<place>_<name>_check`. All places have the same number of digits,
 * so the names sort in the order of the list, even if they are shortened.
 */
export function checkNamer(table: string, names: readonly string[]): string[] {
  const digits = Math.max(2, String(names.length).length);
  const maxPrefix = maxIdentifierLength - hashLength - digits - 1;
  const prefix = table.length <= maxPrefix ? table : marked(table, table, maxPrefix);
  return names.map((name, index) =>
    tableKeyName([prefix, String(index + 1).padStart(digits, "0"), name], "check"),
  );
}

/** Length of the hash at the end of a shortened name, with its `_`. */
const hashLength = 9;

function marked(name: string, source: string, length = maxIdentifierLength): string {
  const hash = createHash("sha256")
    .update(source)
    .digest("hex")
    .slice(0, hashLength - 1);
  return `${name.slice(0, length - hashLength)}_${hash}`;
}

/**
 * Makes index names, which share a namespace with tables in PostgreSQL. If two names are equal (table `a_b` field `c`, table `a`
 * field `b_c`), the later name ends in a hash of its parts.
 */
export function indexNamer(
  tables: Iterable<string>,
): (parts: readonly string[], suffix: "key" | "idx") => string {
  const taken = new Set<string>();
  for (const table of tables) {
    for (const name of [table, `${table}_pkey`, `${table}_id_seq`])
      taken.add(name.slice(0, maxIdentifierLength));
  }
  return (parts, suffix) => {
    const plain = tableKeyName(parts, suffix);
    const name = taken.has(plain)
      ? marked([...parts, suffix].join("_"), JSON.stringify([...parts, suffix]))
      : plain;
    taken.add(name);
    return name;
  };
}

/**
 * Prefixes of TypeScript types and GraphQL mutations by model key: each underscore-separated part capitalized. If two keys
 * give the same name, the snake_case key gets it, and the others get a number.
 */
export function typeNames(keys: readonly string[]): Map<string, string> {
  const snakeFirst = [...keys].sort((a, b) => Number(isSnake(b)) - Number(isSnake(a)));
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const doubles: string[] = [];
  for (const key of snakeFirst) {
    if (taken.has(typeName(key))) doubles.push(key);
    else names.set(key, typeName(key));
    taken.add(typeName(key));
  }
  for (const key of doubles) {
    let number = 2;
    while (taken.has(`${typeName(key)}${number}`)) number++;
    names.set(key, `${typeName(key)}${number}`);
    taken.add(`${typeName(key)}${number}`);
  }
  return names;
}

function typeName(key: string): string {
  return key
    .split("_")
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");
}

function isSnake(key: string): boolean {
  return /^[a-z0-9]+(_[a-z0-9]+)*$/.test(key);
}
