import { expect, test } from "vitest";
import { printed } from "./printed.ts";

test("public-write", async () => {
  const models = `{
    "wall": {
      "lint_ignore": { "write-wider-than-fetch": "Not what this is about." }, "soft_delete": true,
      "fields": {
        "text": { "type": "text" }, "user_id": { "type": "integer", "index": true }, "open": { "type": "boolean" }
      },
      "access": {
        "fetch": [{ "role": "admin" }], "create": [{ "role": "*" }],
        "update": [
          { "role": "guest", "condition": "open = true" },
          { "role": "*", "condition": "user_id = {user_id} OR NOT user_id < {user_id}" }
        ],
        "upsert": [{ "role": "*", "condition": "user_id = {user_id} OR open = true" }],
        "delete": [{ "role": "*", "condition": "NOT (user_id = {user_id} AND open = true)" }],
        "destroy": [{ "role": "guest" }], "restore": [{ "role": "*", "condition": "user_id IN ({user_id}, 1)" }]
      }
    },
    "inbox": {
      "fields": { "text": { "type": "text" }, "user_id": { "type": "integer", "index": true } },
      "access": {
        "fetch": [{ "role": "*" }], "create": [{ "role": "user" }],
        "update": [{ "role": "*", "condition": "user_id IN ({user_id}) AND text IS NOT NULL" }],
        "delete": [{ "role": "*", "condition": "user_id NOT IN (1, {user_id})" }]
      }
    },
    "log": { "internal": true, "fields": { "text": { "type": "text" } }, "access": { "create": [{ "role": "*" }] } },
    "projects": {
      "lint_ignore": { "write-wider-than-fetch": "Not what this is about." },
      "fields": { "members": {
        "type": "has_many", "relationship": { "model": "members", "foreign_key": "project_id" }
      } },
      "access": { "update": [
        { "role": "*", "condition": "EXISTS (members WHERE user_id = {user_id})" },
        { "role": "*", "condition": "EXISTS (members WHERE created_at > now() - interval '1 day')" }
      ] }
    },
    "members": {
      "internal": true,
      "fields": {
        "user_id": { "type": "belongs_to", "relationship": { "model": "users" } },
        "project_id": { "type": "belongs_to", "relationship": { "model": "projects" } }
      }
    }
  }`;
  expect(await printed("public-write", models)).toMatchInlineSnapshot(`
    models.json:8:62 "*" - lint public-write: everyone can create rows of "wall", without signing in
      name the allowed roles, or tie the rows to the caller with a condition such as "user_id = {user_id}"
    models.json:10:21 "guest" - lint public-write: everyone can change rows of "wall" that satisfy the condition, without signing in
      name the allowed roles, or tie the rows to the caller with a condition such as "user_id = {user_id}"
    models.json:11:21 "*" - lint rows-of-others: anyone who registers can change rows of "wall" that satisfy the condition, including those of other users
      tie the rows to the caller with "user_id = {user_id}" or EXISTS, or use roles that an administrator assigns
    models.json:13:30 "*" - lint public-write: everyone can create and change rows of "wall" that satisfy the condition, without signing in
      name the allowed roles, or tie the rows to the caller with a condition such as "user_id = {user_id}"
    models.json:14:30 "*" - lint public-write: everyone can delete rows of "wall" that satisfy the condition, without signing in
      name the allowed roles, or tie the rows to the caller with a condition such as "user_id = {user_id}"
    models.json:15:31 "guest" - lint public-write: everyone can permanently delete rows of "wall", without signing in
      name the allowed roles, or tie the rows to the caller with a condition such as "user_id = {user_id}"
    models.json:15:65 "*" - lint public-write: everyone can restore rows of "wall" that satisfy the condition, without signing in
      name the allowed roles, or tie the rows to the caller with a condition such as "user_id = {user_id}"
    models.json:23:30 "*" - lint permanent-delete: everyone who is signed in can permanently delete rows of "inbox" that satisfy the condition: they cannot be restored
      give the model "soft_delete": true, so that "delete" hides rows, or leave it to "admin"
    models.json:23:30 "*" - lint rows-of-others: anyone who registers can delete rows of "inbox" that satisfy the condition, including those of other users
      tie the rows to the caller with "owner_id = {user_id}" or EXISTS, or use roles that an administrator assigns
    models.json:34:19 "*" - lint public-write: everyone can change rows of "projects" that satisfy the condition, without signing in
      name the allowed roles, or tie the rows to the caller with a condition such as "user_id = {user_id}"
  `);
});

