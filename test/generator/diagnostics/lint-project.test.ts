import { expect, test } from "vitest";
import { printed } from "./printed.ts";

test("unknown-lint-code", async () => {
  const files = {
    models: `{ "books": {
      "lint_ignore": {
        "public-wriet": "everybody writes the wall", "unknown-key": "never mind", "unused-lint-ignore": "kept",
        "stale-acknowledgement": "known"
      },
      "fields": { "title": { "type": "string", "lint_ignore": { "unindexd-search": "few rows" } } },
      "access": { "fetch": [{ "role": "admin" }] }
    } }`,
    manifest: `{ "name": "golden", "lint_ignore": { "cookie-origin": "a demo" } }`,
  };
  expect(await printed("unknown-lint-code", files)).toMatchInlineSnapshot(`
    manifest.json:1:38 "cookie-origin" - error unknown-lint-code: there is no finding "cookie-origin" to silence
      did you mean "cookie-any-origin"?
    models.json:3:9 "public-wriet" - error unknown-lint-code: there is no finding "public-wriet" to silence
      did you mean "public-write"?
    models.json:3:54 "unknown-key" - error unknown-lint-code: "unknown-key" cannot be silenced: it is an error, which must be corrected
    models.json:3:83 "unused-lint-ignore" - error unknown-lint-code: "unused-lint-ignore" cannot be silenced: it is always shown
    models.json:4:9 "stale-acknowledgement" - error unknown-lint-code: "stale-acknowledgement" cannot be silenced: it is always shown
    models.json:6:65 "unindexd-search" - error unknown-lint-code: there is no finding "unindexd-search" to silence
      did you mean "unindexed-search"?
  `);
});

test("empty-lint-reason", async () => {
  const files = {
    models: `{ "books": {
      "lint_ignore": { "public-write": "" },
      "fields": { "title": { "type": "string", "lint_ignore": { "unindexed-search": "  " } } },
      "access": { "fetch": [{ "role": "admin" }] }
    } }`,
    manifest: `{ "name": "golden", "lint_ignore": { "public-write": "\\t" } }`,
  };
  expect(await printed("empty-lint-reason", files)).toMatchInlineSnapshot(`
    manifest.json:1:54 "\\t" - error empty-lint-reason: "public-write" is silenced without a reason
      write the reason, for the reviewer
    models.json:2:40 "" - error empty-lint-reason: "public-write" is silenced without a reason
      write the reason, for the reviewer
    models.json:3:85 "  " - error empty-lint-reason: "unindexed-search" is silenced without a reason
      write the reason, for the reviewer
  `);
});

test("unused-lint-ignore", async () => {
  const files = {
    models: `{ "books": {
      "lint_ignore": { "public-write": "a wall that everybody writes on" },
      "fields": { "title": { "type": "string", "lint_ignore": { "secret-readable": "no secret" } } },
      "access": { "fetch": [{ "role": "admin" }] }
    } }`,
    manifest: `{ "name": "golden", "lint_ignore": { "orphan-hook": "kept for later" } }`,
  };
  expect(await printed("unused-lint-ignore", files)).toMatchInlineSnapshot(`
    manifest.json:1:38 "orphan-hook" - lint unused-lint-ignore: "orphan-hook" silences nothing in the service
      remove the entry, or it hides the next finding of this kind
    models.json:2:24 "public-write" - lint unused-lint-ignore: "public-write" silences nothing in model "books"
      remove the entry, or it hides the next finding of this kind
    models.json:3:65 "secret-readable" - lint unused-lint-ignore: "secret-readable" silences nothing in field "title" of model "books"
      remove the entry, or it hides the next finding of this kind
  `);
});

test("role-nobody-has", async () => {
  const files = {
    models: `{
      "projects": {
        "lint_ignore": {
          "write-wider-than-fetch": "Not what this is about.",
          "role-nobody-has": "npm run create-admin -- --role clerk, once for each clerk"
        },
        "fields": {
          "name": { "type": "string" },
          "memberships": { "type": "has_many", "relationship": { "model": "memberships", "foreign_key": "project_id" } }
        },
        "access": { "update": [{ "role": ["admin", "clerk"] }] }
      },
      "tasks": {
        "fields": { "title": { "type": "string" } },
        "access": {
          "fetch": [{ "role": ["signed_in", "system", "superadmin"] }, { "role": "owner" }, { "role": "clerk" }],
          "update": [{ "role": "owner" }, { "role": "doctor" }, { "role": "docter" }],
          "fields": { "title": { "write": ["nurse", "doctor", "admin"] } }
        }
      },
      "memberships": {
        "internal": true,
        "fields": {
          "project_id": { "type": "belongs_to", "relationship": { "model": "projects" } },
          "member": { "type": "belongs_to", "relationship": { "model": "users" } },
          "role": { "type": "string", "enum": ["owner", "reader"] }
        }
      }
    }`,
    "hooks/auth.ts": `
      // Read as a text: it gives accounts the role of nurses, and asks for that of doctors.
      export const after_register = async (
        { data: { user } }: { data: { user: { role: string; user_id: number } } },
        { transaction }: { transaction: (table: string) => { update(row: object): Promise<void> } },
      ) => {
        if (user.role === "doctor") return;
        await transaction("users").update({ role: "nurse" });
      };
    `,
  };
  expect(await printed("role-nobody-has", files)).toMatchInlineSnapshot(`
    models.json:16:45 "system" - lint shadowed-rule: the role "system" has no effect in this list: "signed_in" already includes it
      remove "system", or remove "signed_in" if only certain roles are meant
    models.json:16:55 "superadmin" - lint shadowed-rule: the role "superadmin" has no effect in this list: "signed_in" already includes it
      remove "superadmin", or remove "signed_in" if only certain roles are meant
    models.json:16:82 "owner" - lint role-nobody-has: nothing in this project assigns the role "owner" to an account; new accounts have "user"
      "owner" is a value of "role" in "memberships", not the role of an account: use EXISTS (… WHERE member = {user_id} AND role = 'owner')
    models.json:17:53 "doctor" - lint role-nobody-has: nothing in this project assigns the role "doctor" to an account; new accounts have "user"
      if npm run create-admin -- --role doctor or SQL assigns it, say so in "lint_ignore"
    models.json:17:75 "docter" - lint similar-roles: the role "docter" is used only here, and looks like "doctor"
      write "doctor", if that is meant
  `);
});

