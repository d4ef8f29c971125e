import type { ts as Compiler } from "ts-morph";
import { parseCron } from "../../vocabulary/cron-times.ts";
import type { InputFile } from "./files.ts";
import { itemsOf, readString } from "./read.ts";
import {
  type CodeFile,
  defaultExport,
  isCallOf,
  literalNode,
  readCode,
  settled,
  syntaxProblems,
  valueUnder,
} from "./read-code.ts";
import { type UnknownKeyword, unknownKeywords } from "./unknown-keywords.ts";

/** What is wrong in the code of a job: the service would not start. */
type JobProblem = UnknownKeyword;

/** Unknown keywords in the schemas of jobs and wrong cron texts, as far as they are written in `export default defineJob({ … })`. */
export function readJobLiterals(inputs: readonly InputFile[]): JobProblem[] {
  return inputs.flatMap(({ file, text }) => {
    const code = readCode(file, text ?? "");
    const call = syntaxProblems(code).length > 0 ? null : jobIn(code);
    if (call === null) return [];
    return [...unknownKeywords(call, ["payload"], code), ...cronProblems(call, code)];
  });
}

function jobIn(code: CodeFile): Compiler.CallExpression | null {
  const value = defaultExport(code);
  return value !== null && isCallOf("defineJob", value, code) ? value : null;
}

function cronProblems(call: Compiler.CallExpression, code: CodeFile): JobProblem[] {
  const [given] = call.arguments;
  const valueIn = (key: string, object: Compiler.Expression | null | undefined) => {
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