test("permanent-delete", async () => {
  const models = `{
    "books": {
      "lint_ignore": { "write-wider-than-fetch": "Not what this is about." },
      "fields": { "title": { "type": "string" }, "user_id": { "type": "integer" } },
      "access": {
        "fetch": [{ "role": "admin" }],
        "destroy": [
          { "role": "admin" }, { "role": "super_admin" }, { "role": "system" }, { "role": "staff" },
          { "role": "*", "condition": "user_id = {user_id}" }
        ],
        "delete": [{ "role": "non_admin" }, { "role": "admin" }]
      }
    },
    "notes": {
      "lint_ignore": { "write-wider-than-fetch": "Not what this is about." }, "soft_delete": true,
      "fields": { "title": { "type": "string" } },
      "access": { "fetch": [{ "role": "admin" }], "delete": [{ "role": "user" }], "destroy": [{ "role": "user" }] }
    },
    "signed": {
      "lint_ignore": { "write-wider-than-fetch": "Not what this is about." }, "soft_delete": true,
      "fields": { "owner_id": { "type": "belongs_to", "relationship": { "model": "users" } } },
      "access": { "destroy": [{ "role": "signed_in", "condition": "owner_id = {user_id}" }] }
    }
  }`;
  expect(await printed("permanent-delete", models)).toMatchInlineSnapshot(`
    models.json:8:42 "super_admin" - lint role-nobody-has: nothing in this project assigns the role "super_admin" to an account; new accounts have "user"
      if npm run create-admin -- --role super_admin or SQL assigns it, say so in "lint_ignore"
    models.json:8:91 "staff" - lint permanent-delete: "staff" can permanently delete rows of "books": they cannot be restored
      leave "destroy" to "admin", and give this role "delete" and the model "soft_delete": true
    models.json:8:91 "staff" - lint role-nobody-has: nothing in this project assigns the role "staff" to an account; new accounts have "user"
      if npm run create-admin -- --role staff or SQL assigns it, say so in "lint_ignore"
    models.json:11:30 "non_admin" - lint permanent-delete: "non_admin" can permanently delete rows of "books": they cannot be restored
      give the model "soft_delete": true, so that "delete" hides rows, or leave it to "admin"
    models.json:11:30 "non_admin" - lint role-nobody-has: nothing in this project assigns the role "non_admin" to an account; new accounts have "user"
      if npm run create-admin -- --role non_admin or SQL assigns it, say so in "lint_ignore"
    models.json:17:72 "user" - lint rows-of-others: anyone who registers can delete rows of "notes", including those of other users
      tie the rows to the caller with "owner_id = {user_id}" or EXISTS, or use roles that an administrator assigns
    models.json:17:105 "user" - lint permanent-delete: "user" can permanently delete rows of "notes": they cannot be restored
      leave "destroy" to "admin", and give this role "delete", which hides rows
    models.json:17:105 "user" - lint rows-of-others: anyone who registers can permanently delete rows of "notes", including those of other users
      tie the rows to the caller with "owner_id = {user_id}" or EXISTS, or use roles that an administrator assigns
  `);
});

test("shadowed-rule, of rules that name fields", async () => {
  const models = `{
    "books": {
      "fields": { "title": { "type": "string" }, "draft": { "type": "boolean" } },
      "access": {
        "fetch": [{ "role": "admin" }],
        "update": [{ "role": "admin" }, { "role": ["admin", "superadmin"], "fields": ["title"] }],
        "create": [{ "role": "admin", "fields": ["title"] }, { "role": "admin", "condition": "draft = true" }],
        "restore": [{ "role": "admin", "fields": ["title"], "condition": "draft = true" }, { "role": "admin", "fields": ["draft"] }, { "role": "admin" }]
      },
      "soft_delete": true
    }
  }`;
  expect(await printed("shadowed-rule", models)).toMatchInlineSnapshot(`
    models.json:6:52 "admin" - lint shadowed-rule: this rule has no effect for "admin": rules are joined with OR, and the rule for "admin" opens all rows to "update"
      remove one of them
    models.json:6:61 "superadmin" - lint write-wider-than-fetch: the role "superadmin" can change rows of "books" without a rule to fetch them: filters of this write reveal their content
      add a rule of "fetch" for these rows, or remove this rule
    models.json:8:74 "draft = true" - lint shadowed-rule: this condition has no effect: rules are joined with OR, and the rule for "admin" opens all rows to "restore"
      remove one of them
    models.json:8:102 "admin" - lint shadowed-rule: this rule has no effect: rules are joined with OR, and the rule for "admin" opens all rows to "restore"
      remove one of them
  `);
});

