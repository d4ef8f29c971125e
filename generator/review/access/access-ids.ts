import { nearest } from "../../../vocabulary/nearest.ts";
import { splitAtOr } from "../../conditions/index.ts";
import { allRows, rowsWithFields, splitRows } from "../../emit/views/matrix-layout.ts";
import { hopsPattern, hopsText } from "../../emit/views/path-hops.ts";
import { type Access, gateAdmits, gateOf, type Matrix, rowsOfRole } from "./access-matrix.ts";
import { rolePattern } from "./parse-matrix.ts";
import { isRouteId, routeHolds, similarRouteIds } from "./route-access.ts";
import type { OpenedField, OpenedRows } from "./widened-access.ts";
import type { OpenedPreset } from "./widened-presets.ts";

/** The id that acknowledges open rows: `books.fetch to user: status = 'published'`. */
export function rowsId({ operation, role, rows }: Pick<OpenedRows, "operation" | "role" | "rows">): string {
  return `${operation} to ${role}: ${rows}`;
}

/** The id that acknowledges an open field: `books.price read by *`. */
export function fieldId({ field, gate, role }: OpenedField): string {
  return `${field} ${gate === "read" ? "read" : "written"} by ${role}`;
}

/** The id that acknowledges the target of a path, as its line in the matrix spells it. */
export function pathId({ model, path, leads }: { model: string; path: string; leads: string }): string {
  return `${model} path ${path}: ${leads}`;
}

/** The id that acknowledges the preset of a field: `tasks.owner_id preset {user_id}`, or `preset none`. */
export function presetId({ model, field, preset }: Pick<OpenedPreset, "model" | "field" | "preset">): string {
  return `${model}.${field} preset ${preset ?? "none"}`;
}

/** The id that acknowledges a changed definition: `member(organisations): EXISTS (memberships)`. */
export function conditionId({ name, on, text }: { name: string; on: string; text: string }): string {
  return `${name}(${on}): ${text}`;
}

/** The columns of a model that callers can read, and those that they can set. */
export interface AcknowledgedFields {
  readonly read: ReadonlySet<string>;
  readonly write: ReadonlySet<string>;
}

/** The open access, and the fields of the models by key. */
export interface OpenAccess extends Access {
  readonly fields: ReadonlyMap<string, AcknowledgedFields>;
}

const rowsForm = new RegExp(`^(\\w+)\\.([a-z:]+) to (${rolePattern}): (.+)$`);
const fieldForm = new RegExp(`^(\\w+)\\.(\\w+) (read|written) by (${rolePattern})$`);

const presetForm = /^(\w+)\.(\w+) preset (\S+(?: on write)?)$/;
const pathForm = new RegExp(`^(\\w+) path ([\\w.]+): (${hopsPattern})$`);
const conditionForm = /^(\w+)\((\w+)\): (.+)$/;

/** Whether a text has the form of an access id. */
export function isAccessId(id: string): boolean {
  const forms = [rowsForm, fieldForm, presetForm, pathForm, conditionForm];
  return forms.some((form) => form.test(id)) || isRouteId(id);
}

/** Whether the access of an id is open. */
export function holds(id: string, { models: matrix, conditions, fields, routes }: OpenAccess): boolean {
  if (isRouteId(id)) return routeHolds(id, routes);
  const [, name = "", on = "", text = ""] = conditionForm.exec(id) ?? [];
  if (name !== "") return conditions.get(name)?.on === on && conditions.get(name)?.text === text;
  const [, model = "", operation = "", role = "", rows = ""] = rowsForm.exec(id) ?? [];
  if (model !== "") return rowsOf(matrix, model, operation, role).includes(rows);
  const [, from = ""] = pathForm.exec(id) ?? [];
  if (from !== "") return pathIds(matrix, from).includes(id);
  const [, owner = "", column = "", preset] = presetForm.exec(id) ?? [];
  if (owner !== "")
    return fields.get(owner)?.write.has(column) === true && presetOf(matrix, owner, column) === preset;
  const [, ofModel = "", field = "", verb, who = ""] = fieldForm.exec(id) ?? [];
  const gate = verb === "read" ? "read" : "write";
  if (fields.get(ofModel)?.[gate].has(field) !== true) return false;
  const access = matrix.get(ofModel);
  if (access === undefined) return true;
  return gateAdmits(gateOf(access, field)[gate], who);
}