test("similar-roles", async () => {
  const models = `{
    "books": {
      "lint_ignore": { "write-wider-than-fetch": "Not what this is about." },
      "fields": { "title": { "type": "string" } },
      "access": {
        "fetch": [{ "role": "gest" }, { "role": "users" }, { "role": "admin" }, { "role": "editor" }, { "role": "reader" }],
        "create": [{ "role": "admin" }, { "role": "editor" }], "update": [{ "role": "amdin" }],
        "fields": { "title": { "write": ["Editor", "header", "edit"] } }
      }
    },
    "signed": {
      "fields": { "name": { "type": "string" } },
      "access": { "fetch": [{ "role": "signed-in" }, { "role": "signed_in" }], "update": [{ "role": "signed_im" }] }
    }
  }`;
  expect(await printed("similar-roles", models)).toMatchInlineSnapshot(`
    models.json:6:29 "gest" - lint similar-roles: the role "gest" is used only here, and looks like "guest"
      write "guest", if that is meant
    models.json:6:49 "users" - lint similar-roles: the role "users" is used only here, and looks like "user"
      write "user", if that is meant
    models.json:6:91 "editor" - lint role-nobody-has: nothing in this project assigns the role "editor" to an account; new accounts have "user"
      if npm run create-admin -- --role editor or SQL assigns it, say so in "lint_ignore"
    models.json:6:113 "reader" - lint role-nobody-has: nothing in this project assigns the role "reader" to an account; new accounts have "user"
      if npm run create-admin -- --role reader or SQL assigns it, say so in "lint_ignore"
    models.json:7:85 "amdin" - lint similar-roles: the role "amdin" is used only here, and looks like "admin"
      write "admin", if that is meant
    models.json:8:42 "Editor" - lint similar-roles: the role "Editor" is used only here, and looks like "editor"
      write "editor", if that is meant
    models.json:8:52 "header" - lint role-nobody-has: nothing in this project assigns the role "header" to an account; new accounts have "user"
      if npm run create-admin -- --role header or SQL assigns it, say so in "lint_ignore"
    models.json:8:62 "edit" - lint role-nobody-has: nothing in this project assigns the role "edit" to an account; new accounts have "user"
      if npm run create-admin -- --role edit or SQL assigns it, say so in "lint_ignore"
    models.json:13:39 "signed-in" - lint similar-roles: the role "signed-in" is used only here, and looks like "signed_in"
      write "signed_in", if that is meant
    models.json:13:101 "signed_im" - lint similar-roles: the role "signed_im" is used only here, and looks like "signed_in"
      write "signed_in", if that is meant
  `);
});

test("prefer-fills", async () => {
  const files = {
    models: `{
      "books": {
        "lint_ignore": { "write-wider-than-fetch": "Not what this is about." },
        "fields": {
          "title": { "type": "string", "required": true }, "slug": { "type": "string", "required": true, "unique": true },
          "language": { "type": "string", "required": true }, "author": { "type": "string", "required": true },
          "note": { "type": "string" }
        },
        "access": { "create": [{ "role": "admin" }], "update": [{ "role": "admin" }] }
      },
      "pages": {
        "lint_ignore": { "write-wider-than-fetch": "Not what this is about." },
        "fields": { "text": { "type": "string", "required": true, "unique": true } },
        "access": { "create": [{ "role": "admin" }], "update": [{ "role": "admin" }], "upsert": [] }
      },
      "passed_on": { "fields": { "text": { "type": "string", "required": true } }, "access": { "create": [{ "role": "admin" }] } },
      "said": { "fields": { "text": { "type": "string", "required": true } }, "access": { "create": [{ "role": "admin" }] } },
      "optional": { "fields": { "text": { "type": "string" } }, "access": { "create": [{ "role": "admin" }] } },
      "reading": { "fields": { "text": { "type": "string", "required": true } }, "access": { "create": [{ "role": "admin" }] } },
      "silenced": {
        "lint_ignore": { "prefer-fills": "the hook asks another service what it fills in" },
        "fields": { "text": { "type": "string", "required": true } }, "access": { "create": [{ "role": "admin" }] }
      }
    }`,
    "filling.ts": `export const fill = () => {};`,
    "hooks/books.ts": `
      // Lint reports before_create at its export.
      export const before_create = (book: { title?: string; slug?: string }) => {
        if (book.title === undefined) return;
        book.slug ??= book.title;
        // book.title = "commented out";
        return { ...book, language: "en", note: "" };
      };
      export const before_upsert = before_create;
      export const before_update = ({ data }: { data: { author?: string } }) => {
        data.author = "not of a new record";
      };
    `,
    "hooks/optional.ts": `export const before_create = () => {};`,
    "hooks/pages.ts": `
      export function before_create(page: { text?: string }) {
        if (page.text === "") throw new Error("empty");
      }
    `,
    "hooks/passed_on.ts": `export { fill as before_create } from "../filling.ts";`,
    "hooks/reading.ts": `export const before_fetch = () => {};`,
    "hooks/said.ts": `
      export const fills = {} as const;
      export const before_create = () => {};
    `,
    "hooks/silenced.ts": `export const before_create = () => {};`,
  };
  expect(await printed("prefer-fills", files)).toMatchInlineSnapshot(`
    hooks/books.ts:2:14 before_create - lint prefer-fills: before_create and before_upsert of model "books" do not list the required fields that the hook fills in, so callers can omit all of them
      add export const fills = { before_create: ["slug", "language"], before_upsert: ["slug", "language"] } as const;
    hooks/pages.ts:1:17 before_create - lint prefer-fills: before_create of model "pages" does not list the required fields that the hook fills in, so callers can omit all of them
      add export const fills = { before_create: [] } as const; with the required fields that the hook fills in, if any
    hooks/passed_on.ts:1:18 before_create - lint prefer-fills: before_create of model "passed_on" does not list the required fields that the hook fills in, so callers can omit all of them
      add export const fills = { before_create: [] } as const; with the required fields that the hook fills in, if any
  `);
});