test("shadowed-rule", async () => {
  const models = `{
    "books": {
      "fields": {
        "title": { "type": "string" }, "draft": { "type": "boolean" }, "user_id": { "type": "integer", "index": true }
      },
      "access": {
        "fetch": [{ "role": "*" }, { "role": "user", "condition": "draft = false" }],
        "search": [{ "role": "*", "condition": "draft = false" }, { "role": "admin" }],
        "update": [{ "role": "user" }, { "role": "user", "condition": "user_id = {user_id}" }],
        "delete": [{ "role": "admin" }, { "role": "user", "condition": "user_id = {user_id}" }]
      }
    },
    "signed": {
      "fields": { "owner_id": { "type": "belongs_to", "relationship": { "model": "users" } } },
      "access": {
        "fetch": [
          { "role": "signed_in" }, { "role": ["user", "guest", "signed_in"], "condition": "owner_id = 1" },
          { "role": "*", "condition": "owner_id = 2" }
        ],
        "search": [{ "role": ["admin", "*"] }], "count": [{ "role": ["guest", "signed_in", "admin"] }]
      }
    }
  }`;
  expect(await printed("shadowed-rule", models)).toMatchInlineSnapshot(`
    models.json:7:67 "draft = false" - lint shadowed-rule: this condition has no effect: rules are joined with OR, and the rule for "*" opens all rows to "fetch"
      in the rule for "*", name the roles that can see all rows
    models.json:9:30 "user" - lint rows-of-others: anyone who registers can change rows of "books", including those of other users
      tie the rows to the caller with "user_id = {user_id}" or EXISTS, or use roles that an administrator assigns
    models.json:9:71 "user_id = {user_id}" - lint shadowed-rule: this condition has no effect: rules are joined with OR, and the rule for "user" opens all rows to "update"
      remove one of them
    models.json:17:47 "user" - lint shadowed-rule: the role "user" has no effect in this list: "signed_in" already includes it
      remove "user", or remove "signed_in" if only certain roles are meant
    models.json:17:47 "user" - lint shadowed-rule: this condition has no effect for "user": rules are joined with OR, and the rule for "signed_in" opens all rows to "fetch"
      in the rule for "signed_in", name the roles that can see all rows
    models.json:17:64 "signed_in" - lint shadowed-rule: this condition has no effect for "signed_in": rules are joined with OR, and the rule for "signed_in" opens all rows to "fetch"
      in the rule for "signed_in", name the roles that can see all rows
    models.json:20:31 "admin" - lint shadowed-rule: the role "admin" has no effect in this list: "*" already includes it
      remove "admin", or remove "*" if only certain roles are meant
    models.json:20:92 "admin" - lint shadowed-rule: the role "admin" has no effect in this list: "signed_in" already includes it
      remove "admin", or remove "signed_in" if only certain roles are meant
  `);
});

