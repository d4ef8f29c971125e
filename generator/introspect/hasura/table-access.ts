import { administratorRoles, guestRole, isReservedRole } from "../../../vocabulary/accounts/role-names.ts";
import { conditionLimits } from "../../../vocabulary/conditions/conditions.ts";
import type { Json } from "../../../vocabulary/json.ts";
import type { FoundRemark } from "../as-found/found-remarks.ts";
import type { HeldColumn } from "../as-found/found-table.ts";
import { atom, everyPart, Unsayable } from "./bool-exp.ts";
import type { HasuraPermission, HasuraTable } from "./hasura-metadata.ts";
import { nodeAt, nodeNumber, nodeTexts, remarkAt } from "./metadata-node.ts";
import { draftRule, type ModelPart, modelPart, type RuleDraft, type RuledTable } from "./permission-rules.ts";

/** The roles that a run gives another meaning. */
export interface HasuraRoles {
  /** The role of callers without a credential; null for none. */
  readonly guest: string | null;
  /** The role of `--open`, which can do everything. */
  readonly open: string | null;
}

/** The rules that the permissions of a table become. */
export interface DraftedTable {
  readonly ruled: RuledTable;
  readonly drafts: readonly RuleDraft[];
  readonly remarks: readonly FoundRemark[];
}

/** The rules of each permission of a table. What no rule can say stays closed. */
export function draftRules(hasura: HasuraTable, ruled: RuledTable, roles: HasuraRoles): DraftedTable {
  const drafts: RuleDraft[] = [];
  const remarks: FoundRemark[] = [];
  for (const permission of hasura.permissions) {
    const { operation, role, node } = permission;
    const what = `${operation} of ${role} on ${hasura.name}`;
    try {
      requireRole(permission, hasura, roles);
      const draft = draftRule(permission, ruled);
      requireFit(draft, ruled, roles);
      drafts.push(draft);
      remarks.push(...draft.notes.map((note) => remarkAt("hasura-narrower", node, `${what}: ${note}`)));
    } catch (error) {
      if (!(error instanceof Unsayable)) throw error;
      remarks.push(remarkAt("hasura-closed", node, `${what}: ${error.message}`));
    }
  }
  return { ruled, drafts, remarks };
}

function requireRole(
  { role, operation, node }: HasuraPermission,
  { permissions }: HasuraTable,
  { guest }: HasuraRoles,
) {
  const first = permissions.find((other) => other.role === role && other.operation === operation);
  if (first?.node !== node) throw new Unsayable("the role has this permission twice");
  if (role === guestRole && guest !== guestRole)
    throw new Unsayable(
      `${role} is the role of callers without a credential: if it is Hasura's too, use --guest ${role}`,
    );
  if (administratorRoles.includes(role))
    throw new Unsayable(`accounts with the role ${role} manage the accounts of other users in Kirak`);
  if (role.trim() !== role || role === "" || isReservedRole(role))
    throw new Unsayable(`no role of Kirak's can have the name ${JSON.stringify(role)}`);
}

function requireFit({ parts, permission }: RuleDraft, { problem }: RuledTable, { guest }: HasuraRoles): void {
  const rows = everyPart(parts);
  if (rows === null) return;
  if (permission.role === guest && /\{(user_id|role)\}/.test(rows.text))
    throw new Unsayable("it compares with the caller, and guests have no id");
  const found = problem(rows.text);
  if (found !== null) throw new Unsayable(found);
}