test("outer-context-after-commit", async () => {
  const files = {
    models: `{ "notes": {
      "fields": { "text": { "type": "text" } },
      "access": { "fetch": [{ "role": "staff" }], "create": [{ "role": "staff" }] }
    } }`,
    "hooks/notes.ts": `
      import type { NotesHooks } from "../../generated/models/notes/model.ts";
      export const after_create: NotesHooks["after_create"] = (note, { db, sql, jobs, afterCommit }) => {
        afterCommit(async () => {
          await db.notes.create({ text: "lost (" });
          await sql\`select 1\`;
        });
        afterCommit(({ log }) => jobs.enqueue("tidy", {}).catch((error) => log.error(error)));
        // afterCommit(() => db.notes.count());
        afterCommit(async ({ db, mail }) => {
          await db.notes.create({ text: String(note) });
          await mail.send({ to: "ann@example.com", subject: "db.notes", text: "" });
        });
      };
      export const after_update: NotesHooks["after_update"] = (_, context) => {
        context.afterCommit(async () => context.mail.send({ to: "ann@example.com", subject: "", text: "" }));
        context.afterCommit(async (context) => context.db.notes.count());
        context.afterCommit(later);
      };
      const later = () => {};
    `,
  };
  expect(await printed("outer-context-after-commit", files)).toMatchInlineSnapshot(`
    hooks/notes.ts:4:11 db - lint outer-context-after-commit: \`db\` belongs to the context outside afterCommit, which has ended when this callback runs
      use the context that the callback gets: afterCommit(async ({ db }) => …)
    hooks/notes.ts:5:11 sql - lint outer-context-after-commit: \`sql\` belongs to the context outside afterCommit, which has ended when this callback runs
      use the context that the callback gets: afterCommit(async ({ sql }) => …)
    hooks/notes.ts:7:28 jobs - lint outer-context-after-commit: \`jobs\` belongs to the context outside afterCommit, which has ended when this callback runs
      use the context that the callback gets: afterCommit(async ({ jobs }) => …)
    hooks/notes.ts:15:35 context.mail - lint outer-context-after-commit: \`context.mail\` belongs to the context outside afterCommit, which has ended when this callback runs
      use the context that the callback gets: afterCommit(async ({ mail }) => …)
    models.json:3:39 "staff" - lint role-nobody-has: nothing in this project assigns the role "staff" to an account; new accounts have "user"
      if npm run create-admin -- --role staff or SQL assigns it, say so in "lint_ignore"
  `);
});

test("secret-readable", async () => {
  const models = `{
    "accounts": {
      "fields": {
        "api_key": { "type": "string" }, "apiToken": { "type": "text" }, "password_hash": { "type": "string" },
        "iban": { "type": "string" }, "cardNumber": { "type": "string" }, "ssn": { "type": "integer" },
        "webhook_secret": { "type": "string" }, "recoveryCodes": { "type": "json" }, "session_token": { "type": "string" },
        "private_key": { "type": "string" }, "token_type": { "type": "string" }, "file_hash": { "type": "string" },
        "hashtag": { "type": "string" }, "secretary": { "type": "string" }, "token_expires_at": { "type": "datetime" },
        "has_token": { "type": "boolean" }, "token_enum": { "type": "string", "enum": ["a"] },
        "card_number_last4": { "type": "string" }, "secret": { "type": "password" }
      },
      "access": {
        "fetch": [{ "role": "user" }, { "role": "admin" }],
        "fields": { "session_token": { "read": ["user"] }, "private_key": { "read": ["guest"] } }
      }
    },
    "keys": {
      "fields": { "api_key": { "type": "string" } },
      "access": { "fetch": [{ "role": "admin" }, { "role": "superadmin" }], "create": [{ "role": "user" }] }
    },
    "sessions": {
      "fields": { "token": { "type": "uuid" } },
      "access": { "fetch": [{ "role": "*" }], "fields": { "token": { "read": ["guest", "admin"] } } }
    },
    "vault": {
      "internal": true,
      "fields": {
        "api_key": { "type": "string" }, "jwt": { "type": "string" },
        "chain_id": { "type": "belongs_to", "relationship": { "model": "chains", "foreign_key": "id" } }
      },
      "access": { "fields": { "jwt": { "read": ["admin"] } } }
    },
    "chains": {
      "internal": true,
      "fields": {
        "session_id": { "type": "uuid" },
        "vaults": { "type": "has_many", "relationship": { "model": "vault", "foreign_key": "chain_id" } }
      }
    },
    "cellar": { "internal": true, "fields": { "api_key": { "type": "string" } } },
    "books": {
      "fields": { "vault_id": { "type": "belongs_to", "relationship": { "model": "vault", "foreign_key": "id" } } },
      "access": { "fetch": [{ "role": "non_admin" }, { "role": "admin" }], "create": [{ "role": "clerk" }] }
    },
    "signed": { "fields": { "api_key": { "type": "string" } }, "access": { "fetch": [{ "role": ["signed_in", "user"] }] } }
  }`;
  expect(await printed("secret-readable", models)).toMatchInlineSnapshot(`
    models.json:4:9 "api_key" - lint secret-readable: "api_key" of model "accounts" looks like a secret, and "user" can read it
      restrict it: "access": { "fields": { "api_key": { "read": ["admin"] } } }; with [] only hooks can read it
    models.json:4:42 "apiToken" - lint secret-readable: "apiToken" of model "accounts" looks like a secret, and "user" can read it
      restrict it: "access": { "fields": { "apiToken": { "read": ["admin"] } } }; with [] only hooks can read it
    models.json:4:74 "password_hash" - lint secret-readable: "password_hash" of model "accounts" looks like a secret, and "user" can read it
      restrict it: "access": { "fields": { "password_hash": { "read": ["admin"] } } }; with [] only hooks can read it
    models.json:5:9 "iban" - lint secret-readable: "iban" of model "accounts" looks like a secret, and "user" can read it
      restrict it: "access": { "fields": { "iban": { "read": ["admin"] } } }; with [] only hooks can read it
    models.json:5:39 "cardNumber" - lint secret-readable: "cardNumber" of model "accounts" looks like a secret, and "user" can read it
      restrict it: "access": { "fields": { "cardNumber": { "read": ["admin"] } } }; with [] only hooks can read it
    models.json:5:75 "ssn" - lint secret-readable: "ssn" of model "accounts" looks like a secret, and "user" can read it
      restrict it: "access": { "fields": { "ssn": { "read": ["admin"] } } }; with [] only hooks can read it
    models.json:6:9 "webhook_secret" - lint secret-readable: "webhook_secret" of model "accounts" looks like a secret, and "user" can read it
      restrict it: "access": { "fields": { "webhook_secret": { "read": ["admin"] } } }; with [] only hooks can read it
    models.json:6:49 "recoveryCodes" - lint secret-readable: "recoveryCodes" of model "accounts" looks like a secret, and "user" can read it
      restrict it: "access": { "fields": { "recoveryCodes": { "read": ["admin"] } } }; with [] only hooks can read it
    models.json:22:19 "token" - lint secret-readable: "token" of model "sessions" looks like a secret, and "guest" can read it
      restrict it: "access": { "fields": { "token": { "read": ["admin"] } } }; with [] only hooks can read it
    models.json:28:9 "api_key" - lint secret-readable: "api_key" of model "vault" looks like a secret, and "non_admin" can read it, through joins of "books"
      restrict it: "access": { "fields": { "api_key": { "read": ["admin"] } } }; with [] only hooks can read it
    models.json:36:9 "session_id" - lint secret-readable: "session_id" of model "chains" looks like a secret, and "non_admin" can read it, through joins of "books"
      restrict it: "access": { "fields": { "session_id": { "read": ["admin"] } } }; with [] only hooks can read it
    models.json:43:39 "non_admin" - lint role-nobody-has: nothing in this project assigns the role "non_admin" to an account; new accounts have "user"
      if npm run create-admin -- --role non_admin or SQL assigns it, say so in "lint_ignore"
    models.json:43:97 "clerk" - lint role-nobody-has: nothing in this project assigns the role "clerk" to an account; new accounts have "user"
      if npm run create-admin -- --role clerk or SQL assigns it, say so in "lint_ignore"
    models.json:45:29 "api_key" - lint secret-readable: "api_key" of model "signed" looks like a secret, and everyone who is signed in can read it
      restrict it: "access": { "fields": { "api_key": { "read": ["admin"] } } }; with [] only hooks can read it
    models.json:45:110 "user" - lint shadowed-rule: the role "user" has no effect in this list: "signed_in" already includes it
      remove "user", or remove "signed_in" if only certain roles are meant
  `);
});