test("dead-rule", async () => {
  const models = `{
    "books": {
      "fields": {
        "title": { "type": "string" }, "draft": { "type": "boolean" }, "user_id": { "type": "integer", "index": true }
      },
      "access": {
        "fetch": [
          { "role": "guest", "condition": "draft = false AND user_id = {user_id}" },
          { "role": "user", "condition": "user_id = {user_id}" }
        ],
        "search": [{ "role": "guest", "condition": "draft = false OR user_id = {user_id}" }],
        "destroy": [{ "role": "guest", "condition": "user_id = {user_id}" }]
      }
    },
    "projects": {
      "fields": { "members": { "type": "has_many", "relationship": { "model": "members", "foreign_key": "project_id" } } },
      "access": {
        "fetch": [
          { "role": "guest", "condition": "EXISTS (members WHERE user_id = {user_id})" },
          { "role": "guest", "condition": "EXISTS (members)" },
          { "role": ["guest", "user"], "condition": "{user.is_active} = true" }
        ]
      }
    },
    "letters": {
      "fields": {
        "writer_id": { "type": "belongs_to", "required": true, "preset": "{user_id}", "relationship": { "model": "users" } },
        "written_on": { "type": "date", "required": true, "preset": "now()" }
      },
      "access": {
        "create": [{ "role": ["guest", "user"] }], "upsert": [{ "role": "guest", "condition": "writer_id = {user_id}" }]
      }
    },
    "reports": {
      "fields": {
        "writer_id": { "type": "belongs_to", "required": true, "preset": "{user_id}", "relationship": { "model": "users" } },
        "mail": { "type": "email", "preset": "{email}" }
      },
      "access": { "create": [{ "role": "guest" }], "fields": { "writer_id": { "write": ["guest"] } } }
    },
    "members": {
      "internal": true,
      "fields": {
        "user_id": { "type": "belongs_to", "relationship": { "model": "users" } },
        "project_id": { "type": "belongs_to", "relationship": { "model": "projects" } }
      }
    }
  }`;
  expect(await printed("dead-rule", models)).toMatchInlineSnapshot(`
    models.json:8:43 "draft = false AND user_id = {user_id}" - lint dead-rule: this rule never matches for guests: their {user_id}, {email} and {user.<column>} are NULL, and NULL equals nothing
      remove the rule, or compare with something else
    models.json:12:53 "user_id = {user_id}" - lint dead-rule: this rule never matches for guests: their {user_id}, {email} and {user.<column>} are NULL, and NULL equals nothing
      remove the rule, or compare with something else
    models.json:19:43 "EXISTS (members WHERE user_id = {user_id})" - lint dead-rule: this rule never matches for guests: their {user_id}, {email} and {user.<column>} are NULL, and NULL equals nothing
      remove the rule, or compare with something else
    models.json:21:53 "{user.is_active} = true" - lint dead-rule: this rule never matches for guests: their {user_id}, {email} and {user.<column>} are NULL, and NULL equals nothing
      remove the rule, or compare with something else
    models.json:31:31 "guest" - lint dead-rule: guests cannot create rows of "letters": "writer_id" is required and gets its value from the caller's account, which guests do not have
      remove the rule, or "required" from "writer_id"
    models.json:31:95 "writer_id = {user_id}" - lint dead-rule: this rule never matches for guests: their {user_id}, {email} and {user.<column>} are NULL, and NULL equals nothing
      remove the rule, or compare with something else
    models.json:39:40 "guest" - lint public-write: everyone can create rows of "reports", without signing in
      name the allowed roles, or tie the rows to the caller with a condition such as "user_id = {user_id}"
  `);
});

test("not-exists-for-guests", async () => {
  const models = `{
    "posts": {
      "fields": {
        "public": { "type": "boolean" }, "owner_id": { "type": "belongs_to", "relationship": { "model": "users" } },
        "blocks": { "type": "has_many", "relationship": { "model": "blocks", "foreign_key": "post_id" } }
      },
      "access": {
        "fetch": [
          { "role": "*", "condition": "public = true AND NOT EXISTS (blocks WHERE user_id = {user_id})" },
          { "role": "signed_in", "condition": "NOT EXISTS (blocks WHERE user_id = {user_id})" }
        ],
        "search": [{
          "role": ["guest", "*"], "condition": "NOT (public = false OR EXISTS (blocks WHERE user_id = {user_id}))"
        }],
        "count": [
          { "role": "*", "condition": "NOT EXISTS (blocks WHERE user_id = {user_id}) AND owner_id = {user_id}" },
          { "role": "guest", "condition": "public = true AND NOT EXISTS (blocks WHERE until > now())" }
        ],
        "create": [{ "role": "*", "condition": "NOT EXISTS (owner.blocks WHERE user_id = {user.manager_id})" }]
      }
    },
    "blocks": {
      "internal": true,
      "fields": {
        "post_id": { "type": "belongs_to", "relationship": { "model": "posts" } },
        "user_id": { "type": "belongs_to", "relationship": { "model": "users" } }, "until": { "type": "datetime" }
      }
    },
    "users": { "fields": {
      "manager_id": { "type": "integer" },
      "blocks": { "type": "has_many", "relationship": { "model": "blocks", "foreign_key": "user_id" } }
    } }
  }`;
  expect(await printed("not-exists-for-guests", models)).toMatchInlineSnapshot(`
    models.json:9:39 "public = true AND NOT EXISTS (blocks WHERE user_id = {user_id})" - lint not-exists-for-guests: this NOT EXISTS admits guests: they have neither {user_id} nor {email}, so no row refers to them. An excluded user only needs to sign out
      write "role": "signed_in" for callers with a credential, and a separate rule for guests
    models.json:9:70 blocks - lint repeated-condition: 4 rules have the same EXISTS over "blocks" of "posts", in posts.fetch, posts.search and 1 more
      define it once in "$conditions", with "on": "posts", and write name()
    models.json:13:20 "guest" - lint shadowed-rule: the role "guest" has no effect in this list: "*" already includes it
      remove "guest", or remove "*" if only certain roles are meant
    models.json:13:48 "NOT (public = false OR EXISTS (blocks WHERE user_id = {user_id}))" - lint not-exists-for-guests: this NOT EXISTS admits guests: they have neither {user_id} nor {email}, so no row refers to them. An excluded user only needs to sign out
      write "role": "signed_in" for callers with a credential, and a separate rule for guests
    models.json:19:48 "NOT EXISTS (owner.blocks WHERE user_id = {user.manager_id})" - lint not-exists-for-guests: this NOT EXISTS admits guests: they have neither {user_id} nor {email}, so no row refers to them. An excluded user only needs to sign out
      write "role": "signed_in" for callers with a credential, and a separate rule for guests
  `);
});

