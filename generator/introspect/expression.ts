import { numberText } from "../../vocabulary/fields/exact-numbers.ts";
import type { Json } from "../../vocabulary/json.ts";

/** A simple default or check, as PostgreSQL prints it, without casts. */
export type SqlExpression =
  | { readonly is: "column"; readonly name: string }
  | { readonly is: "value"; readonly value: Exclude<Json, object> }
  | { readonly is: "list"; readonly values: readonly SqlExpression[] }
  | {
      readonly is: "comparison";
      readonly op: string;
      readonly left: SqlExpression;
      readonly right: SqlExpression;
    }
  | { readonly is: "and" | "or"; readonly parts: readonly SqlExpression[] };

const token =
  /\s*(?:('(?:[^']|'')*')|("(?:[^"]|"")*")|(\d+(?:\.\d+)?(?:e[+-]?\d+)?)|(\w+)|(::|<=|>=|<>|<@|[-=<>()[\],.]))/iy;

/** Parses an expression; null if it contains other syntax, such as a function call. */
export function parseExpression(text: string): SqlExpression | null {
  const tokens = tokensOf(text);
  if (tokens === null) return null;
  const reader = new Reader(tokens);
  const expression = reader.either();
  return reader.ended ? expression : null;
}

function tokensOf(text: string): string[] | null {
  const tokens: string[] = [];
  const trimmed = text.trimEnd();
  token.lastIndex = 0;
  while (token.lastIndex < trimmed.length) {
    const match = token.exec(trimmed);
    if (match === null) return null;
    tokens.push(match[0].trimStart());
  }
  return tokens;
}

const comparisons: ReadonlySet<string> = new Set(["=", "<>", "<", "<=", ">", ">=", "<@"]);

/** Types whose names have several words, by the first one. */
const furtherWords: Readonly<Record<string, readonly string[]>> = {
  character: ["varying"],
  double: ["precision"],
  timestamp: ["without", "with", "time", "zone"],
  time: ["without", "with", "time", "zone"],
};

const constants: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** Parses from left to right. If a method returns null, the whole text cannot be parsed. */
class Reader {
  #place = 0;
  readonly #tokens: readonly string[];

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  get ended(): boolean {
    return this.#place === this.#tokens.length;
  }

  either(): SqlExpression | null {
    return this.#joined("or", () => this.#joined("and", () => this.#comparison()));
  }

  #joined(is: "and" | "or", part: () => SqlExpression | null): SqlExpression | null {
    const parts: SqlExpression[] = [];
    do {
      const one = part();
      if (one === null) return null;
      parts.push(one);
    } while (this.#takes(is));
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { is, parts };
  }

  #comparison(): SqlExpression | null {
    const left = this.#operand();
    const op = this.#peek();
    if (left === null || !comparisons.has(op)) return left;
    this.#place++;
    const any = op === "=" && this.#takes("any");
    const right = this.#operand();
    const takesList = any || op === "<@";
    if (right === null || takesList !== (right.is === "list")) return null;
    return { is: "comparison", op, left, right };
  }

  #operand(): SqlExpression | null {
    const operand = this.#primary();
    while (this.#takes("::")) if (!this.#type()) return null;
    return operand;
  }

  #primary(): SqlExpression | null {
    if (this.#takes("(")) return this.#closed(this.either(), ")");
    if (this.#takes("array")) return this.#list();
    if (this.#takes("-")) {
      const number = this.#primary();
      const value = number?.is === "value" ? number.value : null;
      if (typeof value === "number") return { is: "value", value: -value };
      return typeof value === "string" && isNumber(value) ? { is: "value", value: `-${value}` } : null;
    }
    const next = this.#peek();
    this.#place++;
    return this.#peek() === "(" ? null : leaf(next);
  }

  #list(): SqlExpression | null {
    const values: SqlExpression[] = [];
    if (!this.#takes("[")) return null;
    if (this.#takes("]")) return { is: "list", values };
    do {
      const value = this.#operand();
      if (value === null) return null;
      values.push(value);
    } while (this.#takes(","));
    return this.#closed({ is: "list", values }, "]");
  }

  #type(): boolean {
    const first = this.#peek().toLowerCase();
    if (!/^["\w]/.test(first)) return false;
    this.#place++;
    if (this.#takes(".")) this.#place++;
    if (this.#peek() === "(") while (!this.ended && this.#tokens[this.#place++] !== ")");
    while (furtherWords[first]?.includes(this.#peek().toLowerCase())) this.#place++;
    if (this.#peek() === "(") while (!this.ended && this.#tokens[this.#place++] !== ")");
    return !this.#takes("[") || this.#takes("]");
  }

  #closed(expression: SqlExpression | null, by: string): SqlExpression | null {
    return this.#takes(by) ? expression : null;
  }

  #peek(): string {
    return this.#tokens[this.#place] ?? "";
  }

  #takes(word: string): boolean {
    if (this.#peek().toLowerCase() !== word) return false;
    this.#place++;
    return true;
  }
}

function leaf(text: string): SqlExpression | null {
  if (text.startsWith("'")) return { is: "value", value: text.slice(1, -1).replaceAll("''", "'") };
  if (text.startsWith('"')) return { is: "column", name: text.slice(1, -1).replaceAll('""', '"') };
  // A number that JavaScript would round stays a text.
  if (/^\d/.test(text)) {
    const exact = !isNumber(text) || numberText(Number(text)) === withoutZeros(text);
    return { is: "value", value: exact ? Number(text) : text };
  }
  const constant = constants.get(text.toLowerCase());
  if (constant !== undefined) return { is: "value", value: constant };
  return /^\w/.test(text) ? { is: "column", name: text } : null;
}

function isNumber(text: string): boolean {
  return /^\d+(\.\d+)?$/.test(text);
}

function withoutZeros(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