test("empty-text", async () => {
  const models = `{
    "notes": {
      "fields": {
        "title": { "type": "string", "required": true }, "body": { "type": "text", "required": true },
        "optional": { "type": "string" }, "bounded": { "type": "string", "required": true, "min_length": 1 },
        "slug": { "type": "string", "required": true, "pattern": "^[a-z]+$" },
        "state": { "type": "string", "required": true, "enum": ["draft", "sent"] },
        "place": { "type": "string", "required": true, "default": "" }, "tags": { "type": "string[]", "required": true },
        "filled": { "type": "string", "required": true }, "author_id": { "type": "integer", "preset": "{user_id}" }
      },
      "access": { "fetch": [{ "role": "user" }], "create": [{ "role": "user" }], "fields": { "filled": { "write": [] } } }
    },
    "settings": {
      "fields": { "value": { "type": "string", "required": true } },
      "access": { "fetch": [{ "role": "*" }], "update": [{ "role": "admin" }] }
    }
  }`;
  expect(await printed("empty-text", models)).toMatchInlineSnapshot(`
    models.json:2:5 "notes" - lint empty-text: required text fields of model "notes" can be empty: "title", "body"
      add "min_length": 1 to refuse ""
  `);
});

test("plain-password", async () => {
  const models = `{
    "people": {
      "fields": {
        "password": { "type": "string" }, "doorPassword": { "type": "text" }, "password_hint": { "type": "string" },
        "passwd": { "type": "password" }, "pwd": { "type": "string", "enum": ["old", "new"] }
      },
      "access": { "fetch": [{ "role": "admin" }] }
    },
    "vault": { "internal": true, "fields": { "user_pwd": { "type": "string" } } }
  }`;
  expect(await printed("plain-password", models)).toMatchInlineSnapshot(`
    models.json:4:9 "password" - lint plain-password: "password" of model "people" looks like a password, but is stored as plain text: anyone with the database or a backup can read it
      write "type": "password" instead of "string": values are then hashed and never returned
    models.json:4:43 "doorPassword" - lint plain-password: "doorPassword" of model "people" looks like a password, but is stored as plain text: anyone with the database or a backup can read it
      write "type": "password" instead of "text": values are then hashed and never returned
    models.json:9:46 "user_pwd" - lint plain-password: "user_pwd" of model "vault" looks like a password, but is stored as plain text: anyone with the database or a backup can read it
      write "type": "password" instead of "string": values are then hashed and never returned
  `);
});

