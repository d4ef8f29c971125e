import { describe, expect, test } from "vitest";
import { openedRowsText } from "#generator/review/access/access-text";
import { accessBetween, widened } from "./changes-between.ts";

const everyone = [{ role: "*" }];
const admin = [{ role: "admin" }];
const user = [{ role: "user" }];
const when = (condition: string, role = "user") => [{ role, condition }];
const fields = {
  title: { type: "string" },
  cost: { type: "integer" },
  state: { type: "string" },
  open: { type: "boolean" },
};
const books = (access: object, parts: object = {}) => ({ books: { fields, access, ...parts } });

describe("rows", () => {
  // biome-ignore format: one case a line
  test.each<[string, object, object, string[]]>([
    ["nothing changes", { search: user }, { search: user }, []],
    ["a role more", { delete: admin }, { delete: [...admin, ...user] }, ["books.delete to user: all rows"]],
    ["a role less", { delete: [...admin, ...user] }, { delete: admin }, []],
    ["everybody", { delete: admin }, { delete: everyone }, ["books.delete to *: all rows"]],
    ["everybody to one role", { delete: everyone }, { delete: user }, []],
    ["a role in addition to everyone", { delete: everyone }, { delete: [...everyone, ...user] }, []],
    ["everybody, and a role that is everybody", { delete: admin }, { delete: [...everyone, ...user] }, ["books.delete to *: all rows"]],
    ["an operation that no role ran", { search: user }, { search: user, destroy: user }, ["books.destroy to user: all rows"]],
    ["count and exists along with fetch", {}, { fetch: user }, ["books.fetch to user: all rows"]],
    ["only count", { fetch: admin }, { fetch: admin, count: user }, ["books.count to user: all rows"]],
    ["count of other rows than fetch", {}, { fetch: when("open = true"), count: user },
      ["books.fetch to user: open = true", "books.count to user: all rows"]],
    ["upsert along with create and update", {}, { create: user, update: admin },
      ["books.create to user: all rows", "books.update to admin: all rows"]],
    ["upsert for itself", { create: user, update: user, upsert: [] }, { create: user, update: user },
      ["books.upsert:insert to user: all rows", "books.upsert:update to user: all rows"]],
    ["a condition that goes", { delete: when("open = true") }, { delete: user }, ["books.delete to user: all rows"]],
    ["a condition that comes", { delete: user }, { delete: when("open = true") }, []],
    ["a further condition", { delete: when("open = true") }, { delete: when("cost > 1 AND open = true") }, []],
    ["a condition less", { delete: when("open = true AND cost > 1") }, { delete: when("cost > 1") }, ["books.delete to user: cost > 1"]],
    ["another order", { delete: when("open = true AND (cost > 1 OR cost IS NULL)") }, { delete: when("(cost IS NULL OR cost > 1) AND open = true") },
      []],
    ["another value", { delete: when("cost > 2") }, { delete: when("cost > 1") }, ["books.delete to user: cost > 1"]],
    ["an alternative more", { delete: when("open = true") }, { delete: when("open = true OR cost > 1") }, ["books.delete to user: cost > 1"]],
    ["an alternative more, as a rule", { delete: when("open = true") }, { delete: [...when("open = true"), ...when("cost > 1")] },
      ["books.delete to user: cost > 1"]],
    ["an alternative less", { delete: when("open = true OR cost > 1") }, { delete: when("cost > 1") }, []],
    ["an alternative that narrows another", { delete: when("open = true") }, { delete: when("open = true OR (open = true AND cost > 1)") }, []],
    ["AND that becomes OR", { delete: when("open = true AND cost > 1") }, { delete: when("open = true OR cost > 1") },
      ["books.delete to user: open = true", "books.delete to user: cost > 1"]],
    ["a list that gets shorter", { delete: when("state IN ('a', 'b')") }, { delete: when("state = 'a'") }, []],
    ["a list that gets longer", { delete: when("state = 'a'") }, { delete: when("state IN ('b', 'a')") },
      ["books.delete to user: state IN ('b', 'a')"]],
    ["AND over OR, in another form", { delete: when("(cost > 1 OR open = true) AND state = 'a'") },
      { delete: [...when("cost > 1 AND state = 'a'"), ...when("open = true AND state = 'a'")] }, []],
    ["NOT", { delete: when("open = true") }, { delete: when("NOT (open = true)") }, ["books.delete to user: NOT open = true"]],
    ["what everybody may already", { delete: [...when("open = true", "*"), ...admin] },
      { delete: [...when("open = true", "*"), ...admin, ...when("open = true")] }, []],
    ["more than everybody", { delete: when("open = true", "*") }, { delete: [...when("open = true", "*"), ...when("cost > 1")] },
      ["books.delete to user: cost > 1"]],
    ["a caller's rows", { fetch: when("title = {user_id}") }, { fetch: when("title = {email}") }, ["books.fetch to user: title = {email}"]],
  ])("%s", async (_, before, after, ids) => {
    expect(await widened(books(before), books(after))).toEqual(ids);
  });
});