test("null-for-guests", async () => {
  const models = `{
    "notes": {
      "fields": { "team": { "type": "integer", "index": true } },
      "access": {
        "fetch": [
          { "role": "*", "condition": "{user.team} IS NULL" },
          { "role": "signed_in", "condition": "{user.team} IS NULL" },
          { "role": "guest", "condition": "{user.team} IS NULL" }
        ],
        "count": [
          { "role": "*", "condition": "team = 5 AND NOT {user.team} IS NOT NULL" },
          { "role": "*", "condition": "{user.team} IS NULL AND team = {user.team}" },
          { "role": "*", "condition": "{user.team} IS NOT NULL OR team IS NULL" }
        ]
      }
    },
    "users": { "fields": { "team": { "type": "integer" } } }
  }`;
  expect(await printed("null-for-guests", models)).toMatchInlineSnapshot(`
    models.json:6:39 "{user.team} IS NULL" - lint null-for-guests: this IS NULL admits guests: they have no row in "users", so each {user.<column>} is NULL
      write "role": "signed_in" for callers with a credential, and a separate rule for guests
    models.json:11:39 "team = 5 AND NOT {user.team} IS NOT NULL" - lint null-for-guests: this IS NULL admits guests: they have no row in "users", so each {user.<column>} is NULL
      write "role": "signed_in" for callers with a credential, and a separate rule for guests
  `);
});

test("exists-on-create", async () => {
  const models = `{
    "orders": {
      "fields": {
        "shop_id": { "type": "belongs_to", "relationship": { "model": "shops" } },
        "items": { "type": "has_many", "relationship": { "model": "items", "foreign_key": "order_id" } },
        "parcel": { "type": "has_one", "relationship": { "model": "parcels", "foreign_key": "order_id" } }
      },
      "access": {
        "fetch": [{ "role": "admin", "condition": "EXISTS (items)" }],
        "update": [{ "role": "admin", "condition": "EXISTS (items) AND parcel.sent = true" }],
        "create": [
          { "role": ["admin", "system"], "condition": "EXISTS (items)" },
          { "role": "superadmin", "condition": "NOT EXISTS (items WHERE amount > 3) OR parcel.sent = true" },
          { "role": "system", "condition": "EXISTS (shop.orders WHERE EXISTS (items) AND EXISTS (this.items.parts))" },
          { "role": "system", "condition": "EXISTS (shop.orders)" },
          { "role": "admin", "condition": "NOT EXISTS (shop.orders WHERE id <> this.id)" },
          { "role": "admin", "condition": "NOT EXISTS (shop.orders WHERE this.id IS NULL OR id <> this.id)" },
          { "role": "admin", "condition": "EXISTS (shop.orders WHERE created_at < this.created_at)" }
        ]
      }
    },
    "items": {
      "internal": true,
      "fields": {
        "amount": { "type": "integer" },
        "order_id": { "type": "belongs_to", "relationship": { "model": "orders" } },
        "parts": { "type": "has_many", "relationship": { "model": "parts", "foreign_key": "item_id" } }
      }
    },
    "parts": { "internal": true, "fields": { "item_id": { "type": "belongs_to", "relationship": { "model": "items" } } } },
    "parcels": {
      "internal": true,
      "fields": {
        "sent": { "type": "boolean" },
        "order_id": { "type": "belongs_to", "unique": true, "relationship": { "model": "orders" } }
      }
    },
    "shops": {
      "internal": true,
      "fields": { "orders": { "type": "has_many", "relationship": { "model": "orders", "foreign_key": "shop_id" } } }
    }
  }`;
  expect(await printed("exists-on-create", models)).toMatchInlineSnapshot(`
    models.json:12:55 "EXISTS (items)" - lint exists-on-create: EXISTS (items) is always false for a new row: no row refers to it yet
      remove this part, or start the path with a belongs_to
    models.json:13:48 "NOT EXISTS (items WHERE amount > 3) OR parcel.sent = true" - lint exists-on-create: NOT EXISTS (items WHERE …) is always true for a new row: no row refers to it yet
      remove this part, or start the path with a belongs_to
    models.json:13:48 "NOT EXISTS (items WHERE amount > 3) OR parcel.sent = true" - lint exists-on-create: "parcel.sent" is NULL in a new row: no row refers to it yet
      remove this part, or start the path with a belongs_to
    models.json:14:44 "EXISTS (shop.orders WHERE EXISTS (items) AND EXISTS (this.items.parts))" - lint exists-on-create: EXISTS (this.items.parts) is always false for a new row: no row refers to it yet
      remove this part, or start the path with a belongs_to
    models.json:16:43 "NOT EXISTS (shop.orders WHERE id <> this.id)" - lint exists-on-create: "this.id" is NULL in a new row, so a comparison with it is never true, and a NOT EXISTS around it is always true
      remove the comparison (EXISTS does not find the new row), or write this.id IS NULL OR …
  `);
});

