import { isDeepStrictEqual } from "node:util";
import { coversRole, everyRole } from "../../../vocabulary/accounts/role-names.ts";
import { isOnWrite } from "../../../vocabulary/fields/presets.ts";
import { isJsonObject, type JsonObject } from "../../../vocabulary/json.ts";
import { rolePhrase } from "../access/access-text.ts";
import type { ModelPair } from "../access/model-pairs.ts";
import { type ApiModel, type ApiSide, listIn, objectIn, textIn } from "./api-side.ts";
import type { ApiFinding } from "./findings.ts";
import type { Place } from "./value-changes.ts";

/** The former value and the new one. */
export interface Sides<Value> {
  readonly was: Value;
  readonly is: Value;
}

/** Both sides of a comparison. */
export interface ApiPair extends Sides<ApiSide> {
  /** The operations that both sides have, by label. */
  readonly common: ReadonlySet<string>;
  /** The models that both sides have, by their former keys. */
  readonly models: ReadonlyMap<string, ModelPair>;
}

/** The changes of what Kirak notes at a property: who uses it, and the effects of its value. */
export function noteChanges(
  was: JsonObject,
  is: JsonObject,
  required: Sides<boolean>,
  place: Place,
  pair: ApiPair,
): ApiFinding[] {
  const { use, operation } = place;
  if (use === "filters by") return [];
  if (use === "reads") return [...gateChanges(was, is, place, pair), ...rowChanges(was, is, place, pair)];
  const isUpdate = operation === "update" || operation === "restore";
  const sent = isUpdate || required.is ? [] : absenceChanges(was, is, required, place);
  return [...gateChanges(was, is, place, pair), ...sent];
}

/** Roles that cannot read or write a field any more. */
function gateChanges(
  was: JsonObject,
  is: JsonObject,
  { subject, use, model, operation }: Place,
  pair: ApiPair,
): ApiFinding[] {
  const [gate, words] = use === "reads" ? ["x-kirak-read", "read"] : ["x-kirak-write", "written"];
  const now = is[gate];
  if (model === null || !Array.isArray(now)) return [];
  const reached = rolesOf(model, operation, pair);
  const former = Array.isArray(was[gate]) ? was[gate].map(String) : reached;
  return former
    .filter((role) => reached.some((other) => coversRole(other, role) || coversRole(role, other)))
    .filter((role) => !now.some((other) => coversRole(String(other), role)))
    .map((role) => ({
      kind: "gate",
      subject,
      what: `cannot be ${words} by ${rolePhrase(role)} any more`,
      by: "they get 403, or responses without it",
    }));
}

/** The roles that could call an operation of a model (null for any), without those that a wider one includes. */
function rolesOf({ key }: ApiModel, operation: string | null, { was }: ApiPair): string[] {
  const all = was.operations
    .filter(
      ({ model, label }) => model?.key === key && (operation === null || label === `${key}.${operation}`),
    )
    .flatMap(({ content }) => listIn(content, "x-kirak-access").map((entry) => roleOf(entry)));
  const roles = [...new Set(all)];
  return roles.filter((role) => !roles.some((wide) => wide !== role && coversRole(wide, role)));
}

/** The role of an entry of `x-kirak-access`. */
export function roleOf(entry: unknown): string {
  return isJsonObject(entry) ? textIn(entry, "role") : everyRole;
}

/** Another value for callers who send none. */
function absenceChanges(
  was: JsonObject,
  is: JsonObject,
  required: Sides<boolean>,
  place: Place,
): ApiFinding[] {
  const { default: former } = was;
  const { default: now } = is;
  const [{ preset }, { preset: newPreset }] = [objectIn(was, "x-kirak"), objectIn(is, "x-kirak")];
  const isOther = former !== undefined && newPreset === undefined && !isDeepStrictEqual(former, now);
  const hasOther = preset !== newPreset && now === undefined && (preset !== undefined || !required.was);
  if (!isOther && !hasOther) return [];
  const [name, value] =
    preset === undefined && newPreset === undefined
      ? ["default", JSON.stringify(now)]
      : ["preset", newPreset];
  const before = preset ?? JSON.stringify(former) ?? "none";
  const what = `${value === undefined ? `has no ${name} any more` : `has the ${name} ${value}`}; before: ${before}`;
  const by = place.model === null ? "anyone who omits it" : `${writers(preset, newPreset)} without it`;
  return [{ kind: "default", subject: place.subject, what, by }];
}

/** The callers for whom the server sets a field by one of the presets. */
function writers(...presets: readonly unknown[]): string {
  return presets.some(isOnWrite) ? "anyone who writes rows" : "anyone who creates rows";
}

/** Changes of the rows that a field refers to, and of search. */
function rowChanges(was: JsonObject, is: JsonObject, { subject, model }: Place, pair: ApiPair): ApiFinding[] {
  const [former, now] = [objectIn(was, "x-kirak"), objectIn(is, "x-kirak")];
  const found: ApiFinding[] = [];
  const note = (what: string, by: ApiFinding["by"]) => found.push({ kind: "other", subject, what, by });
  const [target, newTarget] = [renamed(textIn(former, "references"), pair), textIn(now, "references")];
  const row = (name: string) => (name === "" ? "no row" : `a row by ${name}`);
  if (target !== newTarget && target !== "")
    note(`refers to ${row(newTarget)}; before: ${row(target)}`, ["sends", "reads", "filters by"]);
  else if (target !== newTarget && isSent(subject, model, pair))
    note(`refers to ${row(newTarget)} now`, "anyone who sends a value that no row has");
  const [onDelete, newOnDelete] = [textIn(former, "on_delete"), textIn(now, "on_delete")];
  const [removed = ""] = newTarget.split(".");
  if (onDelete !== "" && newOnDelete !== "" && onDelete !== newOnDelete && areRemoved(removed, pair.is))
    note(
      `has on_delete ${newOnDelete}; before: ${onDelete}`,
      `anyone who removes rows of ${removed} ${effects[newOnDelete]}`,
    );
  // A preset of a field that callers cannot send. Others are in requests.
  const [preset = "none", newPreset] = [former["preset"], now["preset"]];
  if (former["preset"] !== newPreset && preset !== "none" && !isSent(subject, model, pair))
    note(`has the preset ${newPreset ?? "none"}; before: ${preset}`, writers(preset, newPreset));
  if (former["searchable"] === true && now["searchable"] !== true && pair.common.has(`${model?.key}.search`))
    note("is not searched any more", "anyone who finds rows by it with search");
  return found;
}

const effects: Readonly<Record<string, string>> = {
  cascade: "also removes the rows that refer to them",
  set_null: "empties it",
  restrict: "that it refers to gets 400",
};

function renamed(reference: string, { models }: ApiPair): string {
  const [key = "", field = ""] = reference.split(".");
  const pair = models.get(key);
  return pair === undefined ? reference : `${pair.after.key}.${pair.before.nameOf(field)}`;
}

function isSent(subject: string, model: ApiModel | null, { is }: ApiPair): boolean {
  const inputs = is.models.get(model?.key ?? "")?.inputs ?? {};
  return Object.hasOwn(inputs, subject.split(".").at(-1) ?? "");
}

/** Whether callers can remove rows of a model. */
function areRemoved(key: string, api: ApiSide): boolean {
  const marks = api.models.get(key)?.facts["soft_delete"] === true;
  const removing = marks ? ["destroy"] : ["delete", "destroy"];
  return api.operations.some(({ label }) => removing.some((name) => label === `${key}.${name}`));
}