describe("rules that name fields", () => {
  const only = (names: string[], more: object = {}) => ({ role: "user", fields: names, ...more });
  const update = (...rules: object[]) => ({ upsert: [], update: rules });
  // biome-ignore format: one case a line
  test.each<[string, object, object, string[]]>([
    ["a field more", update(only(["title"])), update(only(["title", "cost"])), ["books.update to user: all rows [fields: cost, title]"]],
    ["a field less", update(only(["title", "cost"])), update(only(["title"])), []],
    ["another order", update(only(["title", "cost"])), update(only(["cost", "title"])), []],
    ["no list any more", update(only(["title"])), update(...user), ["books.update to user: all rows"]],
    ["a new list", update(...user), update(only(["title"])), []],
    ["one rule for what two named", update(only(["title"]), only(["cost"])), update(only(["title", "cost"])),
      ["books.update to user: all rows [fields: cost, title]"]],
    ["rows of a condition", update(only(["title"], { condition: "open = true" })), update(only(["title"])),
      ["books.update to user: all rows [fields: title]"]],
    ["an alternative more", update(only(["title"], { condition: "open = true" })), update(only(["title"], { condition: "open = true OR cost > 1" })),
      ["books.update to user: cost > 1 [fields: title]"]],
    ["what a rule without fields opens", update(...when("open = true")), update(...when("open = true"), only(["title"], { condition: "open = true" })), []],
    ["more rows than a rule without fields", update(...when("open = true")), update(...when("open = true"), only(["title"])),
      ["books.update to user: all rows [fields: title]"]],
    ["upsert along with create and update", {}, { create: [only(["title"])], update: [only(["title"])] },
      ["books.create to user: all rows [fields: title]", "books.update to user: all rows [fields: title]"]],
  ])("%s", async (_, before, after, ids) => {
    expect(await widened(books(before), books(after))).toEqual(ids);
  });

  test("a field with another name", async () => {
    const renamed = { ...fields, name: { type: "string", renamed_from: "title" }, title: undefined };
    expect(
      await widened(books(update(only(["title"]))), books(update(only(["name"])), { fields: renamed })),
    ).toEqual([]);
  });

  test("the report prints them like the matrix", async () => {
    const before = books(update(...when("open = true"), only(["cost"])));
    const { widenedAccess } = await accessBetween(
      before,
      books(update(...when("open = true"), only(["cost", "title"]))),
    );
    expect(widenedAccess.map(openedRowsText)).toEqual([
      "books.update opens all rows [fields: cost, title] to user; before: open = true; all rows [fields: cost]",
    ]);
  });
});

