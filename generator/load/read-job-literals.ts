import type { CallExpression, Expression } from "typescript/unstable/ast";
import { parseCron } from "../../vocabulary/cron-times.ts";
import { type CodeFile, defaultExport, isCallOf, literalNode, settled, valueUnder } from "./code-literals.ts";
import type { InputFile } from "./files.ts";
import { itemsOf, readString } from "./read.ts";
import { lookAtSyntax } from "./syntax-trees.ts";
import { type UnknownKeyword, unknownKeywords } from "./unknown-keywords.ts";

/** What is wrong in the code of a job: the service would not start. */
type JobProblem = UnknownKeyword;

/** Unknown keywords in the schemas of jobs and wrong cron texts, as far as they are written in `export default defineJob({ … })`. */
export async function readJobLiterals(
  root: string,
  inputs: readonly InputFile[],
): Promise<readonly JobProblem[]> {
  if (inputs.length === 0) return [];
  return lookAtSyntax(root, inputs, (_, code) => {
    const call = code === null ? null : jobIn(code);
    if (code === null || call === null) return [];
    return [...unknownKeywords(call, ["payload"], code), ...cronProblems(call, code)];
  });
}

function jobIn(code: CodeFile): CallExpression | null {
  const value = defaultExport(code);
  return value !== null && isCallOf("defineJob", value, code) ? value : null;
}

function cronProblems(call: CallExpression, code: CodeFile): JobProblem[] {
  const [given] = call.arguments;
  const valueIn = (key: string, object: Expression | null | undefined) => {
    const value = object == null ? null : valueUnder(key, settled(object, code), code);
    return value === null ? null : settled(value, code);
  };
  const cron = valueIn("cron", given);
  if (cron === null) return [];
  const text = readString(literalNode(cron, code) ?? undefined);
  const required = valueIn("required", valueIn("payload", given));
  const names = required === null ? undefined : (literalNode(required, code) ?? undefined);
  return [
    ...(text === null ? [] : wrongCron(text.value).map((message) => ({ at: text.at, message, hint: null }))),
    ...(names === undefined || itemsOf(names).length === 0
      ? []
      : [{ at: names.at, message: "cron sends {}, and this payload requires more", hint: null }]),
  ];
}

function wrongCron(text: string): string[] {
  try {
    parseCron(text);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
