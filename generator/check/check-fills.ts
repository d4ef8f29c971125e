import { type FillingHook, fillingHooks, hookNames } from "../../vocabulary/hook-names.ts";
import { didYouMean } from "../../vocabulary/nearest.ts";
import { isRuntimeColumn } from "../../vocabulary/runtime-columns.ts";
import type { Report } from "../diagnostics/index.ts";
import type { RawField, RawModel } from "../load/raw.ts";
import type { RawFillList } from "../load/read-fills.ts";
import { hasColumn } from "../resolve/model-graph.ts";
import type { CheckContext } from "./check-context.ts";

/** What hook files say that their before-hooks fill in (decisions, part 13). That the hooks are there the compiler sees. */
export function checkFills({ models, modelHooks, report }: CheckContext): void {
  for (const model of models) {
    const fills = modelHooks.get(model.key)?.fills;
    if (fills === undefined || fills === null) continue;
    if (fills.lists === null)
      report("unreadable-fills", fills.at, unreadableFills.message, unreadableFills.hint);
    for (const list of fills.lists ?? []) checkList(model, list, report);
  }
}

/** Of an export that is no literal, or not in the hook file itself. */
export const unreadableFills = {
  message: '"fills" cannot be read: it is no literal "as const" of this file',
  hint: 'write it out: export const fills = { before_create: ["slug"] } as const;',
};

function checkList(model: RawModel, { hook, fields }: RawFillList, report: Report): void {
  if (!isFillingHook(hook.value)) {
    const message = `"fills" of model "${model.key}" names "${hook.value}", which gets no new record`;
    const hint = `new records come to ${fillingHooks.join(" and ")}`;
    const isHook = hookNames.model.some((name) => name === hook.value);
    report("invalid-fills", hook.at, message, isHook ? hint : (didYouMean(hook.value, fillingHooks) ?? hint));
    return;
  }
  for (const field of fields) {
    const problem = problemOf(model, field.value);
    if (problem === null) continue;
    const message = `${hook.value} of model "${model.key}" lists "${field.value}" in vain: ${problem.reason}`;
    report("invalid-fills", field.at, message, problem.hint);
  }
}

function isFillingHook(name: string): name is FillingHook {
  return fillingHooks.some((hook) => hook === name);
}

interface FieldProblem {
  readonly reason: string;
  readonly hint: string | null;
}

/** Why `fills` has no effect on a field; null where it has one. */
function problemOf({ fields }: RawModel, name: string): FieldProblem | null {
  const field = fields.find((one) => one.name === name);
  if (field !== undefined) {
    const reason = reasonToLack(field);
    return reason === null ? null : { reason, hint: "remove it: records may lack it whatever stands here" };
  }
  if (isRuntimeColumn(name)) return { reason: "the server sets it", hint: "remove it" };
  const demanded = fields.filter((one) => reasonToLack(one) === null).map((one) => one.name);
  return { reason: "there is no such field", hint: didYouMean(name, demanded) };
}

/** Why new records may lack a field without a hook; null where they may not. */
function reasonToLack(field: RawField): string | null {
  if (!hasColumn(field)) return "it is a relation without a column";
  if (!field.required) return "it is not required";
  if (field.default !== null && field.default.value !== null) return "it has a default";
  return field.preset === null ? null : "it has a preset";
}