describe("everyone who signed in", () => {
  const signedIn = [{ role: "signed_in" }];
  const guest = [{ role: "guest" }];
  const gate = (read: string[]) => ({ fetch: everyone, fields: { cost: { read, write: read } } });
  const gates = (role: string) => [`books.cost read by ${role}`, `books.cost written by ${role}`];
  // biome-ignore format: one case a line
  test.each<[string, object, object, string[]]>([
    ["takes the place of a role", { delete: user }, { delete: signedIn }, ["books.delete to signed_in: all rows"]],
    ["makes place for a role", { delete: signedIn }, { delete: user }, []],
    ["takes the place of everybody", { delete: everyone }, { delete: signedIn }, []],
    ["makes place for everybody", { delete: signedIn }, { delete: everyone }, ["books.delete to *: all rows"]],
    // Who has no credential is a guest, and did not sign in.
    ["makes place for guests", { delete: signedIn }, { delete: guest }, ["books.delete to guest: all rows"]],
    ["takes the place of guests", { delete: guest }, { delete: signedIn }, ["books.delete to signed_in: all rows"]],
    ["in addition to a role that is one of them", { delete: signedIn }, { delete: [...signedIn, ...user] }, []],
    ["with other rows than a role, which gets both", { delete: when("open = true") },
      { delete: [...when("open = true"), ...when("cost > 1", "signed_in")] }, ["books.delete to signed_in: cost > 1"]],
    ["in addition to a role that gets more", { delete: when("open = true", "signed_in") },
      { delete: [...when("open = true", "signed_in"), ...when("cost > 1")] }, ["books.delete to user: cost > 1"]],
    ["whose rows a role gets for the first time", { delete: when("open = true", "signed_in") },
      { delete: [...when("open = true", "signed_in"), ...when("open = true AND cost > 1")] }, []],
    ["passes a gate in the place of a role", gate(["user"]), gate(["signed_in"]), gates("signed_in")],
    ["made place at a gate for a role", gate(["signed_in"]), gate(["user"]), []],
    ["made place at a gate for guests", gate(["signed_in"]), gate(["guest"]), gates("guest")],
    ["made place at a gate for everybody", gate(["signed_in"]), gate(["*"]), gates("*")],
    ["passes a gate in the place of everybody", gate(["*"]), gate(["signed_in"]), []],
  ])("%s", async (_, before, after, ids) => {
    expect(await widened(books(before), books(after))).toEqual(ids);
  });

  test("is called so", async () => {
    const { widenedAccess } = await accessBetween(books({}), books({ delete: signedIn }));
    expect(widenedAccess.map(openedRowsText)).toEqual([
      "books.delete opens all rows to everyone who signed in; before: nothing",
    ]);
  });
});

describe("fields", () => {
  const gated = (gate: object, access: object = { fetch: everyone, create: user }) =>
    books({ ...access, fields: { cost: gate } });
  // biome-ignore format: one case a line
  test.each<[string, object, object, string[]]>([
    ["a reader more", gated({ read: ["admin"] }), gated({ read: ["admin", "editor"] }), ["books.cost read by editor"]],
    ["a reader less", gated({ read: ["admin", "editor"] }), gated({ read: ["admin"] }), []],
    ["a gate that goes", gated({ read: ["admin"], write: [] }), books({ fetch: everyone, create: user }),
      ["books.cost read by *", "books.cost written by *"]],
    ["a gate that comes", books({ fetch: everyone, create: user }), gated({ read: ["admin"] }), []],
    ["a reader who reaches nothing yet", gated({ read: ["admin"] }, { fetch: admin }), gated({ read: ["admin", "user"] }, { fetch: admin }),
      ["books.cost read by user"]],
    ["a reader who reaches the model from now on", gated({ read: ["admin", "user"] }, { fetch: admin }),
      gated({ read: ["admin", "user"] }, { fetch: [...admin, ...user] }), ["books.fetch to user: all rows"]],
    ["a gate that goes while everybody takes the place of some roles", gated({ read: ["admin"] }, { fetch: [...admin, ...user] }),
      books({ fetch: everyone }), ["books.fetch to *: all rows", "books.cost read by *"]],
    ["a reader more while the operation is opened", gated({ read: ["admin"] }, { fetch: admin }),
      gated({ read: ["admin", "user"] }, { fetch: [...admin, ...user] }), ["books.fetch to user: all rows", "books.cost read by user"]],
    ["a runtime column", books({ fetch: everyone, fields: { created_at: { read: ["admin"] } } }), books({ fetch: everyone }),
      ["books.created_at read by *"]],
    ["a password that becomes a string", { books: { fields: { key: { type: "password" } }, access: { fetch: user } } },
      { books: { fields: { key: { type: "text" } }, access: { fetch: user } } }, ["books.key read by *"]],
    ["a new field", books({ fetch: everyone }), { books: { fields: { ...fields, isbn: { type: "string" } }, access: { fetch: everyone } } }, []],
    ["a gate that goes with its field",
      { books: { fields: { ...fields, isbn: { type: "string" } }, access: { fetch: everyone, fields: { isbn: { read: [] } } } } },
      books({ fetch: everyone }), []],
    ["of an internal model", books({ fields: { cost: { read: ["a"] } } }, { internal: true }),
      books({ fields: { cost: { read: ["a", "b"] } } }, { internal: true }), ["books.cost read by b"]],
    ["a gate of an internal model that goes", books({ fields: { cost: { read: [], write: ["a"] } } }, { internal: true }),
      books({}, { internal: true }), ["books.cost read by *", "books.cost written by *"]],
    ["a gate of an internal model that comes", books({}, { internal: true }), books({ fields: { cost: { read: [] } } }, { internal: true }), []],
  ])("%s", async (_, before, after, ids) => {
    expect(await widened(before, after)).toEqual(ids);
  });
});