test("check-reveals-field", async () => {
  const models = `{ "offers": {
    "fields": {
      "price": { "type": "integer" }, "cost": { "type": "integer" }, "floor": { "type": "integer" },
      "pin": { "type": "password" }
    },
    "checks": [
      { "name": "gains", "condition": "price > cost", "message": "It must gain." },
      { "name": "is_low", "condition": "price > floor", "message": "Not so low." },
      { "name": "alone", "condition": "cost > 0", "message": "Of what is sent alone." },
      { "name": "locked", "condition": "price > 5 OR pin IS NOT NULL", "message": "It needs a PIN." }
    ],
    "access": {
      "fetch": [{ "role": "*" }], "create": [{ "role": "admin" }],
      "update": [{ "role": "signed_in", "condition": "price = 1" }],
      "fields": {
        "price": { "write": ["seller", "admin"] }, "cost": { "read": ["admin"], "write": ["admin"] },
        "floor": { "read": ["signed_in"] }
      }
    },
    "lint_ignore": { "rows-of-others": "Not what this is about." }
  } }`;
  expect(await printed("check-reveals-field", models)).toMatchInlineSnapshot(`
    models.json:7:17 "gains" - lint check-reveals-field: the role "seller" can write "price" but not read "cost": the result of the check "gains" reveals it
      remove their write access to "price", or give them read access to "cost"
    models.json:16:30 "seller" - lint role-nobody-has: nothing in this project assigns the role "seller" to an account; new accounts have "user"
      if npm run create-admin -- --role seller or SQL assigns it, say so in "lint_ignore"
  `);
});

test("personal-data-public", async () => {
  const models = `{
    "people": {
      "fields": {
        "contact": { "type": "email" }, "homePhone": { "type": "string" }, "street": { "type": "string" },
        "birthday": { "type": "date" }, "born_on": { "type": "date" }, "address": { "type": "json" },
        "mac_address": { "type": "string" }, "phone_verified": { "type": "boolean" },
        "email_count": { "type": "integer" }, "telegram": { "type": "string" }, "mobile": { "type": "string" },
        "dob": { "type": "date" }
      },
      "access": { "fetch": [{ "role": "*" }], "fields": { "mobile": { "read": ["user"] }, "dob": { "read": ["*"] } } }
    },
    "customers": {
      "fields": { "email": { "type": "email" }, "user_id": { "type": "integer", "index": true } },
      "access": { "fetch": [{ "role": "*", "condition": "user_id = {user_id}" }] }
    },
    "messages": {
      "fields": { "email": { "type": "email" } },
      "access": { "fetch": [{ "role": "admin" }], "create": [{ "role": "user" }] }
    },
    "tickets": {
      "fields": { "author_id": { "type": "belongs_to", "relationship": { "model": "users" } } },
      "access": { "fetch": [{ "role": "*" }] }
    },
    "users": {
      "fields": {
        "home_phone": { "type": "string" }, "street": { "type": "string" },
        "born_on": { "type": "date", "lint_ignore": { "personal-data-public": "Everybody celebrates." } }
      },
      "access": { "fields": {
        "email": { "read": ["*"] }, "phone_number": { "read": ["staff"] }, "street": { "read": ["*"] },
        "born_on": { "read": ["*"] }
      } }
    }
  }`;
  expect(await printed("personal-data-public", models)).toMatchInlineSnapshot(`
    models.json:4:9 "contact" - lint personal-data-public: "contact" of model "people" looks like personal data, and anyone can read it without signing in
      name the roles that need it: "access": { "fields": { "contact": { "read": [ … ] } } }
    models.json:4:41 "homePhone" - lint personal-data-public: "homePhone" of model "people" looks like personal data, and anyone can read it without signing in
      name the roles that need it: "access": { "fields": { "homePhone": { "read": [ … ] } } }
    models.json:4:76 "street" - lint personal-data-public: "street" of model "people" looks like personal data, and anyone can read it without signing in
      name the roles that need it: "access": { "fields": { "street": { "read": [ … ] } } }
    models.json:5:9 "birthday" - lint personal-data-public: "birthday" of model "people" looks like personal data, and anyone can read it without signing in
      name the roles that need it: "access": { "fields": { "birthday": { "read": [ … ] } } }
    models.json:5:41 "born_on" - lint personal-data-public: "born_on" of model "people" looks like personal data, and anyone can read it without signing in
      name the roles that need it: "access": { "fields": { "born_on": { "read": [ … ] } } }
    models.json:5:72 "address" - lint personal-data-public: "address" of model "people" looks like personal data, and anyone can read it without signing in
      name the roles that need it: "access": { "fields": { "address": { "read": [ … ] } } }
    models.json:8:9 "dob" - lint personal-data-public: "dob" of model "people" looks like personal data, and anyone can read it without signing in
      name the roles that need it: "access": { "fields": { "dob": { "read": [ … ] } } }
    models.json:26:45 "street" - lint personal-data-public: "street" of model "users" looks like personal data, and anyone can read it without signing in, through joins of "tickets"
      name the roles that need it: "access": { "fields": { "street": { "read": [ … ] } } }
    models.json:30:9 "email" - lint personal-data-public: "email" of model "users" looks like personal data, and anyone can read it without signing in, through joins of "tickets"
      name the roles that need it: "access": { "fields": { "email": { "read": [ … ] } } }
    models.json:30:64 "staff" - lint role-nobody-has: nothing in this project assigns the role "staff" to an account; new accounts have "user"
      if npm run create-admin -- --role staff or SQL assigns it, say so in "lint_ignore"
  `);
});