test("compared-with-itself", async () => {
  const models = `{
    "orders": {
      "fields": {
        "title": { "type": "string", "index": true },
        "parent_id": { "type": "belongs_to", "relationship": { "model": "orders" } },
        "lines": { "type": "has_many", "relationship": { "model": "lines", "foreign_key": "order_id" } },
        "parts": { "type": "has_many", "relationship": { "model": "orders", "foreign_key": "parent_id" } }
      },
      "access": { "fetch": [
        { "role": "admin", "condition": "EXISTS (lines WHERE order_id = id)" },
        { "role": "admin", "condition": "EXISTS (lines WHERE id != order_id AND order_id = order_id)" },
        { "role": "admin", "condition": "title = title OR parent.title = this.parent.title" },
        { "role": "admin", "condition": "EXISTS (lines WHERE this.title = this.title)" },
        { "role": "admin", "condition": "EXISTS (lines WHERE order_id = this.id)" },
        { "role": "admin", "condition": "EXISTS (parts WHERE parent_id = id)" },
        { "role": "admin", "condition": "parent_id = id OR parent.title = title" }
      ] }
    },
    "lines": {
      "internal": true, "fields": { "order_id": { "type": "belongs_to", "relationship": { "model": "orders" } } }
    }
  }`;
  expect(await printed("compared-with-itself", models)).toMatchInlineSnapshot(`
    models.json:10:73 id - lint compared-with-itself: "order_id" refers to another model, but is compared with the id of the same row of "lines"
      within EXISTS, names are fields of "lines"; for the row that the rule is for, write this.id
    models.json:11:62 id - lint compared-with-itself: "order_id" refers to another model, but is compared with the id of the same row of "lines"
      within EXISTS, names are fields of "lines"; for the row that the rule is for, write this.id
    models.json:11:92 order_id - lint compared-with-itself: "order_id" is compared with itself, which is true for every value except NULL
      within EXISTS, names are fields of "lines"; for the row that the rule is for, write this.order_id
    models.json:12:50 title - lint compared-with-itself: "title" is compared with itself, which is true for every value except NULL
      compare with another field or a value
    models.json:12:74 this.parent.title - lint compared-with-itself: "parent.title" is compared with itself, which is true for every value except NULL
      compare with another field or a value
    models.json:13:75 this.title - lint compared-with-itself: "this.title" is compared with itself, which is true for every value except NULL
      compare with another field or a value
  `);
});