describe("models", () => {
  const shop = (condition: string, writer: object, author: object = { name: { type: "string" } }) => ({
    authors: { fields: author },
    books: { fields: { ...fields, ...writer }, access: { fetch: when(condition) } },
  });
  const reference = (model: string, parts: object = {}) => ({
    type: "integer",
    foreign_key: true,
    relationship: { model, foreign_key: "id" },
    ...parts,
  });
  const keyed = (column: string, parts: object = {}) =>
    shop(
      "author.name = 'x'",
      { author_id: { ...reference("authors"), relationship: { model: "authors", foreign_key: column } } },
      {
        name: { type: "string" },
        code: { type: "integer", unique: true },
        mentor: { type: "integer", unique: true },
        ...parts,
      },
    );
  // biome-ignore format: one case a line
  test.each<[string, object, object, string[]]>([
    ["new ones", {}, books({ fetch: everyone }), []],
    ["one that is gone", books({ fetch: everyone }), {}, []],
    ["internal, then public", books({ fetch: everyone, update: user, fields: { cost: { read: [] } } }, { internal: true }),
      books({ fetch: everyone, update: user, fields: { cost: { read: [] } } }), ["books.fetch to *: all rows", "books.update to user: all rows"]],
    ["soft delete with restore", books({ fetch: admin }), books({ fetch: admin, restore: user }, { soft_delete: true }),
      ["books.restore to user: all rows"]],
    ["soft delete that goes", books({ fetch: admin, restore: user }, { soft_delete: true }), books({ fetch: admin }), []],
    ["a new name", books({ fetch: admin, delete: admin }), { titles: { renamed_from: "books", fields, access: { fetch: everyone, delete: admin } } },
      ["titles.fetch to *: all rows"]],
    [
      "a new name of a field",
      books({ fetch: when("state = 'open'") }),
      { books: { fields: { title: fields.title, cost: fields.cost, open: fields.open, status: { type: "string", renamed_from: "state" } },
          access: { fetch: when("status = 'open'") } },
      },
      [],
    ],
    ["a closed field under a new name", books({ fetch: everyone, fields: { cost: { read: ["admin"] } } }),
      { books: { fields: { price: { type: "integer", renamed_from: "cost" } }, access: { fetch: everyone } } }, ["books.price read by *"]],
    ["a join under a new name", shop("author.name = 'x'", { author_id: reference("authors") }),
      shop("writer.name = 'x'", { writer_id: reference("authors", { renamed_from: "author_id" }) }), []],
    ["a field of a join under a new name", shop("author.name = 'x'", { author_id: reference("authors") }),
      shop("author.label = 'x'", { author_id: reference("authors") }, { label: { type: "string", renamed_from: "name" } }), []],
    ["a join to another model",
      { ...shop("author.name = 'x'", { author_id: reference("authors") }), people: { fields: { name: { type: "string" } } } },
      { ...shop("author.name = 'x'", { author_id: reference("people") }), people: { fields: { name: { type: "string" } } } },
      ["books.fetch to user: author.name = 'x'"]],
    ["a join by another column of the model", keyed("code"), keyed("mentor"), ["books.fetch to user: author.name = 'x'"]],
    ["a join by a column that has another name", keyed("code"),
      keyed("sign", { code: undefined, sign: { type: "integer", unique: true, renamed_from: "code" } }), []],
  ])("%s", async (_, before, after, ids) => {
    expect(await widened(before, after)).toEqual(ids);
  });
});