test("unindexed-condition", async () => {
  const models = `{
    "teams": {
      "lint_ignore": { "write-wider-than-fetch": "Not what this is about." },
      "fields": {
        "name": { "type": "string" }, "owner_id": { "type": "integer" }, "lead_id": { "type": "integer", "unique": true },
        "boss_id": { "type": "belongs_to", "relationship": { "model": "users" } },
        "posts": { "type": "has_many", "relationship": { "model": "posts", "foreign_key": "team_id" } }
      },
      "access": {
        "fetch": [{ "role": "user", "condition": "owner_id = {user_id}" }],
        "update": [{ "role": "user", "condition": "name = {role}" }], "create": [{ "role": "user", "condition": "name = 'x'" }]
      }
    },
    "posts": {
      "indexes": [["state", "user_id"]],
      "fields": {
        "state": { "type": "string" }, "user_id": { "type": "integer" }, "title": { "type": "string" },
        "draft": { "type": "boolean" }, "at": { "type": "datetime" },
        "team_id": { "type": "belongs_to", "relationship": { "model": "teams" } }
      },
      "access": {
        "fetch": [
          { "role": "a", "condition": "state = 'new' AND user_id = {user_id}" },
          { "role": "b", "condition": "user_id = {user_id} AND draft = true" },
          { "role": "c", "condition": "state = 'new' OR title IN ('x', 'y')" },
          { "role": "d", "condition": "team.owner_id = {user_id}" }, { "role": "e", "condition": "team.lead_id = {user_id}" },
          { "role": "f", "condition": "{user_id} = id" }, { "role": "g", "condition": "team_id = 1" }
        ],
        "search": [
          { "role": "a", "condition": "draft = true" }, { "role": "b", "condition": "at <= now()" },
          { "role": "c", "condition": "now() < at" }, { "role": "d", "condition": "title <> 'x'" },
          { "role": "e", "condition": "NOT title = 'x' OR user_id = 7" }, { "role": "f", "condition": "title LIKE 'x%'" }
        ]
      }
    },
    "tasks": {
      "lint_ignore": { "write-wider-than-fetch": "Not what this is about." },
      "indexes": [["assignee_id", "done_at"]],
      "fields": {
        "project_id": { "type": "belongs_to", "relationship": { "model": "projects" } },
        "assignee_id": { "type": "integer" }, "reporter_id": { "type": "integer" }, "done_at": { "type": "datetime" }
      },
      "access": {
        "fetch": [
          { "role": "user", "condition": "EXISTS (project.members WHERE user_id = {user_id} AND role IN ('owner', 'reader'))" },
          { "role": "admin", "condition": "EXISTS (project.members WHERE role = 'owner') OR assignee_id = reporter_id" }
        ],
        "search": [
          { "role": "user", "condition": "EXISTS (project.guests WHERE user_id = {user_id}) AND {user.is_active} = true" },
          { "role": "admin", "condition": "created_at > now() - interval '15 minutes'" },
          { "role": "system", "condition": "EXISTS (project.team.posts WHERE this.reporter_id = user_id)" }
        ],
        "count": [
          { "role": "user", "condition": "project.team.lead_id = {user_id}" },
          { "role": "admin", "condition": "project.team.owner_id = {user_id}" },
          { "role": "system", "condition": "project.team.boss.email = {email} OR project.team.boss.role = 'user'" },
          { "role": "superadmin", "condition": "project.plan.owner_id = {user_id}" }
        ],
        "exists": [
          { "role": "user", "condition": "NOT EXISTS (project.blocks WHERE user_id = {user_id})" },
          { "role": "admin", "condition": "EXISTS (project.keys WHERE user_id = {user_id})" }
        ],
        "update": [
          {
            "role": "user",
            "condition": "EXISTS (project.members WHERE user_id = {user_id}) AND NOT EXISTS (project.bans WHERE EXISTS (this.project.bans WHERE by_id = {user.boss_id}))"
          },
          {
            "role": "admin",
            "condition": "EXISTS (project.guests WHERE user_id = {user_id}) AND EXISTS (project.plan WHERE owner_id = {user_id})"
          }
        ]
      }
    },
    "projects": {
      "internal": true,
      "fields": {
        "team_id": { "type": "belongs_to", "relationship": { "model": "teams" } },
        "members": { "type": "has_many", "relationship": { "model": "members", "foreign_key": "project_id" } },
        "guests": { "type": "has_many", "relationship": { "model": "guests", "foreign_key": "project_id" } },
        "blocks": { "type": "has_many", "relationship": { "model": "blocks", "foreign_key": "project_id" } },
        "bans": { "type": "has_many", "relationship": { "model": "bans", "foreign_key": "project_id" } },
        "keys": { "type": "has_many", "relationship": { "model": "keys", "foreign_key": "project_id" } },
        "plan": { "type": "has_one", "relationship": { "model": "plans", "foreign_key": "project_id" } }
      }
    },
    "members": {
      "internal": true,
      "fields": {
        "project_id": { "type": "belongs_to", "relationship": { "model": "projects" } },
        "user_id": { "type": "integer" }, "role": { "type": "string", "enum": ["owner", "reader"] }
      }
    },
    "guests": {
      "internal": true, "unique": [["project_id", "user_id"]],
      "fields": {
        "project_id": { "type": "belongs_to", "relationship": { "model": "projects" } },
        "user_id": { "type": "integer" }
      }
    },
    "blocks": {
      "internal": true, "indexes": [["created_at"]],
      "fields": {
        "project_id": { "type": "belongs_to", "relationship": { "model": "projects" } },
        "user_id": { "type": "integer" }
      }
    },
    "bans": {
      "internal": true,
      "fields": {
        "project_id": { "type": "belongs_to", "relationship": { "model": "projects" } },
        "by_id": { "type": "integer", "lint_ignore": { "unindexed-condition": "a few a year" } }
      }
    },
    "keys": {
      "internal": true,
      "fields": {
        "project_id": { "type": "belongs_to", "relationship": { "model": "projects" } },
        "user_id": { "type": "belongs_to", "relationship": { "model": "users" } }
      }
    },
    "plans": {
      "internal": true,
      "fields": {
        "project_id": { "type": "belongs_to", "unique": true, "relationship": { "model": "projects" } },
        "owner_id": { "type": "integer" }
      }
    },
    "users": { "fields": { "boss_id": { "type": "integer" } } },
    "boxes": {
      "fields": {
        "tags": { "type": "string[]" }, "owner_ids": { "type": "integer[]" }, "marks": { "type": "integer[]", "index": true },
        "notes": { "type": "string[]" }
      },
      "access": {
        "fetch": [
          { "role": "user", "condition": "owner_ids CONTAINS {user_id}" },
          { "role": "staff", "condition": "tags OVERLAPS ('a', 'b')" },
          { "role": "admin", "condition": "marks CONTAINS 1 AND notes CONTAINS 'a'" },
          { "role": "editor", "condition": "notes IS NULL" }, { "role": "author", "condition": "NOT notes CONTAINS 'a'" }
        ]
      }
    }
  }`;
  expect(await printed("unindexed-condition", models)).toMatchInlineSnapshot(`
    models.json:10:51 owner_id - lint unindexed-condition: no index of "teams" begins with "owner_id", so each fetch of "teams" scans the whole table
      add "index": true to the field "owner_id" of "teams"
    models.json:11:30 "user" - lint rows-of-others: anyone who registers can change rows of "teams" that satisfy the condition, including those of other users
      tie the rows to the caller with "owner_id = {user_id}" or EXISTS, or use roles that an administrator assigns
    models.json:11:92 "user" - lint rows-of-others: anyone who registers can create rows of "teams" that satisfy the condition in the name of others, with any "owner_id"
      let the server set it, with "preset": "{user_id}" in the field "owner_id", or tie the rows to the caller with "owner_id = {user_id}" or EXISTS, or use roles that an administrator assigns
    models.json:23:21 "a" - lint role-nobody-has: nothing in this project assigns the role "a" to an account; new accounts have "user"
      if npm run create-admin -- --role a or SQL assigns it, say so in "lint_ignore"
    models.json:24:21 "b" - lint role-nobody-has: nothing in this project assigns the role "b" to an account; new accounts have "user"
      if npm run create-admin -- --role b or SQL assigns it, say so in "lint_ignore"
    models.json:24:40 user_id - lint unindexed-condition: no index of "posts" begins with "user_id", so each fetch of "posts" scans the whole table
      add "index": true to the field "user_id" of "posts"
    models.json:25:21 "c" - lint role-nobody-has: nothing in this project assigns the role "c" to an account; new accounts have "user"
      if npm run create-admin -- --role c or SQL assigns it, say so in "lint_ignore"
    models.json:25:57 title - lint unindexed-condition: no index of "posts" begins with "title", so each fetch of "posts" scans the whole table
      add "index": true to the field "title" of "posts"
    models.json:26:21 "d" - lint role-nobody-has: nothing in this project assigns the role "d" to an account; new accounts have "user"
      if npm run create-admin -- --role d or SQL assigns it, say so in "lint_ignore"
    models.json:26:40 team.owner_id - lint unindexed-condition: no index of "teams" begins with "owner_id", so each fetch of "posts" scans the whole table
      add "index": true to the field "owner_id" of "teams"
    models.json:26:80 "e" - lint role-nobody-has: nothing in this project assigns the role "e" to an account; new accounts have "user"
      if npm run create-admin -- --role e or SQL assigns it, say so in "lint_ignore"
    models.json:27:21 "f" - lint role-nobody-has: nothing in this project assigns the role "f" to an account; new accounts have "user"
      if npm run create-admin -- --role f or SQL assigns it, say so in "lint_ignore"
    models.json:27:69 "g" - lint role-nobody-has: nothing in this project assigns the role "g" to an account; new accounts have "user"
      if npm run create-admin -- --role g or SQL assigns it, say so in "lint_ignore"
    models.json:31:48 at - lint unindexed-condition: no index of "posts" begins with "at", so each search of "posts" scans the whole table
      add "index": true to the field "at" of "posts"
    models.json:45:73 user_id - lint unindexed-condition: no index of "members" begins with "user_id", so each fetch of "tasks" scans the whole table
      add "index": true to the field "user_id" of "members"
    models.json:49:72 user_id - lint unindexed-condition: no index of "guests" begins with "user_id", so each search of "tasks" scans the whole table
      add "index": true to the field "user_id" of "guests"
    models.json:50:44 created_at - lint unindexed-condition: no index of "tasks" begins with "created_at", so each search of "tasks" scans the whole table
      add "indexes": [["assignee_id", "done_at"], ["created_at"]] to the model "tasks"
    models.json:51:97 user_id - lint unindexed-condition: no index of "posts" has "team_id" and "user_id", so for each row EXISTS reads all rows with the same "team_id"
      add "indexes": [["state", "user_id"], ["team_id", "user_id"]] to the model "posts"
    models.json:55:44 project.team.owner_id - lint unindexed-condition: no index of "teams" begins with "owner_id", so each count of "tasks" scans the whole table
      add "index": true to the field "owner_id" of "teams"
    models.json:56:82 project.team.boss.role - lint unindexed-condition: no index of "users" begins with "role", so each count of "tasks" scans the whole table
      add "indexes": [["role"]] to the model "users"
    models.json:60:76 user_id - lint unindexed-condition: no index of "blocks" begins with "user_id", so each exists of "tasks" scans all of "blocks"
      add "index": true to the field "user_id" of "blocks"
    models.json:137:43 owner_ids - lint unindexed-condition: no index of "boxes" begins with "owner_ids", so each fetch of "boxes" scans the whole table
      add "index": true to the field "owner_ids" of "boxes"
    models.json:138:21 "staff" - lint role-nobody-has: nothing in this project assigns the role "staff" to an account; new accounts have "user"
      if npm run create-admin -- --role staff or SQL assigns it, say so in "lint_ignore"
    models.json:138:44 tags - lint unindexed-condition: no index of "boxes" begins with "tags", so each fetch of "boxes" scans the whole table
      add "index": true to the field "tags" of "boxes"
    models.json:140:21 "editor" - lint role-nobody-has: nothing in this project assigns the role "editor" to an account; new accounts have "user"
      if npm run create-admin -- --role editor or SQL assigns it, say so in "lint_ignore"
    models.json:140:73 "author" - lint role-nobody-has: nothing in this project assigns the role "author" to an account; new accounts have "user"
      if npm run create-admin -- --role author or SQL assigns it, say so in "lint_ignore"
  `);
});