/** The model with the rules of its permissions. Conditions that several rules have are added to `conditions`. */
export function ruledModel(
  { ruled, drafts }: DraftedTable,
  { guest, open }: HasuraRoles,
  conditions: Map<string, ModelPart>,
): ModelPart {
  const { model, table } = ruled;
  const roleOf = ({ permission: { role } }: RuleDraft) => (role === guest ? guestRole : role);
  const of = (operation: RuleDraft["operation"]) => drafts.filter((draft) => draft.operation === operation);
  const fetching = of("fetch");
  const searching = fetching.filter(
    ({ permission: { node } }) => nodeAt(node, "allow_aggregations")?.value === true,
  );
  const writes = { create: of("create"), update: of("update"), delete: of("delete") };
  const rules = Object.entries({ fetch: fetching, search: searching, ...writes });
  const all = rules.flatMap(([, of]) => of);
  const calls = callsIn(all, table.key, conditions);
  const others = open === null ? [] : [open];
  const before = modelPart(model["access"]);
  const operations = rules.flatMap(([operation, of]): [string, Json][] => {
    if (of.length === 0 || Object.hasOwn(before, operation)) return [];
    if (operation === "search" && searching.length === fetching.length) return [["search", "as fetch"]];
    return [
      [
        operation,
        [...of.map((draft) => ruleJson(draft, roleOf(draft), calls)), ...others.map((role) => ({ role }))],
      ],
    ];
  });
  const active = new Set(drafts.map(roleOf));
  const gates = table.columns.flatMap((column): [string, Json][] => {
    const readers = new Set(fetching.filter((draft) => reads(draft, column)).map(roleOf));
    if (readers.size === active.size) return [];
    return fieldsOf(column, model).map((field) => [field, { read: [...readers, ...others] }]);
  });
  const limits = fetching.flatMap(({ permission }) => nodeNumber(permission.node, "limit") ?? []);
  return {
    ...model,
    ...(limits.length === 0 ? {} : { max_limit: Math.min(...limits) }),
    access: {
      ...before,
      ...Object.fromEntries(operations),
      ...(gates.length === 0 ? {} : { fields: Object.fromEntries(gates) }),
    },
  };
}

function reads({ permission: { node } }: RuleDraft, { source: { name } }: HeldColumn): boolean {
  return ["*", name].some((one) => nodeTexts(node, "columns").includes(one));
}

/** The names of a column in the model. The column of the id can be a field too. */
function fieldsOf({ name, place }: HeldColumn, model: ModelPart): string[] {
  if (place !== "id") return [name];
  return Object.hasOwn(modelPart(model["fields"]), name) ? ["id", name] : ["id"];
}

/** Calls of named conditions, by the conditions that several rules have. Adds the definitions to `conditions`. */
function callsIn(
  drafts: readonly RuleDraft[],
  key: string,
  conditions: Map<string, ModelPart>,
): ReadonlyMap<string, string> {
  // The text of a definition, and of a rule with calls, has a limit. Other rules keep their text.
  const short = drafts.filter(
    ({ parts }) => (everyPart(parts)?.text.length ?? 0) <= conditionLimits.characters,
  );
  const parts = short.flatMap(({ permission: { role }, parts }) =>
    [...new Set(parts.map(({ text }) => text))].map((text) => ({ text, role })),
  );
  const calls = new Map<string, string>();
  for (const { text, role } of parts) {
    if (calls.has(text) || parts.filter((part) => part.text === text).length < 2) continue;
    const words = `${key}_of_${role}`.toLowerCase().replace(/[^a-z0-9]+/g, "_");
    const wanted = words.slice(0, 37);
    let name = wanted;
    for (let number = 2; conditions.has(name); number++) name = `${wanted}_${number}`;
    conditions.set(name, { on: key, condition: text });
    calls.set(text, `${name}()`);
  }
  return calls;
}

function ruleJson({ parts, fields }: RuleDraft, role: string, calls: ReadonlyMap<string, string>): ModelPart {
  const written = everyPart(parts);
  const isLong = (written?.text.length ?? 0) > conditionLimits.characters;
  const called = parts.map((part) => {
    const call = calls.get(part.text);
    return call === undefined ? part : atom(call);
  });
  const rows = isLong ? written : everyPart(called);
  return {
    role,
    ...(rows === null ? {} : { condition: rows.text }),
    ...(fields === null ? {} : { fields }),
  };
}