describe("internal models", () => {
  const relation = (model: string, parts: object = {}) => ({
    type: "integer",
    foreign_key: true,
    relationship: { model, foreign_key: "id" },
    ...parts,
  });
  const secrets = (parts: object = {}) => ({ secrets: { fields, internal: true, ...parts } });
  const withBooks = (own: object, parts: object = {}) => ({
    ...secrets(parts),
    books: { fields: own, access: { fetch: everyone } },
  });
  const sid = { sid: relation("secrets") };
  const gate = { fields: { cost: { read: ["admin"] } } };
  const opened = (access: object) => withBooks(sid, { internal: false, access });
  const closed = (access: object = {}) => withBooks(sid, { access });
  const many = { type: "has_many", relationship: { model: "secrets", foreign_key: "book_id" } };
  const owned = (own: object) => ({
    secrets: { fields: { ...fields, book_id: relation("books") }, internal: true },
    books: { fields: { title: fields.title, ...own }, access: { fetch: everyone } },
  });
  // biome-ignore format: one case a line
  test.each<[string, object, object, string[]]>([
    ["public before, with rules that joins applied", opened({ fetch: when("open = true", "*") }), closed(), ["secrets.join to books.sid: all rows"]],
    ["public before, with gates that go too", opened({ fetch: admin, ...gate }), closed(),
      ["secrets.join to books.sid: all rows", "secrets.cost read by *"]],
    ["public before, with all rows open to everyone", opened({ fetch: everyone, ...gate }), closed(gate), []],
    ["public before, with no relation that leads there", { ...secrets({ internal: false, access: { fetch: admin } }) }, secrets(), []],
    ["a relation on a field that was there", withBooks({ sid: { type: "integer" } }), withBooks(sid), ["secrets.join to books.sid: all rows"]],
    ["a relation that led to another model", { ...withBooks({ sid: relation("papers") }), papers: { fields } },
      { ...withBooks(sid), papers: { fields } }, ["secrets.join to books.sid: all rows"]],
    ["a new has_many", owned({}), owned({ secrets: many }), ["secrets.join to books.secrets: all rows"]],
    ["a new relation of a new model", secrets(), withBooks(sid), ["secrets.join to books.sid: all rows"]],
    ["a relation that was there", withBooks(sid), withBooks({ ...sid, title: fields.title }), []],
    ["a relation that goes", withBooks(sid), withBooks({ sid: { type: "integer" } }), []],
    ["a new relation to a public model", opened({ fetch: admin }), opened({ fetch: admin }), []],
    ["a relation under a new name", withBooks({ ...sid, title: fields.title }),
      withBooks({ key: relation("secrets", { renamed_from: "sid" }), title: fields.title }), []],
    ["a relation of a model under a new name", withBooks(sid),
      { ...secrets(), titles: { renamed_from: "books", fields: sid, access: { fetch: everyone } } }, []],
    ["public after", closed(gate), opened(gate), []],
  ])("%s", async (_, before, after, ids) => {
    expect(await widened(before, after)).toEqual(ids);
  });

  test("the fields that a relation opens are described in words", async () => {
    const { widenedAccess } = await accessBetween(opened({ fetch: when("open = true", "*") }), closed());
    expect(widenedAccess.map(openedRowsText)).toEqual([
      "books.sid joins all rows of secrets, which is internal; before: the rows with open = true",
    ]);
  });
});