test("unindexed-search", async () => {
  const models = `{
    "books": {
      "indexes": [["title", "isbn"]],
      "fields": {
        "title": { "type": "string", "searchable": true }, "isbn": { "type": "string", "searchable": true },
        "code": { "type": "string", "searchable": true, "unique": true }, "blurb": { "type": "text", "searchable": true }
      },
      "access": { "fetch": [{ "role": "admin" }], "search": [{ "role": "admin" }] }
    },
    "notes": { "fields": { "text": { "type": "text", "searchable": true } }, "access": { "fetch": [{ "role": "admin" }] } }
  }`;
  expect(await printed("unindexed-search", models)).toMatchInlineSnapshot(`
    models.json:5:88 "searchable" - lint unindexed-search: each search of "books" reads every row, because "isbn" has no index
      "index": true only helps with order and filters on the whole value; for substrings in a large table, create a trigram index (docs/lint.md)
    models.json:6:102 "searchable" - lint unindexed-search: each search of "books" reads every row, because "blurb" has no index
      "index": true only helps with order and filters on the whole value; for substrings in a large table, create a trigram index (docs/lint.md)
  `);
});

test("cookie-any-origin", async () => {
  const files = {
    models: `{ "books": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "admin" }] } } }`,
    manifest: `{
      "name": "golden", "auth": { "cookie_name": "session" },
      "cors": { "origins": ["https://www.example.com", "*"], "allow_origin_regex": "https?://.*" }
    }`,
  };
  expect(await printed("cookie-any-origin", files)).toMatchInlineSnapshot(`
    manifest.json:3:56 "*" - lint cookie-any-origin: with "*" browsers send no cookie: "auth.cookie_name" does not work for pages of other origins, and any page can read the data of guests
      list the origins of your own pages in "cors.origins"
    manifest.json:3:84 "https?://.*" - lint cookie-any-origin: the expression matches every origin: any page can send requests with the user's cookie and read the answers
      list the origins of your own pages in "cors.origins"
  `);
});

