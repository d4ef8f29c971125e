import { isDeepStrictEqual } from "node:util";
import { type CheckCondition, withColumnNames } from "../../../vocabulary/conditions/check-tree.ts";
import { canFail } from "../../conditions/index.ts";
import type { ApiField, ApiModel, ApiSurface } from "../../emit/views/api-surface.ts";
import { conditionText } from "../../emit/views/condition-view.ts";
import { gateAdmits } from "../access/access-matrix.ts";
import { rolePhrase } from "../access/access-text.ts";
import { type ModelPair, modelPairs, type TableChanges } from "../access/model-pairs.ts";
import { shapeOf } from "../access/route-access.ts";
import type { OpenedField, OpenedRows, WidenedAccess } from "../access/widened-access.ts";
import { type BreakingChange, everyUser, fieldChanges } from "./breaking-fields.ts";
import { asSeen, isHiddenFromCallers, type ModelUse, useOf, withKnownFills } from "./callers-view.ts";

export type { BreakingChange } from "./breaking-fields.ts";

/** The breaking changes of the API. `closed` is the access that roles have lost. */
export function breakingChanges(
  before: ApiSurface,
  after: ApiSurface,
  tables: TableChanges,
  closed: WidenedAccess,
): BreakingChange[] {
  const pairs = new Map(
    [...modelPairs(tables, new Set(Object.keys(before.models))).values()].map((pair) => [
      pair.before.key,
      pair,
    ]),
  );
  const ofModels = Object.entries(before.models).flatMap(([key, was]): BreakingChange[] => {
    // No caller could use the model before.
    if (was.operations.length === 0) return [];
    const pair = pairs.get(key);
    const is = pair === undefined ? undefined : own(after.models, pair.after.key);
    if (pair === undefined || is === undefined) {
      const change = pair === undefined ? `${key} is gone` : `${key} is internal now`;
      return [{ change, notices: `every caller of ${was.path} gets 404` }];
    }
    return [
      ...modelChanges(pair, was, is),
      ...graphqlChanges(pair, was, is),
      ...closedRows(key, is, closed.rows),
      ...columnChanges(pair, withNewNames(was, pairs), noticedRemovals(is, after)),
      ...closedFields(key, is, pair, closed.fields),
    ];
  });
  return [
    ...ofModels,
    ...endpointChange(before, after),
    ...errorChanges(before, after),
    ...customRouteChanges(before, after),
  ];
}

/** Ignores inherited properties: a model or field can have the name `constructor`. */
function own<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

type Pairs = ReadonlyMap<string, ModelPair>;

/** The former model with the new names of the models and fields that it refers to. */
function withNewNames(was: ApiModel, pairs: Pairs): ApiModel {
  const named = (field: ApiField): ApiField => {
    const [model = "", column = ""] = field.references?.split(".") ?? [];
    const pair = pairs.get(model);
    return pair === undefined
      ? field
      : { ...field, references: `${pair.after.key}.${pair.before.nameOf(column)}` };
  };
  const fields = Object.entries(was.fields).map(([name, field]) => [name, named(field)] as const);
  return { ...was, fields: Object.fromEntries(fields) };
}

/** The model without `on_delete` of references to models whose rows no caller can remove. */
function noticedRemovals(is: ApiModel, after: ApiSurface): ApiModel {
  const isRemoved = ({ references = "" }: ApiField) => {
    const target = own(after.models, references.split(".")[0] ?? "");
    const removing = target?.soft_delete ? ["destroy"] : ["delete", "destroy"];
    return removing.some((name) => target?.operations.includes(name));
  };
  const fields = Object.entries(is.fields).map(([name, field]) => {
    const { on_delete, ...rest } = field;
    return [name, isRemoved(field) ? field : rest] as const;
  });
  return { ...is, fields: Object.fromEntries(fields) };
}

function modelChanges({ before, after }: ModelPair, was: ApiModel, is: ApiModel): BreakingChange[] {
  const changes: BreakingChange[] = [];
  const { key } = after;
  const note = (change: string, notices: string) => changes.push({ change: `${key}${change}`, notices });
  if (was.path !== is.path) note(` is at ${is.path}; before: ${was.path}`, "callers of the old path get 404");
  for (const operation of was.operations)
    if (!is.operations.includes(operation) && (operation !== "restore" || is.soft_delete))
      note(`.${operation} is not open to anyone any more`, "its callers get 403");
  if (was.soft_delete && !is.soft_delete)
    note(" has no soft_delete any more", "delete removes rows for good, and restore is 404");
  if (is.max_limit < was.max_limit)
    note(
      ` returns at most ${is.max_limit} rows a page; before: ${was.max_limit}`,
      "anyone who requests more",
    );
  const [pair, use] = [{ before, after }, useOf(was, is)];
  return [...changes, ...keyChanges(pair, was, is, use), ...checkChanges(pair, was, is, use)];
}

