import { guestRole, isReservedRole } from "../../../vocabulary/accounts/role-names.ts";
import type { Json } from "../../../vocabulary/json.ts";
import type { FoundRemark } from "../as-found/found-remarks.ts";
import { atom, joined, type WantedRows, Unsayable } from "./bool-exp.ts";
import type { HasuraPermission, HasuraTable } from "./hasura-metadata.ts";
import { nodeEntry, remarkAt, nodeText, nodeTexts } from "./metadata-node.ts";
import { draftRule, limitOf, opensAggregates, type RuleDraft, type RuledTable } from "./permission-rules.ts";
import { type ModelPart, modelPart } from "./presets-of-table.ts";

/** The roles that a run gives another meaning. */
export interface HasuraRoles {
  /** The role of callers without a credential; null for none. */
  readonly guest: string | null;
  /** The role of `--open`, which keeps all rights. */
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
    const what = subjectOf(permission, hasura);
    try {
      requireRole(permission, hasura, roles);
      const draft = draftRule(permission, ruled);
      requireFit(draft, ruled, roles);
      drafts.push(draft);
      remarks.push(
        ...draft.notes.map((text) => remarkAt("hasura-narrower", permission.node, `${what}: ${text}`)),
      );
    } catch (error) {
      if (!(error instanceof Unsayable)) throw error;
      remarks.push(remarkAt("hasura-closed", permission.node, `${what}: ${error.message}`));
    }
  }
  return { ruled, drafts, remarks: [...remarks, ...limitRemarks(drafts, hasura)] };
}

/** A model has one limit, the smallest. */
function limitRemarks(drafts: readonly RuleDraft[], hasura: HasuraTable): FoundRemark[] {
  const limits = limitsOf(drafts);
  if (limits.length === 0) return [];
  const smallest = Math.min(...limits);
  return drafts.flatMap(({ permission, operation }) =>
    operation !== "fetch" || limitOf(permission.node) === smallest
      ? []
      : [
          remarkAt(
            "hasura-narrower",
            permission.node,
            `${subjectOf(permission, hasura)}: a page has at most ${smallest} rows, as for other roles`,
          ),
        ],
  );
}

function limitsOf(drafts: readonly RuleDraft[]): number[] {
  return drafts.flatMap(({ permission: { node, operation } }) =>
    operation === "select" ? (limitOf(node) ?? []) : [],
  );
}

function subjectOf({ operation, role }: HasuraPermission, { name }: HasuraTable): string {
  return `${operation} of ${role} on ${name}`;
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
  if (role.trim() !== role || role === "" || isReservedRole(role))
    throw new Unsayable(`no role of Kirak's can have the name ${JSON.stringify(role)}`);
}

function requireFit({ parts, permission }: RuleDraft, { problem }: RuledTable, { guest }: HasuraRoles): void {
  const rows = joined("AND", parts);
  if (rows === "none") throw new Unsayable("it matches no row");
  if (rows === "all") return;
  if (permission.role === guest && /\{(user_id|role)\}/.test(rows.text))
    throw new Unsayable("it compares with the caller, and guests have no id");
  const found = problem(rows.text);
  if (found !== null) throw new Unsayable(found);
}

/** A rule of the models file. */
interface Rule {
  readonly roles: readonly string[];
  readonly parts: readonly WantedRows[];
  readonly fields: readonly string[] | null;
}