test("weak-password-hash", async () => {
  const files = {
    models: `{ "books": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "admin" }] } } }`,
    manifest: `{ "name": "golden", "auth": { "bcrypt_cost": 6 } }`,
  };
  expect(await printed("weak-password-hash", files)).toMatchInlineSnapshot(`
    manifest.json:1:46 6 - lint weak-password-hash: with a bcrypt cost of 6, an attacker with the hashes can test passwords 64 times as fast as with the default
      use 10 or more; the default is 12
  `);
});

test("trust-any-proxy", async () => {
  const files = {
    models: `{ "books": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "admin" }] } } }`,
    manifest: `{ "name": "golden", "rate_limit": { "trusted_proxy_ips": ["10.0.0.0/8", "0.0.0.0/0", "::/0"] } }`,
  };
  expect(await printed("trust-any-proxy", files)).toMatchInlineSnapshot(`
    manifest.json:1:73 "0.0.0.0/0" - lint trust-any-proxy: "0.0.0.0/0" trusts every address: any caller can send a false address in a header and avoid the rate limits
      name the addresses of your own proxies
    manifest.json:1:86 "::/0" - lint trust-any-proxy: "::/0" trusts every address: any caller can send a false address in a header and avoid the rate limits
      name the addresses of your own proxies
  `);
});

test("rate-limits-off", async () => {
  const files = {
    models: `{ "books": {
      "rate_limit": { "max_requests": 10, "window_seconds": 60 }, "fields": { "title": { "type": "string" } },
      "access": { "fetch": [{ "role": "*" }] }
    } }`,
    manifest: `{ "name": "fixture", "rate_limit": { "enabled": false } }`,
  };
  expect(await printed("rate-limits-off", files)).toMatchInlineSnapshot(`
    manifest.json:1:49 false - lint rate-limits-off: rate limits are off: anyone can guess passwords and codes, and trigger mails, as fast as the server answers
      remove the key; to exempt one model, give it "rate_limit": { "enabled": false }
  `);
});

test("storage-scope", async () => {
  const files = {
    models: `{ "books": {
      "rate_limit": { "max_requests": 10, "window_seconds": 60 }, "fields": { "title": { "type": "string" } },
      "access": { "fetch": [{ "role": "*" }] }
    } }`,
    manifest: `{ "name": "fixture", "modules": ["storage"], "storage": { "slug": "files" } }`,
  };
  expect(await printed("storage-scope", files)).toMatchInlineSnapshot(`
    manifest.json:1:34 "storage" - lint storage-scope: "storage.scope" is not set, so it is "shared": every signed-in user can read, replace and delete every file
      write "scope": "user" for private folders (users/<user id>/), or "shared" if that is intended
  `);
});

test("account-deletion-refused", async () => {
  const files = {
    models: `{
      "orders": {
        "fields": {
          "user_id": { "type": "belongs_to", "relationship": { "model": "users", "on_delete": "cascade" } },
          "seller_id": { "type": "belongs_to", "relationship": { "model": "users", "on_delete": "set_null" } }
        },
        "access": { "fetch": [{ "role": "admin" }] }
      },
      "invoices": {
        "fields": {
          "user_id": { "type": "belongs_to", "relationship": { "model": "users", "on_delete": "restrict" } },
          "order_id": { "type": "belongs_to", "relationship": { "model": "orders", "on_delete": "restrict" } }
        },
        "access": { "fetch": [{ "role": "admin" }] }
      }
    }`,
    manifest: `{ "name": "fixture", "auth": { "self_service": ["delete"] } }`,
  };
  expect(await printed("account-deletion-refused", files)).toMatchInlineSnapshot(`
    models.json:11:11 "user_id" - lint account-deletion-refused: users cannot delete an account while "user_id" of model "invoices" refers to it: the answer is 409 ACCOUNT_IN_USE
      write "on_delete": "cascade" or "set_null", or explain in lint_ignore why such accounts must stay
    models.json:12:11 "order_id" - lint account-deletion-refused: users cannot delete an account while "order_id" of model "invoices" refers to its orders: the answer is 409 ACCOUNT_IN_USE
      write "on_delete": "cascade" or "set_null", or explain in lint_ignore why such accounts must stay
  `);
  const kept = { ...files, manifest: `{ "name": "fixture", "auth": { "self_service": ["profile"] } }` };
  await expect(printed("account-deletion-refused", kept)).rejects.toThrow();
});
