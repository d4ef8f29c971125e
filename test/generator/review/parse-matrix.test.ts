import { expect, test } from "vitest";
import type { ModelDefinition, RuleDefinition, ServiceDefinition } from "#generator/definition/definition";
import { conditionText } from "#generator/emit/views/condition-view";
import { type Access, gateAdmits, gateOf } from "#generator/review/access/access-matrix";
import { parseMatrix } from "#generator/review/access/parse-matrix";
import { coversRole } from "#vocabulary/accounts/role-names";
import { operations } from "#vocabulary/operations";
import { seeded } from "../../support/seeded.ts";
import { definitionOf, matrixOf } from "./changes-between.ts";

const plainRoles = ["*", "signed_in", "guest", "user", "staff", "admin", "as", "a:"];
const oddRoles = ["a b", "–", "no further roles", 'a": all rows', "x, y", "a  b"];
const roles = [...plainRoles, ...oddRoles];
const fieldNames = ["title", "all", "and", "but", "reads", "writes", "cost", "none", "fetch"];
const long = Array.from({ length: 12 }, (_, index) => `'value number ${index}'`).join(", ");
const conditions = [
  "title = 'a'",
  "title = 'a' AND cost > 1 OR NOT (title IS NULL)",
  "title = 'x''  y: all rows'",
  "title = 'as fetch' OR title = ' AND, OR '",
  `title IN (${long})`,
  `cost BETWEEN 1 AND 2 AND title NOT IN (${long})`,
  "open(shop) OR title = {email}",
  "NOT open(shop) AND member(shop.parent)",
  "shop.parent.title = shop.title",
  "EXISTS (shop.books WHERE title = this.title AND open(shop))",
];

/** Draws from a list. */
type Draw = <Each>(list: readonly Each[]) => Each;

function randomModels(draw: Draw): object {
  const some = <Each>(list: readonly Each[], most: number) =>
    Array.from({ length: draw([...Array(most + 1).keys()]) }, () => draw(list));
  const rule = () => ({ role: draw(roles), ...draw([{}, { condition: draw(conditions) }]) });
  const rules = () => Array.from({ length: draw([0, 1, 1, 2, 3]) }, rule);
  const access = () => {
    const shared = [rules(), rules()];
    return Object.fromEntries(
      some(operations, 8).map((name) => [name, draw([draw(shared), draw(shared), rules()])]),
    );
  };
  const gate = () => [...new Set(some(roles, 3))];
  const gates = () =>
    Object.fromEntries(
      some([...fieldNames, "created_at"], 4).map((name) => [
        name,
        name === "created_at"
          ? { read: gate() }
          : draw([{ read: gate() }, { write: gate() }, { read: gate(), write: gate() }]),
      ]),
    );
  const fields = () => ({
    ...Object.fromEntries(fieldNames.map((name) => [name, { type: name === "cost" ? "integer" : "string" }])),
    ...draw([{}, { key: { type: "password" } }]),
    ...draw([{}, { owner: { type: "integer", preset: "{user_id}" } }]),
  });
  const shop = { shop_id: { type: "belongs_to", relationship: { model: "shops" } } };
  const parent = { parent: { type: "belongs_to", relationship: { model: "shops" } } };
  const books = { type: "has_many", relationship: { model: "books", foreign_key: "shop_id" } };
  return {
    $conditions: {
      open: { on: "shops", condition: draw(["title = 'open'", `member() AND title IN (${long})`]) },
      member: { on: "shops", condition: "EXISTS (books WHERE cost = {user_id})" },
    },
    books: {
      fields: { ...fields(), ...shop },
      access: { ...access(), fields: gates() },
      soft_delete: draw([true, false]),
    },
    shops: {
      fields: { title: { type: "string" }, cost: { type: "integer" }, ...parent, books },
      access: { fields: draw([{}, { cost: { read: gate(), write: gate() } }]) },
      internal: draw([true, false]),
    },
    users: {
      fields: { nick: { type: "string" } },
      access: { fields: { nick: { read: gate(), write: draw([["self"], []]) } } },
    },
  };
}