function columnChanges({ before, after }: ModelPair, was: ApiModel, is: ApiModel): BreakingChange[] {
  const use = useOf(was, is);
  const kept = Object.entries(was.fields).flatMap(([name, whole]): BreakingChange[] => {
    const current = before.nameOf(name);
    const found = own(is.fields, current);
    const [former, now] = found === undefined ? [whole] : withKnownFills([was, whole], [is, found]);
    const field = asSeen(former, use);
    // A removed `soft_delete` has its own entry.
    const unnoticed = name === "deleted_at" || isHiddenFromCallers(field);
    if (now === undefined)
      return unnoticed ? [] : [{ change: `${after.key}.${name} is gone`, notices: everyUser }];
    const renamed = { change: `${after.key}.${name} is renamed to ${current}`, notices: everyUser };
    const isRenamed = current !== name && !isHiddenFromCallers(field);
    return [
      ...(isRenamed ? [renamed] : []),
      ...fieldChanges(`${after.key}.${current}`, field, asSeen(now, use)),
    ];
  });
  const known = new Set(Object.keys(was.fields).map(before.nameOf));
  const demanded = Object.entries(is.fields)
    .filter(([name, field]) => asSeen(field, use).required === true && !known.has(name))
    .map(([name]) => ({
      change: `${after.key}.${name} is new and required`,
      notices: "anyone who creates rows without it",
    }));
  return [...kept, ...demanded];
}

/** Rows that a role has lost, of operations that are still open to another role. */
function closedRows(key: string, is: ApiModel, closed: readonly OpenedRows[]): BreakingChange[] {
  return closed.flatMap(({ operation, along, role, rows, instead }) => {
    const [model, name = ""] = operation.split(".");
    if (model !== key || !is.operations.includes(name.split(":")[0] ?? "")) return [];
    const all = [operation, ...along.map((other) => `${key}.${other}`)].join(", ");
    if (instead === null)
      return [{ change: `${all} is not open to ${rolePhrase(role)} any more`, notices: "they get 403" }];
    return [
      {
        change: `${all} may open fewer rows to ${rolePhrase(role)}: no longer ${rows}`,
        notices: "rows are missing or refused",
      },
    ];
  });
}

function closedFields(
  key: string,
  is: ApiModel,
  { before }: ModelPair,
  closed: readonly OpenedField[],
): BreakingChange[] {
  return closed.flatMap(({ field, gate, role }) => {
    const name = field.slice(key.length + 1);
    if (!field.startsWith(`${key}.`) || own(is.fields, before.nameOf(name))?.[gate] === "nobody") return [];
    const change = `${field} cannot be ${gate === "read" ? "read" : "written"} by ${rolePhrase(role)} any more`;
    return [{ change, notices: "they get 403, or responses without it" }];
  });
}

/** Breaking changes of custom errors: removed codes, and codes with another status. */
function errorChanges(before: ApiSurface, after: ApiSurface): BreakingChange[] {
  const now = new Map(Object.entries(after.errors));
  return Object.entries(before.errors).flatMap(([code, was]) => {
    const is = now.get(code);
    if (is === was) return [];
    return is === undefined
      ? [{ change: `the error ${code} is gone`, notices: "callers who check its code" }]
      : [
          {
            change: `the error ${code} has status ${is}; before: ${was}`,
            notices: "callers who check the status",
          },
        ];
  });
}

/** Breaking changes of custom routes: removed routes, and routes that are closed to a role. */
function customRouteChanges(before: ApiSurface, after: ApiSurface): BreakingChange[] {
  const now = new Map(Object.entries(after.routes).map(([route, roles]) => [shapeOf(route), new Set(roles)]));
  return Object.entries(before.routes).flatMap(([route, roles]): BreakingChange[] => {
    const open = now.get(shapeOf(route));
    if (open === undefined) return [{ change: `${route} is gone`, notices: "its callers get 404 or 405" }];
    return roles
      .filter((role) => !gateAdmits(open, role))
      .map((role) => ({
        change: `${route} cannot be called by ${rolePhrase(role)} any more`,
        notices: "they get 401 or 403",
      }));
  });
}

