import { basename } from "node:path";
import { coversRole } from "../../vocabulary/accounts/role-names.ts";
import { isRuntimeColumn } from "../../vocabulary/fields/runtime-columns.ts";
import { type FillingHook, fillingHooks, hookNames } from "../../vocabulary/hook-names.ts";
import { sqlTexts } from "../../vocabulary/migrations/sql-migration.ts";
import { sqlProblems } from "../../vocabulary/migrations/sql-problems.ts";
import { didYouMean } from "../../vocabulary/nearest.ts";
import { type AccessKey, allOperations, readOperations } from "../../vocabulary/operations.ts";
import type { ReportDiagnostic } from "../diagnostics/index.ts";
import { usersKey } from "../load/built-in-users.ts";
import { type RawAccess, type RawField, type RawModel, reservedKeys } from "../load/raw.ts";
import type { CustomMigration } from "../load/read-custom-migrations.ts";
import type { RawFillList } from "../load/read-fills.ts";
import type { RawHooks } from "../load/read-hooks.ts";
import { hasColumn } from "../resolve/model-graph.ts";
import { isGenerated } from "../resolve/resolve-stored.ts";
import type { CheckContext } from "./check-context.ts";

const wanted =
  "files in this folder are migrations, named by a number and a description, such as 0007_add_trigram.ts";

/** Checks custom SQL. */
export function checkCustomMigrations({ customMigrations, strayMigrations, report }: CheckContext): void {
  const start = (file: string) => ({ file, offset: 0, length: 1 });
  for (const file of strayMigrations)
    report("misnamed-migration", start(file), `${basename(file)} is not a valid name of a migration`, wanted);
  for (const migration of customMigrations) {
    const { file, name, problem } = migration;
    if (Number.parseInt(name, 10) < 2)
      report(
        "misnamed-migration",
        start(file),
        "numbers below 0002 are reserved for the migration that creates the tables",
        "use a higher number",
      );
    if (problem !== null)
      report("invalid-migration", { file, offset: problem.offset, length: 1 }, problem.message, null);
    else if (isEmpty(migration))
      report(
        "empty-migration",
        start(file),
        "the migration has no SQL yet, so the database cannot be migrated",
        'add statements to "up" or "batches"',
      );
    else for (const message of problemsOf(migration)) report("invalid-migration", start(file), message, null);
  }
}

function isEmpty({ sql }: CustomMigration): boolean {
  return sql !== null && sqlTexts(sql.up).length + (sql.batches ?? []).length === 0;
}

function problemsOf({ sql }: CustomMigration): string[] {
  return sql === null ? [] : sqlProblems(sql);
}

/** Hooks that an upsert does not run. */
const bypassed = ["before_create", "after_create", "before_update", "after_update"];

/** An upsert runs neither the hooks of create nor those of update, so callers can bypass these hooks. */
export function checkUpsert({ models, modelHooks, report }: CheckContext): void {
  for (const { key, access, readOnly } of models) {
    const said = modelHooks.get(key);
    if (said === undefined || said.exported.has("before_upsert") || readOnly || !opensUpsert(access))
      continue;
    const run = bypassed.filter((name) => said.exported.has(name));
    if (run.length === 0) continue;
    const at = access.operations.get("upsert")?.at ?? access.at;
    const message = `upsert of model "${key}" is open and does not run ${run.join(" or ")}, so callers can bypass these hooks`;
    report("upsert-bypasses-hooks", at, message, advice(run, said));
  }
}

/** Reports hooks of writes of models that can only be read. */
export function checkReadOnlyHooks({ models, modelHooks, report }: CheckContext): void {
  for (const { key, readOnly } of models) {
    const said = modelHooks.get(key);
    if (!readOnly || said === undefined) continue;
    const idle = [...said.exported].filter((name) => !readHooks.has(name));
    if (idle.length === 0) continue;
    const message = `model "${key}" can only be read, so ${idle.join(", ")} of its hook file would never run`;
    report(
      "read-only-model",
      { file: said.file, offset: 0, length: 1 },
      message,
      "remove the hooks of writes",
    );
  }
}

/** The hooks of operations that read. */
const readHooks: ReadonlySet<string> = new Set(
  readOperations.flatMap((operation) => [`before_${operation}`, `after_${operation}`]),
);

function advice(run: readonly string[], { file, fills }: RawHooks): string {
  const hook = run.includes("before_create") ? "const before_upsert = before_create;" : "a before_upsert";
  const list = fills === null ? "" : ' and add it to "fills"';
  return `export ${hook} in ${file}${list}, or close upsert with "upsert": []`;
}