test("quoted-placeholder", async () => {
  const models = `{
    "notes": {
      "fields": {
        "email": { "type": "email", "index": true }, "text": { "type": "string" },
        "parts": { "type": "has_many", "relationship": { "model": "parts", "foreign_key": "note_id" } }
      },
      "access": { "fetch": [
        { "role": "admin", "condition": "email = '{email}'" },
        { "role": "admin", "condition": "email LIKE '{email}%' OR email IN ('a', '{user_id}')" },
        { "role": "admin", "condition": "EXISTS (parts WHERE text BETWEEN 'a' AND '{user.role}')" },
        { "role": "admin", "condition": "text = '{name}' OR email LIKE {email}" }
      ] }
    },
    "parts": {
      "internal": true,
      "fields": {
        "text": { "type": "string" }, "note_id": { "type": "belongs_to", "relationship": { "model": "notes" } }
      }
    }
  }`;
  expect(await printed("quoted-placeholder", models)).toMatchInlineSnapshot(`
    models.json:8:50 '{email}' - lint quoted-placeholder: {email} is in quotes here, so it is plain text and is not replaced
      write = {email} without quotes; a placeholder cannot be part of a longer text or pattern
    models.json:9:53 '{email}%' - lint quoted-placeholder: {email} is in quotes here, so it is plain text and is not replaced
      write = {email} without quotes; a placeholder cannot be part of a longer text or pattern
    models.json:9:82 '{user_id}' - lint quoted-placeholder: {user_id} is in quotes here, so it is plain text and is not replaced
      write = {user_id} without quotes; a placeholder cannot be part of a longer text or pattern
    models.json:10:83 '{user.role}' - lint quoted-placeholder: {user.role} is in quotes here, so it is plain text and is not replaced
      write = {user.role} without quotes; a placeholder cannot be part of a longer text or pattern
  `);
});

test("rows-of-others", async () => {
  const models = `{
    "notes": {
      "lint_ignore": { "write-wider-than-fetch": "Not what this is about." }, "soft_delete": true,
      "fields": {
        "status": { "type": "string", "index": true },
        "owner_id": { "type": "belongs_to", "relationship": { "model": "users" } },
        "closed_id": { "type": "belongs_to", "relationship": { "model": "users" } },
        "members": { "type": "has_many", "relationship": { "model": "members", "foreign_key": "note_id" } }
      },
      "access": {
        "fetch": [{ "role": "user" }],
        "create": [
          { "role": "user", "condition": "status = 'new'" },
          { "role": "signed_in", "condition": "owner_id = {user_id}" }
        ],
        "update": [
          { "role": "user" }, { "role": "signed_in", "condition": "owner_id = {user_id} OR status = 'open'" },
          { "role": "*", "condition": "{user.is_active} = true" }, { "role": "admin" }
        ],
        "upsert": [{ "role": ["user", "signed_in"], "condition": "owner_id <> {user_id}" }],
        "delete": [
          {
            "role": "user", "condition": "EXISTS (members WHERE user_id = {user_id} AND role IN ('owner', 'admin'))"
          },
          { "role": "user", "condition": "NOT EXISTS (members WHERE user_id = {user_id})" },
          { "role": "signed_in", "condition": "{user.level} = 'editor'" },
          { "role": "user", "condition": "owner_id IN ({user_id}, {user.boss_id})" }
        ],
        "restore": [{ "role": "user", "condition": "NOT owner_id <> {user_id} AND {user.role} = 'user'" }],
        "fields": { "closed_id": { "write": [] } }
      }
    },
    "ideas": {
      "fields": { "text": { "type": "text" } },
      "access": { "fetch": [{ "role": "*" }], "create": [{ "role": "user" }] }
    },
    "members": {
      "internal": true,
      "fields": {
        "role": { "type": "string", "enum": ["owner", "admin", "guest"] },
        "user_id": { "type": "belongs_to", "relationship": { "model": "users" } },
        "note_id": { "type": "belongs_to", "relationship": { "model": "notes" } }
      }
    },
    "users": { "fields": { "level": { "type": "string" }, "boss_id": { "type": "integer" } } }
  }`;
  expect(await printed("rows-of-others", models)).toMatchInlineSnapshot(`
    models.json:13:21 "user" - lint rows-of-others: anyone who registers can create rows of "notes" that satisfy the condition in the name of others, with any "owner_id"
      let the server set it, with "preset": "{user_id}" in the field "owner_id", or tie the rows to the caller with "owner_id = {user_id}" or EXISTS, or use roles that an administrator assigns
    models.json:17:21 "user" - lint rows-of-others: anyone who registers can change rows of "notes", including those of other users
      tie the rows to the caller with "owner_id = {user_id}" or EXISTS, or use roles that an administrator assigns
    models.json:17:41 "signed_in" - lint rows-of-others: anyone who registers can change rows of "notes" that satisfy the condition, including those of other users
      tie the rows to the caller with "owner_id = {user_id}" or EXISTS, or use roles that an administrator assigns
    models.json:18:21 "*" - lint rows-of-others: anyone who registers can change rows of "notes" that satisfy the condition, including those of other users
      tie the rows to the caller with "owner_id = {user_id}" or EXISTS, or use roles that an administrator assigns
    models.json:20:31 "user" - lint shadowed-rule: the role "user" has no effect in this list: "signed_in" already includes it
      remove "user", or remove "signed_in" if only certain roles are meant
    models.json:20:39 "signed_in" - lint rows-of-others: anyone who registers can create and change rows of "notes" that satisfy the condition, including those of other users
      tie the rows to the caller with "owner_id = {user_id}" or EXISTS, or use roles that an administrator assigns
    models.json:25:21 "user" - lint rows-of-others: anyone who registers can delete rows of "notes" that satisfy the condition, including those of other users
      tie the rows to the caller with "owner_id = {user_id}" or EXISTS, or use roles that an administrator assigns
  `);
});