/**
 * Ids of open access with the same model and the same operation or field as an entry, or with the nearest names. This keeps the
 * number of ids to compare small in a project with many models.
 */
export function similarIds(id: string, open: OpenAccess): string[] {
  const [, called] = /^(\w+) *\(/.exec(id) ?? [];
  const condition = called === undefined ? null : known(called, open.conditions);
  if (condition !== null) return conditionIds(open, condition);
  const [, from] = /^(\w+) path /.exec(id) ?? [];
  if (from !== undefined) return pathIds(open.models, known(from, open.models) ?? "");
  const routes = similarRouteIds(id, open.routes);
  if (routes.length > 0) return routes;
  const [, named = "", part = "", rest = ""] = /^([^\s.]+)\.([^\s]+)(.*)$/s.exec(id) ?? [];
  const model = known(named, open.models);
  if (model === null) return [];
  const operation = known(part, open.models.get(model)?.operations);
  const field = known(part, open.fields.get(model)?.read);
  if (field !== null && rest.startsWith(" preset "))
    return [presetId({ model, field, preset: open.models.get(model)?.presets.get(field) ?? null })];
  return [
    ...(operation === null ? [] : rowsIds(open.models, model, operation)),
    ...(field === null ? [] : fieldIds(open, model, field, / by (.+)$/.exec(rest)?.[1] ?? "*")),
  ];
}

function conditionIds({ conditions }: OpenAccess, name: string): string[] {
  const condition = conditions.get(name);
  return condition === undefined ? [] : [conditionId({ name, ...condition })];
}

function presetOf(matrix: Matrix, model: string, field: string): string {
  return matrix.get(model)?.presets.get(field) ?? "none";
}

interface Names {
  has(name: string): boolean;
  keys(): Iterable<string>;
}

function known(name: string, names: Names | undefined): string | null {
  return names?.has(name) === true ? name : nearest(name, names?.keys() ?? []);
}

function pathIds(matrix: Matrix, model: string): string[] {
  const paths = matrix.get(model)?.paths ?? [];
  return [...paths].map(([path, hops]) => pathId({ model, path, leads: hopsText(path, hops) }));
}

function rowsIds(matrix: Matrix, model: string, operation: string): string[] {
  const roles = matrix.get(model)?.operations.get(operation)?.keys() ?? [];
  return [...roles].flatMap((role) =>
    rowsOf(matrix, model, operation, role).map((rows) =>
      rowsId({ operation: `${model}.${operation}`, role, rows }),
    ),
  );
}

/** Access of everyone includes the role in the id. */
function fieldIds(open: OpenAccess, model: string, field: string, named: string): string[] {
  const access = open.models.get(model);
  return (["read", "write"] as const)
    .flatMap((gate) => {
      const roles = new Set([named, ...(access === undefined ? ["*"] : gateOf(access, field)[gate])]);
      return [...roles].map((role) => fieldId({ field: `${model}.${field}`, gate, role }));
    })
    .filter((id) => holds(id, open));
}

/** The parts of the rows of a role that has rules. */
function rowsOf(matrix: Matrix, model: string, operation: string, role: string): string[] {
  const roles = matrix.get(model)?.operations.get(operation);
  const rows = roles?.has(role) === true ? rowsOfRole(roles, role) : null;
  return (rows ?? []).flatMap((text) => {
    const { rows: condition, fields } = splitRows(text);
    const parts = condition === allRows ? [condition] : splitAtOr(condition);
    return parts.map((part) => rowsWithFields(part, fields));
  });
}