test("an entry names roles, rows and operations, and the former access", async () => {
  const acknowledged = new Map([["books.fetch to user: cost > 1", "they pay for it"]]);
  const { widenedAccess } = await accessBetween(
    books({ fetch: when("open = true") }),
    books({ fetch: when("open = true OR cost > 1") }),
    acknowledged,
  );
  // biome-ignore format: many a line
  expect(widenedAccess).toEqual([
    {
      operation: "books.fetch", along: ["count", "exists"], role: "user", rows: "cost > 1",
      instead: "open = true", id: "books.fetch to user: cost > 1", reason: "they pay for it",
    },
  ]);
});

test("what was open before and is closed now is the same the other way round", async () => {
  const gate = { fields: { cost: { read: ["admin"] } } };
  const { narrowed } = await accessBetween(
    books({ fetch: everyone, delete: user }),
    books({ fetch: everyone, delete: when("open = true"), ...gate }),
  );
  expect(narrowed.rows).toMatchObject([
    { operation: "books.delete", role: "user", rows: "all rows", instead: "open = true" },
  ]);
  expect(narrowed.fields).toEqual([{ field: "books.cost", gate: "read", role: "*" }]);
});

describe("texts that look like something else", () => {
  const lines = "x'\n  reads\n    *    all\n    staff   and cost";
  // biome-ignore format: one case a line
  const roles = [
    "a b", 'a": all rows', "a:", "as", "all", "–", "no further roles", "ünï ✓", "\u202e*", "a, b", "a  b", "and", "\"",
  ];
  const literal = (text: string) => `title = '${text.replaceAll("'", "''")}'`;
  test.each([lines, "x' OR true", "all rows", ") OR (cost > 0", "\u200b", "\\u200b", "a\nb"])(
    "%j in a condition",
    async (text) => {
      const before = books({ fetch: when(literal(text)), fields: { cost: { read: [] } } });
      expect(await widened(before, before)).toEqual([]);
      const wider = books({ fetch: when(`${literal(text)} OR open = true`), fields: { cost: { read: [] } } });
      expect(await widened(before, wider)).toEqual(["books.fetch to user: open = true"]);
      expect(await widened(books({}), before)).toHaveLength(1);
      expect(await widened(before, books({ fetch: user, fields: { cost: { read: [] } } }))).toEqual([
        "books.fetch to user: all rows",
      ]);
    },
  );
  test("invisible characters are distinguished from texts that print alike", async () => {
    const [seen, unseen] = ["\\u200b", "\u200b"].map((text) => books({ fetch: when(literal(text)) }));
    expect(await widened(seen ?? {}, unseen ?? {})).toHaveLength(1);
    expect(await widened(unseen ?? {}, seen ?? {})).toHaveLength(1);
  });
  test.each(roles)("the role %j", async (role) => {
    const before = books({ fetch: admin, fields: { cost: { read: ["admin"] } } });
    const after = books({ fetch: [...admin, { role }], fields: { cost: { read: ["admin", role] } } });
    const ids = await widened(before, after);
    expect(ids).toHaveLength(2);
    expect(ids[0]).toMatch(/^books\.fetch to .+: all rows$/);
    expect(ids[1]).toMatch(/^books\.cost read by .+$/);
    expect(await widened(after, after)).toEqual([]);
    const internal = books({ fields: { cost: { read: ["admin", role] } } }, { internal: true });
    expect(await widened(internal, internal)).toEqual([]);
    expect(
      await widened(books({ fields: { cost: { read: ["admin"] } } }, { internal: true }), internal),
    ).toHaveLength(1);
  });
});
