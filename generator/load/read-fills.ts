import { fillsExport } from "../../vocabulary/hook-names.ts";
import type { Span } from "../diagnostics/index.ts";
import { withoutComments } from "./hook-text.ts";
import type { Located } from "./read.ts";

/** The export `fills` of a hook file, as it stands there. */
export interface RawFills {
  /** Of its name. */
  readonly at: Span;
  /** Null where it is no literal, which the generator cannot read. */
  readonly lists: readonly RawFillList[] | null;
}

/** Which fields a hook fills in. */
export interface RawFillList {
  readonly hook: Located<string>;
  readonly fields: readonly Located<string>[];
}

/** Reads `export const fills = { before_create: ["slug"] } as const` from the text of a hook file; null where there is none. */
export function readFills(file: string, text: string): RawFills | null {
  const code = withoutComments(text);
  const found = new RegExp(`^[^\\S\\n]*export\\s+(const|let|var)\\s+(${fillsExport})\\b`, "m").exec(code);
  if (found === null) return null;
  const [statement, keyword] = found;
  const end = found.index + statement.length;
  const at = { file, offset: end - fillsExport.length, length: fillsExport.length };
  return { at, lists: keyword === "const" ? readLiteral(new Cursor(file, code, end)) : null };
}

function readLiteral(cursor: Cursor): RawFillList[] | null {
  const lists: RawFillList[] = [];
  if (!cursor.passes("=") || !cursor.passes("{")) return null;
  while (!cursor.passes("}")) {
    const hook = cursor.takes(name) ?? cursor.takes(quoted);
    if (hook === null || !cursor.passes(":")) return null;
    const fields = readList(cursor);
    if (fields === null || !(cursor.passes(",") || cursor.sees("}"))) return null;
    lists.push({ hook, fields });
  }
  return cursor.passes("as") && cursor.passes("const") ? lists : null;
}

function readList(cursor: Cursor): Located<string>[] | null {
  const fields: Located<string>[] = [];
  if (!cursor.passes("[")) return null;
  while (!cursor.passes("]")) {
    const field = cursor.takes(quoted);
    if (field === null || !(cursor.passes(",") || cursor.sees("]"))) return null;
    fields.push(field);
  }
  return fields;
}

const name = /(\w+)/y;
const quoted = /["']([^"'\\\n]*)["']/y;

/** Goes over a text without comments from token to token. */
class Cursor {
  readonly #file: string;
  readonly #code: string;
  #offset: number;

  constructor(file: string, code: string, offset: number) {
    this.#file = file;
    this.#code = code;
    this.#offset = offset;
  }

  sees(token: string): boolean {
    while (/\s/.test(this.#code.charAt(this.#offset))) this.#offset++;
    return this.#code.startsWith(token, this.#offset);
  }

  /** Whether a token came next, which is behind then. */
  passes(token: string): boolean {
    const found = this.sees(token);
    if (found) this.#offset += token.length;
    return found;
  }

  /** What a pattern captures of what comes next, which is behind then; null where that is something else. */
  takes(pattern: RegExp): Located<string> | null {
    this.sees("");
    pattern.lastIndex = this.#offset;
    const found = pattern.exec(this.#code);
    const [all = "", value = ""] = found ?? [];
    if (found === null) return null;
    const at = { file: this.#file, offset: this.#offset, length: all.length };
    this.#offset += all.length;
    return { value, at };
  }
}
