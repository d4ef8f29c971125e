import { isDeepStrictEqual } from "node:util";
import { type CheckCondition, withColumnNames } from "../../../vocabulary/conditions/check-tree.ts";
import type { JsonObject } from "../../../vocabulary/json.ts";
import { canFail } from "../../conditions/index.ts";
import { checkNamer } from "../../definition/names.ts";
import type { Table } from "../../migrations/schema.ts";
import type { TableChanges } from "../access/model-pairs.ts";
import { type ApiModel, listIn, objectIn } from "./api-side.ts";
import type { ApiFinding } from "./findings.ts";
import type { ApiPair } from "./note-changes.ts";

/** The changes of a model that no single field shows. */
export function modelChanges(
  model: ApiModel,
  now: ApiModel,
  pair: ApiPair,
  tables: TableChanges,
): ApiFinding[] {
  const { key, ownKey } = now;
  const found: ApiFinding[] = [];
  const note = (kind: ApiFinding["kind"], what: string, by: string, subject = key) =>
    found.push({ kind, subject, what, by });
  const named = "anyone who uses GraphQL or a generated client";
  if (model.ownKey !== ownKey) note("model", `is renamed to ${key}`, named, model.ownKey);
  else if (model.typeName !== now.typeName)
    note("model", `is called ${now.typeName} in operationIds and GraphQL; before: ${model.typeName}`, named);
  const [was, is] = [model.facts, now.facts];
  if (was["soft_delete"] === true && is["soft_delete"] === false)
    note("soft delete", "has no soft_delete any more", "delete removes rows for good, and restore is 404");
  const [limit, newLimit] = [Number(was["max_limit"]), Number(is["max_limit"])];
  if (newLimit < limit)
    note("other", `returns at most ${newLimit} rows a page; before: ${limit}`, "anyone who requests more");
  const uses = (...names: readonly string[]) => names.some((name) => pair.common.has(`${key}.${name}`));
  const sends = uses("create", "update", "upsert");
  for (const field of model.fields.filter((name) => model.nameOf(name) !== name))
    note(
      "gone",
      `is renamed to ${model.nameOf(field)}`,
      "anyone who sends, reads or filters by it",
      `${key}.${field}`,
    );
  const rules = [
    ...keyChanges(was, is, model, { sends, upserts: uses("upsert") }),
    ...(sends ? checkChanges(model, now, tables) : []),
  ];
  for (const [words, by] of rules) note("other", words, by, `${key}:`);
  return found;
}

type Words = readonly [change: string, notices: string];

/** New unique keys, and removed keys of upsert. */
function keyChanges(
  was: JsonObject,
  is: JsonObject,
  { nameOf }: ApiModel,
  { sends, upserts }: { readonly sends: boolean; readonly upserts: boolean },
): Words[] {
  const keysIn = (facts: JsonObject) => listIn(facts, "unique").map((key) => [key].flat().map(String));
  const [former, now] = [keysIn(was).map((key) => key.map(nameOf)), keysIn(is)];
  // A key makes all fields unique that include it.
  const isHeld = (fields: readonly string[], keys: readonly string[][]) =>
    keys.some((key) => key.every((name) => fields.includes(name)));
  return [
    ...now
      .filter((key) => sends && !isHeld(key, former))
      .map(
        (key): Words => [
          `${key.join(", ")} must be unique now`,
          "anyone who sends a value that exists already",
        ],
      ),
    ...former
      .filter((key) => upserts && !isHeld(key, now))
      .map((key): Words => [`${key.join(", ")} need not be unique any more`, "anyone who upserts by it"]),
  ];
}

/** New checks, changed conditions, and new names, which are in error details. */
function checkChanges(model: ApiModel, now: ApiModel, tables: TableChanges): Words[] {
  const texts = objectIn(now.facts, "checks");
  const before = tables.before.find((table) => table.model === model.ownKey);
  const after = tables.after.find((table) => table.model === now.key);
  const former = conditionsOf(before, Object.keys(objectIn(model.facts, "checks"))).map(
    ({ name, condition }) => ({ name, condition: withColumnNames(condition, model.nameOf) }),
  );
  const known = new Set(before?.columns.map((column) => model.nameOf(column.name)));
  const isNull = (name: string) => !known.has(name) && objectIn(now.inputs, name)["default"] === undefined;
  return conditionsOf(after, Object.keys(texts)).flatMap(({ name, condition }): Words[] => {
    const same = former.filter((other) => isDeepStrictEqual(other.condition, condition));
    if (same.some((other) => other.name === name)) return [];
    const [called] = same;
    if (called !== undefined)
      return [[`the check ${called.name} is renamed to ${name}`, "anyone who reads details.check"]];
    if (!canFail(condition, isNull)) return [];
    const isNew = former.every((other) => other.name !== name);
    const words = isNew ? `is new, and requires ${texts[name]}` : `requires ${texts[name]} now`;
    return [[`the check ${name} ${words}`, "anyone who writes a row that breaks it"]];
  });
}

/** The conditions of checks, by their names in the models. */
function conditionsOf(table: Table | undefined, names: readonly string[]): NamedCheck[] {
  if (table === undefined) return [];
  const constraints = checkNamer(table.name, names);
  return names.flatMap((name, index) => {
    const check = table.checks.find((each) => each.name === constraints[index]);
    return check !== undefined && "condition" in check ? [{ name, condition: check.condition }] : [];
  });
}

interface NamedCheck {
  readonly name: string;
  readonly condition: CheckCondition;
}