const shown = (role: string) => (oddRoles.includes(role) ? JSON.stringify(role) : role);

/** What the definition opens: the rows of each operation and role, and the roles of each field. */
function ofDefinition(model: ModelDefinition, { models }: ServiceDefinition) {
  const { operations: rules, upsert } = model.access;
  const { upsert: _, ...open } = { upsert: [], ...rules };
  const lists: Record<string, readonly RuleDefinition[]> = {
    ...open,
    "upsert:insert": upsert.insert,
    "upsert:update": upsert.update,
  };
  const joins = models.flatMap(({ key, relations }) =>
    relations.flatMap(({ kind, name, field, model: to }) =>
      to === model.key ? [`${key}.${kind === "belongs_to" ? field : name} all rows`] : [],
    ),
  );
  const rows = Object.entries(lists).flatMap(([operation, list]) =>
    list.map(
      ({ role, written }) =>
        `${operation} ${shown(role)} ${written === null ? "all rows" : conditionText(written)}`,
    ),
  );
  const fields = gatedFields(model).flatMap(([field, gate]) =>
    [...roles, "self"]
      .filter((role) => isOpen(model, field, gate, role))
      .map((role) => `${field} ${gate} ${shown(role)}`),
  );
  return {
    rows: sorted(model.internal ? joins.map((join) => `join ${join}`) : rows),
    fields: sorted(fields),
  };
}

function isOpen(model: ModelDefinition, field: string, gate: "read" | "write", role: string): boolean {
  if (gate === "read" && model.fields.some(({ name, kind }) => name === field && kind === "password"))
    return false;
  const entry = model.access.fields.find((each) => each.field === field);
  const isSelf = role === "self" && model.builtIn;
  if (isSelf && (gate === "read" ? entry?.owner?.reads : entry?.owner?.writes) === true) return true;
  const names = entry?.[gate] ?? (model.builtIn ? [] : null);
  return names === null || names.some((name) => coversRole(name, role));
}

/** Each field that callers could read or write. */
function gatedFields({ fields }: ModelDefinition): (readonly [field: string, gate: "read" | "write"])[] {
  const own = fields.map(({ name }) => name);
  return [
    ...own.map((name) => [name, "write"] as const),
    ...[...own, "id", "created_at"].map((name) => [name, "read"] as const),
  ];
}

function ofText(model: ModelDefinition, { models }: Access) {
  const found = models.get(model.key);
  const rows = [...(found?.operations ?? [])].flatMap(([operation, all]) =>
    [...all].flatMap(([role, texts]) => texts.map((text) => `${operation} ${role} ${text}`)),
  );
  const fields = gatedFields(model).flatMap(([field, gate]) =>
    [...roles, "self"]
      .filter((role) => found !== undefined && gateAdmits(gateOf(found, field)[gate], shown(role)))
      .map((role) => `${field} ${gate} ${shown(role)}`),
  );
  return { rows: sorted(rows), fields: sorted(fields) };
}

function sorted(lines: readonly string[]): string[] {
  return [...new Set(lines)].sort();
}

test("the text says what a random definition opens", async () => {
  const random = seeded(42);
  const draw: Draw = (list) => {
    const found = list[Math.floor(random() * list.length)];
    if (found === undefined) throw new Error("an empty list");
    return found;
  };
  for (let run = 0; run < 150; run++) {
    const definition = await definitionOf(randomModels(draw));
    const text = matrixOf(definition);
    const access = parseMatrix(text);
    for (const model of definition.models)
      expect(ofText(model, access), text).toEqual(ofDefinition(model, definition));
    const named = definition.conditions.map(
      ({ name, on, written }) => [name, { on, text: conditionText(written) }] as const,
    );
    expect([...access.conditions]).toEqual(named);
    expect(text.split("\n").filter((line) => line.length > 160)).toEqual([]);
  }
});