test("write-wider-than-fetch", async () => {
  const models = `{
    "projects": {
      "fields": { "members": {
        "type": "has_many", "relationship": { "model": "members", "foreign_key": "project_id" }
      } },
      "access": { "fetch": [{ "role": "signed_in", "condition": "EXISTS (members WHERE user_id = {user_id})" }] }
    },
    "members": {
      "internal": true,
      "fields": {
        "role": { "type": "string", "enum": ["owner", "guest"] },
        "user_id": { "type": "belongs_to", "relationship": { "model": "users" } },
        "project_id": { "type": "belongs_to", "relationship": { "model": "projects" } }
      }
    },
    "notes": {
      "soft_delete": true,
      "fields": {
        "status": { "type": "string", "enum": ["open", "done"], "index": true },
        "owner_id": { "type": "belongs_to", "relationship": { "model": "users" } },
        "project_id": { "type": "belongs_to", "relationship": { "model": "projects" } }
      },
      "access": {
        "fetch": [
          { "role": "signed_in", "condition": "owner_id = {user_id} AND status = 'open'" },
          { "role": "user", "condition": "EXISTS (project.members WHERE user_id = {user_id})" }, { "role": "admin" }
        ],
        "update": [
          { "role": "user", "condition": "owner_id = {user_id}" },
          { "role": "signed_in", "condition": "status = 'open' AND owner_id = {user_id}" }, { "role": "system" }
        ],
        "delete": [
          { "role": "user", "condition": "EXISTS (project_id.members WHERE user_id = {user_id} AND role = 'owner')" },
          { "role": "*", "condition": "status IN ('open') AND owner_id = {user_id}" }, { "role": "admin" }
        ],
        "destroy": [{ "role": "admin" }, { "role": "system", "condition": "status = 'done'" }],
        "restore": [
          { "role": "user", "condition": "status = 'open' AND owner_id = {user_id} OR NOT EXISTS (project.members)" },
          { "role": "guest", "condition": "owner_id = {user_id}" }
        ]
      },
      "lint_ignore": { "dead-rule": "Not what this is about.", "rows-of-others": "Not what this is about." }
    },
    "drops": {
      "fields": { "text": { "type": "text" } },
      "access": { "create": [{ "role": "admin" }], "update": [{ "role": "admin" }] }
    }
  }`;
  expect(await printed("write-wider-than-fetch", models)).toMatchInlineSnapshot(`
    models.json:29:21 "user" - lint write-wider-than-fetch: the role "user" can change rows of "notes" without a rule to fetch them: filters of this write reveal their content
      open "fetch" for these rows, or add to this condition: status = 'open', or EXISTS (project.members WHERE user_id = {user_id})
    models.json:30:103 "system" - lint write-wider-than-fetch: the role "system" can change rows of "notes" without a rule to fetch them: filters of this write reveal their content
      open "fetch" for these rows, or give this rule a condition of "fetch"
    models.json:36:52 "system" - lint write-wider-than-fetch: the role "system" can permanently delete rows of "notes" without a rule to fetch them: filters of this write reveal their content
      open "fetch" for these rows, or add to this condition: owner_id = {user_id} AND status = 'open'
    models.json:38:21 "user" - lint write-wider-than-fetch: the role "user" can restore rows of "notes" without a rule to fetch them: filters of this write reveal their content
      open "fetch" for these rows, or add to this condition: EXISTS (project.members WHERE user_id = {user_id})
    models.json:46:73 "admin" - lint write-wider-than-fetch: the role "admin" can change rows of "drops" without a rule to fetch them: filters of this write reveal their content
      add a rule of "fetch" for these rows, or remove this rule
  `);
});
