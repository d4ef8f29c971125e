import { describe, expect, it } from "vitest";
import {
  definePolicy,
  eq,
  grantOf,
  guest,
  type PolicyLiteral,
  requireFields,
  viewOf,
} from "#runtime/models/access/index";
import { defineModel, type Model } from "#runtime/models/index";

// biome-ignore format: many a line
const model = defineModel({
  key: "notes", typeName: "Notes", table: "notes", slug: "notes", id: "bigint", softDelete: false,
  maxLimit: 10,
  fields: {
    title: { kind: "string" }, secret: { kind: "string" }, pin: { kind: "password" },
    constructor: { kind: "string" },
  },
  relations: {}, uniqueKeys: [], foreignKeys: [],
});

// biome-ignore format: many a line
const closed: PolicyLiteral<never> = {
  fetch: {}, search: {}, count: {}, exists: {}, create: {}, update: {}, upsert: {}, delete: {}, destroy: {},
  restore: {}, fields: {},
};

/** A caller with a credential. */
const as = (role: string) => ({ user_id: "7", role });

const mine = eq("title", "mine");
const open = eq("title", "open");
const policy = definePolicy<Model>({
  ...closed,
  fetch: { "*": open, user: mine, admin: true },
  count: "as fetch",
  create: { user: true },
  fields: { secret: { read: ["admin"], write: [] }, created_at: { read: [] }, title: { write: ["*"] } },
});

describe("grantOf", () => {
  it("rules of a role and of everybody are joined by or; one without a condition opens all rows", () => {
    expect(grantOf(policy.fetch, as("admin"))?.scope).toEqual({ kind: "all" });
    expect(grantOf(policy.fetch, guest)?.scope).toEqual({ kind: "some", when: open });
    expect(grantOf(policy.fetch, as("user"))?.scope).toEqual({
      kind: "some",
      when: { op: "or", conditions: [open, mine] },
    });
  });

  it("operations that fall back have the named rules, and the others have their own", () => {
    expect(policy.count).toEqual({ ...policy.fetch, operation: "count" });
    expect(policy.exists.rules).toEqual([]);
    const { upsert } = definePolicy<Model>({ ...closed, create: { user: true }, upsert: { admin: mine } });
    const rules = [{ role: "admin", when: mine }];
    expect(upsert).toEqual({ operation: "upsert", rules, insertRules: rules });
  });

  it("no rule: no grant; an upsert needs one for the insert and one for the update", () => {
    expect(grantOf(policy.destroy, as("admin"))).toBeNull();
    expect(grantOf(policy.create, guest)).toBeNull();
    const { upsert } = definePolicy<Model>({
      ...closed,
      create: { admin: true },
      update: { user: mine, admin: mine },
      upsert: "as create and update",
    });
    expect(grantOf(upsert, as("user"))).toBeNull();
    expect(grantOf(upsert, as("admin"))).toEqual({
      operation: "upsert",
      scope: { kind: "some", when: mine },
      insert: { kind: "all" },
    });
  });

  it.each(["", "*", "ADMIN", "admin ", "__proto__", "constructor", "toString"])(
    "a role called %j is not special",
    (role) => {
      expect(grantOf(policy.fetch, as(role))?.scope).toEqual({ kind: "some", when: open });
      expect(grantOf(policy.create, as(role))).toBeNull();
      expect(viewOf(model, policy, as(role)).unreadable).toEqual(new Set(["secret", "created_at", "pin"]));
    },
  );
});

describe("viewOf", () => {
  it("passwords are unreadable for every role, fields without an entry open", () => {
    // biome-ignore format: many a line
    expect(viewOf(model, policy, as("admin")).readable).toEqual([
      "id", "title", "secret", "constructor", "updated_at",
    ]);
    expect(viewOf(model, policy, as("user")).readable).toEqual(["id", "title", "constructor", "updated_at"]);
    expect([...viewOf(model, policy, as("admin")).unwritable]).toEqual(["secret"]);
  });

  it("roles with rules of their own have views of their own: plans are remembered under them", () => {
    const ids = [as("admin"), as("user"), guest].map((caller) => viewOf(model, policy, caller).id);
    expect(new Set(ids).size).toBe(3);
    expect(viewOf(model, policy, guest)).toBe(viewOf(model, policy, as("any other")));
  });
});

describe("requireFields", () => {
  const user = viewOf(model, policy, as("user"));
  const filter = (field: string) => ({ filters: [{ field }] });

  it.each([
    filter("secret"),
    filter("pin"),
    filter("created_at"),
    { order_by: "secret" },
    { select_fields: ["id", "pin"] },
    { group_by: ["title", "secret"] },
    { data: { secret: 1 } },
    { data: { title: "x", secret: undefined } },
    { data: JSON.parse('{"secret":null}') },
  ])("refuses %j", (mentions) => {
    expect(() => requireFields(user, mentions)).toThrow(
      expect.objectContaining({ code: "PERMISSION_DENIED", status: 403 }),
    );
  });

  it.each([
    filter("title"),
    filter("constructor"),
    { order_by: null, select_fields: null },
    { data: { title: "x", pin: "y" } },
    { data: JSON.parse('{"__proto__":{"secret":1}}') },
    {},
  ])("lets %j through", (mentions) => {
    expect(() => requireFields(user, mentions)).not.toThrow();
  });
});
