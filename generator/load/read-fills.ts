import { fillsExport } from "../../vocabulary/hook-names.ts";
import type { SourceSpan } from "../diagnostics/index.ts";
import type { JsonMember } from "./json-tree.ts";
import { type Located, readString } from "./read.ts";
import { type CodeFile, literalNode, readCode, spanOfNode } from "./read-code.ts";

/** The export `fills` of a hook file. */
export interface RawFills {
  /** Of its name. */
  readonly at: SourceSpan;
  /** Null if it is not a literal, which the generator cannot read. */
  readonly lists: readonly RawFillList[] | null;
}

/** The fields that a hook fills in. */
export interface RawFillList {
  readonly hook: Located<string>;
  readonly fields: readonly Located<string>[];
}

/** Reads `export const fills = { before_create: ["slug"] } as const` of a hook file; null without such an export. */
export function readFills(file: string, text: string): RawFills | null {
  if (!text.includes(fillsExport)) return null;
  const code = readCode(file, text);
  const { ts, source } = code;
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    if (statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) !== true) continue;
    const { declarations, flags } = statement.declarationList;
    for (const { name, type, initializer } of declarations) {
      if (!ts.isIdentifier(name) || name.text !== fillsExport) continue;
      const isConstant = (flags & ts.NodeFlags.Const) !== 0 && type === undefined;
      const lists = isConstant && initializer !== undefined ? listsIn(initializer, code) : null;
      return { at: spanOfNode(name, code), lists };
    }
  }
  return null;
}

/** `as const` is required: without it the types lose the names. */
function listsIn(initializer: Parameters<typeof literalNode>[0], code: CodeFile): RawFillList[] | null {
  const { ts, source } = code;
  const value = ts.isSatisfiesExpression(initializer) ? initializer.expression : initializer;
  if (!ts.isAsExpression(value) || value.type.getText(source) !== "const") return null;
  const node = literalNode(value, code);
  if (node?.kind !== "object") return null;
  const lists = [...node.members].flatMap((member) => listOf(member) ?? []);
  return lists.length === node.members.size ? lists : null;
}

function listOf([hook, { key, value }]: readonly [string, JsonMember]): RawFillList | null {
  if (value.kind !== "array") return null;
  const fields = value.items.flatMap((item) => readString(item) ?? []);
  return fields.length === value.items.length ? { hook: { value: hook, at: key }, fields } : null;
}