/** The fields of a key. Their order does not matter. */
type Key = readonly string[];

/** Breaking changes of unique keys: new keys, and removed keys of upsert. */
function keyChanges(
  { before, after }: ModelPair,
  was: ApiModel,
  is: ApiModel,
  use: ModelUse,
): BreakingChange[] {
  const former = was.unique.map((key) => key.map(before.nameOf));
  const demanded = is.unique.filter((key) => use.sends && !former.some((other) => holds(other, key)));
  const gone = former.filter((key) => use.upserts && !is.unique.some((other) => holds(other, key)));
  return [
    ...demanded.map((key) => ({
      change: `${after.key}: ${key.join(", ")} must be unique now`,
      notices: "anyone who sends a value that exists already",
    })),
    ...gone.map((key) => ({
      change: `${after.key}: ${key.join(", ")} need not be unique any more`,
      notices: "anyone who upserts by it",
    })),
  ];
}

/** Whether a unique key makes these fields unique: it has no other fields than these. */
function holds(unique: Key, fields: Key): boolean {
  return unique.every((name) => fields.includes(name));
}

/** Breaking changes of checks: new checks, changed conditions, and new names, which are in error details. */
function checkChanges(
  { before, after }: ModelPair,
  was: ApiModel,
  is: ApiModel,
  use: ModelUse,
): BreakingChange[] {
  if (!use.sends) return [];
  const former = new Map(
    Object.entries(was.checks ?? {}).map(([name, condition]) => [
      name,
      withColumnNames(condition, before.nameOf),
    ]),
  );
  const known = new Set(Object.keys(was.fields).map(before.nameOf));
  const isNull = (name: string) => !known.has(name) && is.fields[name]?.default === undefined;
  return Object.entries(is.checks ?? {}).flatMap(([name, condition]): BreakingChange[] => {
    const same = namesOf(condition, former);
    if (same.includes(name)) return [];
    const [called] = same;
    if (called !== undefined)
      return [
        {
          change: `${after.key}: the check ${called} is renamed to ${name}`,
          notices: "anyone who reads details.check",
        },
      ];
    if (!canFail(condition, isNull)) return [];
    const how = former.has(name) ? "requires" : "is new, and requires";
    const change = `${after.key}: the check ${name} ${how} ${conditionText(condition)}${former.has(name) ? " now" : ""}`;
    return [{ change, notices: "anyone who writes a row that breaks it" }];
  });
}

function namesOf(condition: CheckCondition, checks: ReadonlyMap<string, CheckCondition>): string[] {
  return [...checks].filter(([, other]) => isDeepStrictEqual(condition, other)).map(([name]) => name);
}

/** A new path of the GraphQL endpoint. It has the same prefix as the models. */
function endpointChange(before: ApiSurface, after: ApiSurface): BreakingChange[] {
  const [was, is] = [prefixOf(before), prefixOf(after)];
  if (was === undefined || is === undefined || was === is) return [];
  const change = `GraphQL is at ${is}/graphql; before: ${was}/graphql`;
  return [{ change, notices: "callers of the old path get 404" }];
}

function prefixOf(surface: ApiSurface): string | undefined {
  const [path] = Object.values(surface.models).flatMap((model) =>
    model.operations.length === 0 ? [] : [model.path],
  );
  return path?.slice(0, path.lastIndexOf("/"));
}

/**
 * Breaking changes that only GraphQL callers notice: new names of root fields and types, and removed joins. If a join leads to
 * another model, its reference is reported.
 */
function graphqlChanges({ before, after }: ModelPair, was: ApiModel, is: ApiModel): BreakingChange[] {
  const [former, now] = [was.graphql, is.graphql];
  // Files of earlier versions have no GraphQL names.
  if (former === undefined || now === undefined) return [];
  const notices = "anyone who uses it in GraphQL";
  const lost = former.joins
    .filter((name) => !now.joins.includes(name))
    .map((name) => ({ change: `${after.key}.${name} is not a join any more`, notices }));
  // A new path is reported anyway, and has new names.
  if (was.path !== is.path) return lost;
  if (before.key !== after.key)
    return [{ change: `${before.key} is renamed to ${after.key}`, notices }, ...lost];
  if (former.name === now.name) return lost;
  return [
    { change: `mutations of ${after.key} end in ${now.name}; before: ${former.name}`, notices },
    ...lost,
  ];
}