/** The model with the rules of its permissions, and their named conditions. */
export function ruledModel(
  { ruled, drafts }: DraftedTable,
  roles: HasuraRoles,
  isFree: (name: string) => boolean,
): { readonly model: ModelPart; readonly conditions: ModelPart } {
  const { model, table, presets } = ruled;
  const roleOf = ({ permission: { role } }: RuleDraft) => (role === roles.guest ? guestRole : role);
  const of = (operation: RuleDraft["operation"]) => drafts.filter((draft) => draft.operation === operation);
  const searching = of("fetch").filter(({ permission }) => opensAggregates(permission.node));
  const entries = [
    ["fetch", merged(of("fetch"), roleOf)],
    ["search", merged(searching, roleOf)],
    ...(["create", "update", "delete"] as const).map(
      (operation) => [operation, merged(of(operation), roleOf)] as const,
    ),
  ] as const;
  const named = namedParts(
    entries.flatMap(([, rules]) => rules),
    table.key,
    isFree,
  );
  const ruleJson = ({ roles: of, parts, fields }: Rule): ModelPart => {
    const rows = joined(
      "AND",
      parts.map((part) => called(part, named)),
    );
    return {
      role: of.length === 1 ? (of[0] ?? "") : [...of],
      ...(typeof rows === "string" ? {} : { condition: rows.text }),
      ...(fields === null ? {} : { fields: [...fields] }),
    };
  };
  const open = roles.open === null ? [] : [{ role: roles.open }];
  const before: ModelPart = modelPart(model["access"]);
  const operations = entries.flatMap(([operation, rules]): [string, Json][] => {
    if (rules.length === 0 || Object.hasOwn(before, operation)) return [];
    const isFetch = operation === "search" && searching.length === of("fetch").length;
    return [[operation, isFetch ? "as fetch" : [...rules.map(ruleJson), ...open]]];
  });
  const writersOf = (column: string, name: string) => {
    const sends = ({ operation, fields }: RuleDraft) =>
      (operation === "create" || operation === "update") && (fields === null || fields.includes(name));
    const write = presets.has(column)
      ? unique([...drafts.filter(sends).map(roleOf), ...open.map(({ role }) => role)])
      : [];
    return write.length === 0 ? {} : { write };
  };
  const active = unique(drafts.map(roleOf));
  const gates = table.columns.flatMap(({ source, name, place }): [string, Json][] => {
    const readers = unique(
      of("fetch")
        .filter((draft) => reads(draft, source.name))
        .map(roleOf),
    );
    const read =
      readers.length === active.length ? {} : { read: [...readers, ...open.map(({ role }) => role)] };
    const names =
      place === "id" ? ["id", ...(Object.hasOwn(modelPart(model["fields"]), name) ? [name] : [])] : [name];
    return unique(names).flatMap((key): [string, Json][] => {
      const gate = { ...read, ...writersOf(source.name, key) };
      return Object.keys(gate).length === 0 ? [] : [[key, gate]];
    });
  });
  const limits = limitsOf(drafts);
  const fields = Object.entries(modelPart(model["fields"])).map(([name, field]): [string, Json] => {
    const column = table.columns.find((one) => one.name === name && one.place === "field");
    const preset = column === undefined ? undefined : presets.get(column.source.name);
    if (preset === undefined) return [name, field];
    const { value, on } = preset;
    return [name, { ...modelPart(field), preset: on === "create" ? value : { value, on } }];
  });
  return {
    model: {
      ...model,
      ...(limits.length === 0 ? {} : { max_limit: Math.min(...limits) }),
      fields: Object.fromEntries(fields),
      access: {
        ...before,
        ...Object.fromEntries(operations),
        ...(gates.length === 0 ? {} : { fields: Object.fromEntries(gates) }),
      },
    },
    conditions: Object.fromEntries(
      [...named].map(([condition, name]) => [name, { on: table.key, condition }]),
    ),
  };
}

/** The rules of several roles with the same rows and fields as one. */
function merged(drafts: readonly RuleDraft[], roleOf: (draft: RuleDraft) => string): Rule[] {
  const rules = new Map<string, Rule>();
  for (const draft of drafts) {
    const { parts, fields } = draft;
    const key = JSON.stringify([joined("AND", parts), fields]);
    rules.set(key, { parts, fields, roles: [...(rules.get(key)?.roles ?? []), roleOf(draft)] });
  }
  return [...rules.values()];
}

/** Names for the conditions that several rules have, by their texts. */
function namedParts(
  rules: readonly Rule[],
  key: string,
  isFree: (name: string) => boolean,
): ReadonlyMap<string, string> {
  const texts = rules.flatMap(({ roles, parts }) =>
    unique(parts.flatMap((part) => (typeof part === "string" ? [] : [part.text]))).map((text) => ({
      text,
      role: roles[0] ?? "",
    })),
  );
  const named = new Map<string, string>();
  for (const { text, role } of texts) {
    if (named.has(text) || texts.filter((other) => other.text === text).length < 2) continue;
    const base = `${key}_of_${role}`
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "_")
      .slice(0, 37);
    const taken = [...named.values()];
    let name = base;
    for (let number = 2; taken.includes(name) || !isFree(name); number++) name = `${base}_${number}`;
    named.set(text, name);
  }
  return named;
}

function called(part: WantedRows, named: ReadonlyMap<string, string>): WantedRows {
  const name = typeof part === "string" ? undefined : named.get(part.text);
  return name === undefined ? part : atom(`${name}()`);
}

function reads({ permission: { node } }: RuleDraft, column: string): boolean {
  const columns = nodeEntry(node, "columns");
  return nodeText(columns) === "*" || nodeTexts(columns).includes(column);
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}
