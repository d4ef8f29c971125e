import type { CallExpression } from "typescript/unstable/ast";
import { bare, type CodeFile } from "./code-literals.ts";
import type { InputFile } from "./files.ts";
import { lookAtSyntax } from "./syntax-trees.ts";
import { type UnknownKeyword, unknownKeywords } from "./unknown-keywords.ts";

/** Unknown keywords in the schemas of jobs, as far as they are written in `export default defineJob({ … })`. */
export async function readJobSchemas(
  root: string,
  inputs: readonly InputFile[],
): Promise<readonly UnknownKeyword[]> {
  if (inputs.length === 0) return [];
  return lookAtSyntax(root, inputs, (_, code) => {
    const call = code === null ? null : jobIn(code);
    return code === null || call === null ? [] : unknownKeywords(call, ["payload"], code);
  });
}

function jobIn(code: CodeFile): CallExpression | null {
  const { is, source } = code;
  const exported = source.statements.find((statement) => is.isExportAssignment(statement));
  const value = exported === undefined ? null : bare(exported.expression, code);
  const isJob =
    value !== null && is.isCallExpression(value) && value.expression.getText(source) === "defineJob";
  return isJob ? value : null;
}