/** Whether any role can upsert: by its own rules or, without these, by the rules of create and update. */
function opensUpsert({ operations }: RawAccess): boolean {
  const rolesOf = (name: AccessKey) => operations.get(name)?.rules.map(({ role }) => role.value);
  const own = rolesOf("upsert");
  if (own !== undefined) return own.length > 0;
  const rest = rolesOf(allOperations) ?? [];
  const [creators, updaters] = [rolesOf("create") ?? rest, rolesOf("update") ?? rest];
  return creators.some((one) => updaters.some((other) => coversRole(one, other) || coversRole(other, one)));
}

/** Checks the export `fills` of hook files. The compile check reports missing hooks. */
export function checkFills({ models, modelHooks, report }: CheckContext): void {
  for (const model of models) {
    const fills = modelHooks.get(model.key)?.fills;
    if (fills === undefined || fills === null) continue;
    if (fills.lists === null)
      report("unreadable-fills", fills.at, unreadableFills.message, unreadableFills.hint);
    for (const list of fills.lists ?? []) checkList(model, list, report);
  }
}

/** The message about a `fills` that is not a literal, or not in the hook file itself. */
export const unreadableFills = {
  message: '"fills" cannot be read: it must be a literal with "as const" in this file',
  hint: 'write it out: export const fills = { before_create: ["slug"] } as const;',
};

function checkList(model: RawModel, { hook, fields }: RawFillList, report: ReportDiagnostic): void {
  if (!isFillingHook(hook.value)) {
    const message = `"fills" of model "${model.key}" names "${hook.value}", which does not run for new records`;
    const hint = `the hooks of new records are ${fillingHooks.join(" and ")}`;
    const isHook = hookNames.model.some((name) => name === hook.value);
    report("invalid-fills", hook.at, message, isHook ? hint : (didYouMean(hook.value, fillingHooks) ?? hint));
    return;
  }
  for (const field of fields) {
    const problem = problemOf(model, field.value);
    if (problem === null) continue;
    const message = `"${field.value}" in the list ${hook.value} of model "${model.key}" has no effect: ${problem.reason}`;
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

/** Why `fills` has no effect on a field; null if it has one. */
function problemOf({ fields, readOnly }: RawModel, name: string): FieldProblem | null {
  if (readOnly) return { reason: "the model can only be read", hint: "remove it" };
  const field = fields.find((one) => one.name === name);
  if (field !== undefined) {
    const reason = reasonToLack(field);
    return reason === null ? null : { reason, hint: "remove it: new records can omit this field anyway" };
  }
  if (isRuntimeColumn(name)) return { reason: "the server sets it", hint: "remove it" };
  const demanded = fields.filter((one) => reasonToLack(one) === null).map((one) => one.name);
  return { reason: "the model has no such field", hint: didYouMean(name, demanded) };
}

/** Why new records can omit a field without a hook; null if they cannot. */
function reasonToLack(field: RawField): string | null {
  if (!hasColumn(field)) return "it is a relation without a column";
  if (!field.required) return "it is not required";
  if (isGenerated(field)) return "only the database fills it in";
  if (field.sqlDefault || (field.default !== null && field.default.value !== null)) return "it has a default";
  return field.preset === null ? null : "it has a preset";
}

interface Orphan {
  readonly message: string;
  readonly hint: string | null;
}

/** Reports hook files that Kirak never runs. */
export function checkHooks({ models, hooks, strayHooks, report }: CheckContext): void {
  const note = (file: string, { message, hint }: Orphan) =>
    report("orphan-hook", { file, offset: 0, length: 1 }, message, hint);
  for (const [name, file] of hooks) {
    const problem = orphan(name, models);
    if (problem !== null) note(file, problem);
  }
  for (const file of strayHooks) note(file, stray(file));
}

function orphan(name: string, models: readonly RawModel[]): Orphan | null {
  if (reservedKeys.has(name)) return null;
  if (name === usersKey)
    return { message: "accounts have no model routes", hint: "put their hooks into hooks/auth.ts" };
  const own = models.filter(({ builtIn }) => !builtIn).map(({ key }) => key);
  if (own.includes(name)) return null;
  const hint =
    didYouMean(name, [...own, ...reservedKeys]) ?? "put files that hooks share next to the folder, not in it";
  return { message: `there is no model "${name}" for this hook file`, hint };
}

function stray(file: string): Orphan {
  if (/\/hooks\/[^/]+$/.test(`/${file}`))
    return { message: "this file is not read: hook files end in .ts", hint: null };
  return {
    message: "this file is not read: hook files must be directly in the folder",
    hint: "put files that hooks share next to the folder, not in it",
  };
}

/** Reports problems of job files. */
export function checkJobs({ jobs: { problems }, report }: CheckContext): void {
  for (const { at, message, hint = null } of problems) report("invalid-job", at, message, hint);
}

/** Reports problems of mail templates. */
export function checkMails({ mails: { problems, strays }, report }: CheckContext): void {
  for (const { at, message } of problems) report("invalid-mail-template", at, message);
  for (const { at, message } of strays) report("stray-mail-file", at, message);
}
