import { expect, test } from "vitest";
import { printed } from "./printed.ts";

test("orphan-hook", async () => {
  const files = {
    models: `{
      "books": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } },
      "drafts": { "internal": true, "fields": { "title": { "type": "string" }, "pages": { "type": "integer" } } }
    }`,
    "hooks/auth.ts": `export {};`,
    "hooks/boks.ts": `export {};`,
    "hooks/books.js": `export {};`,
    "hooks/drafts.ts": `export {};`,
    "hooks/graphql.ts": `export {};`,
    "hooks/sub/books.ts": `export {};`,
    "hooks/users.ts": `export const after_login = () => {};`,
  };
  expect(await printed("orphan-hook", files)).toMatchInlineSnapshot(`
    hooks/boks.ts:1:1 - warning orphan-hook: there is no model "boks" for this hook file
      did you mean "books"?
    hooks/books.js:1:1 - warning orphan-hook: this file is not read: hook files end in .ts
    hooks/sub/books.ts:1:1 - warning orphan-hook: this file is not read: hook files must be directly in the folder
      put files that hooks share next to the folder, not in it
    hooks/users.ts:1:1 - warning orphan-hook: accounts have no model routes
      put their hooks into hooks/auth.ts
  `);
});

test("upsert-bypasses-hooks", async () => {
  const files = {
    models: `{
      "open": {
        "fields": { "name": { "type": "string", "unique": true } },
        "access": { "create": [{ "role": "signed_in" }], "update": [{ "role": "user" }] }
      },
      "entry": { "fields": { "name": { "type": "string", "unique": true } }, "access": { "upsert": [{ "role": "admin" }] } },
      "filled": {
        "fields": { "name": { "type": "string", "required": true, "unique": true } },
        "access": { "upsert": [{ "role": "admin" }] }
      },
      "closed": {
        "fields": { "name": { "type": "string", "unique": true } },
        "access": { "create": [{ "role": "admin" }], "update": [{ "role": "admin" }], "upsert": [] }
      },
      "halves": {
        "fields": { "name": { "type": "string", "unique": true } },
        "access": { "create": [{ "role": "guest" }], "update": [{ "role": "signed_in" }] }
      },
      "seen_to": {
        "fields": { "name": { "type": "string", "unique": true } },
        "access": { "create": [{ "role": "*" }], "update": [{ "role": "*" }] }
      },
      "reading": {
        "fields": { "name": { "type": "string", "unique": true } },
        "access": { "create": [{ "role": "*" }], "update": [{ "role": "*" }] }
      },
      "silenced": {
        "lint_ignore": { "upsert-bypasses-hooks": "the hook greets only new rows" },
        "fields": { "name": { "type": "string", "unique": true } },
        "access": { "create": [{ "role": "*" }], "update": [{ "role": "*" }] }
      }
    }`,
    "hooks/closed.ts": `export const before_create = () => {};`,
    "hooks/entry.ts": `
      const checked = () => {};
      // export const before_upsert = checked;
      export { checked as after_update, checked as before_update };
    `,
    "hooks/filled.ts": `
      export const fills = { before_create: ["name"] } as const;
      export const before_create = () => {};
    `,
    "hooks/halves.ts": `export const before_create = () => {};`,
    "hooks/open.ts": `export const before_create = () => {};`,
    "hooks/reading.ts": `export const after_fetch = () => {};`,
    "hooks/seen_to.ts": `
      export const before_create = () => {};
      export const before_upsert = before_create;
    `,
    "hooks/silenced.ts": `export const before_create = () => {};`,
  };
  expect(await printed("upsert-bypasses-hooks", files)).toMatchInlineSnapshot(`
    models.json:4:9 "access" - warning upsert-bypasses-hooks: upsert of model "open" is open and does not run before_create, so callers can bypass these hooks
      export const before_upsert = before_create; in hooks/open.ts, or close upsert with "upsert": []
    models.json:6:90 "upsert" - warning upsert-bypasses-hooks: upsert of model "entry" is open and does not run before_update or after_update, so callers can bypass these hooks
      export a before_upsert in hooks/entry.ts, or close upsert with "upsert": []
    models.json:9:21 "upsert" - warning upsert-bypasses-hooks: upsert of model "filled" is open and does not run before_create, so callers can bypass these hooks
      export const before_upsert = before_create; in hooks/filled.ts and add it to "fills", or close upsert with "upsert": []
  `);
});

test("unreadable-fills", async () => {
  const files = {
    models: `{
      "books": { "fields": { "slug": { "type": "string", "required": true } }, "access": { "create": [{ "role": "admin" }] } },
      "pages": { "fields": { "slug": { "type": "string", "required": true } }, "access": { "create": [{ "role": "admin" }] } }
    }`,
    "hooks/books.ts": `
      const fields = ["slug"];
      export const fills = { before_create: fields };
      export const before_create = () => {};
    `,
    "hooks/pages.ts": `
      /* No constant of the very words: TypeScript would see texts of any kind. */
      export const fills = { before_create: ["slug"] };
      export const before_create = () => {};
    `,
  };
  expect(await printed("unreadable-fills", files)).toMatchInlineSnapshot(`
    hooks/books.ts:2:14 fills - error unreadable-fills: "fills" cannot be read: it must be a literal with "as const" in this file
      write it out: export const fills = { before_create: ["slug"] } as const;
    hooks/pages.ts:2:14 fills - error unreadable-fills: "fills" cannot be read: it must be a literal with "as const" in this file
      write it out: export const fills = { before_create: ["slug"] } as const;
  `);
});

test("invalid-fills", async () => {
  const files = {
    models: `{
      "books": {
        "fields": {
          "title": { "type": "string", "required": true }, "slug": { "type": "string", "required": true },
          "note": { "type": "string" }, "status": { "type": "string", "required": true, "default": "new" },
          "owner_id": { "type": "belongs_to", "required": true, "preset": "{user_id}", "relationship": { "model": "users" } },
          "pages": { "type": "has_many", "relationship": { "model": "pages", "foreign_key": "book_id" } }
        },
        "access": { "create": [{ "role": "admin" }] }
      },
      "pages": {
        "fields": { "book_id": { "type": "belongs_to", "required": true, "relationship": { "model": "books" } } },
        "access": { "create": [{ "role": "admin" }] }
      }
    }`,
    "hooks/books.ts": `
      // What it has no effect on.
      export const fills = {
        before_create: ["slgu", "slug", "language", "note", "status", "owner_id", "pages", "created_at"],
        before_upsrt: ["slug"],
        before_update: ["slug"],
      } as const;
      export const before_create = () => {};
      export const before_update = () => {};
    `,
  };
  expect(await printed("invalid-fills", files)).toMatchInlineSnapshot(`
    hooks/books.ts:3:19 "slgu" - error invalid-fills: "slgu" in the list before_create of model "books" has no effect: the model has no such field
      did you mean "slug"?
    hooks/books.ts:3:35 "language" - error invalid-fills: "language" in the list before_create of model "books" has no effect: the model has no such field
    hooks/books.ts:3:47 "note" - error invalid-fills: "note" in the list before_create of model "books" has no effect: it is not required
      remove it: new records can omit this field anyway
    hooks/books.ts:3:55 "status" - error invalid-fills: "status" in the list before_create of model "books" has no effect: it has a default
      remove it: new records can omit this field anyway
    hooks/books.ts:3:65 "owner_id" - error invalid-fills: "owner_id" in the list before_create of model "books" has no effect: it has a preset
      remove it: new records can omit this field anyway
    hooks/books.ts:3:77 "pages" - error invalid-fills: "pages" in the list before_create of model "books" has no effect: it is a relation without a column
      remove it: new records can omit this field anyway
    hooks/books.ts:3:86 "created_at" - error invalid-fills: "created_at" in the list before_create of model "books" has no effect: the server sets it
      remove it
    hooks/books.ts:4:3 before_upsrt - error invalid-fills: "fills" of model "books" names "before_upsrt", which does not run for new records
      did you mean "before_upsert"?
    hooks/books.ts:5:3 before_update - error invalid-fills: "fills" of model "books" names "before_update", which does not run for new records
      the hooks of new records are before_create and before_upsert
  `);
});

test("unknown-hook", async () => {
  const files = {
    models: `{
      "books": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } },
      "pages": { "fields": { "slug": { "type": "string", "required": true } }, "access": { "create": [{ "role": "admin" }] } },
      "shelves": { "fields": { "slug": { "type": "string", "required": true } }, "access": { "create": [{ "role": "admin" }] } }
    }`,
    "hooks/auth.ts": `
      const welcome = () => {};
      export { welcome as after_logn };
      export const fills = {};
    `,
    "hooks/books.ts": `
      export const before_craete = () => {};
      export const after_fetch = () => {};
      export const before_count = () => {};
      export function after_login() {}
      export const shelves = ["a", "b"];
    `,
    "hooks/graphql.ts": `export const before_graphqll = () => {};`,
    "hooks/pages.ts": `
      export const fills = { before_create: ["slug"], before_upsert: [] } as const;
      export const before_create = () => {};
    `,
    "hooks/shelves.ts": `
      const named = { before_create: ["slug"] } as const;
      export { named as fills };
      export const before_create = () => {};
    `,
  };
  expect(await printed("unknown-hook", files, "compile")).toMatchInlineSnapshot(`
    models/hooks/books.ts:1:14 before_craete - error unknown-hook: "before_craete" is not a hook of model "books"
      did you mean "before_create"?
    models/hooks/books.ts:3:14 before_count - error unknown-hook: "before_count" is not a hook of model "books"
      count and exists have no hooks
    models/hooks/books.ts:4:17 after_login - error unknown-hook: "after_login" is not a hook of model "books"
      the hooks of accounts are in hooks/auth.ts
    models/hooks/books.ts:5:14 shelves - error unknown-hook: "shelves" is not a hook of model "books"
      a hook file exports only hooks; put code that hook files share into a file next to the folder
    models/hooks/auth.ts:2:21 after_logn - error unknown-hook: "after_logn" is not a hook of the accounts
      did you mean "after_login"?
    models/hooks/auth.ts:3:14 fills - error unknown-hook: "fills" is not a hook of the accounts
      only hook files of models can export it
    models/hooks/graphql.ts:1:14 before_graphqll - error unknown-hook: "before_graphqll" is not a hook of GraphQL
      did you mean "before_graphql"?
    models/hooks/pages.ts:1:49 before_upsert - error invalid-fills: "fills" names "before_upsert", which the file does not export
      export the hook, or remove its entry from "fills"
    models/hooks/shelves.ts:2:19 fills - error unreadable-fills: "fills" cannot be read: it must be a literal with "as const" in this file
      write it out: export const fills = { before_create: ["slug"] } as const;
  `);
});

test("import-by-path", async () => {
  const files = {
    models: `{ "books": {
      "fields": { "title": { "type": "string" } },
      "access": { "fetch": [{ "role": "user" }], "create": [{ "role": "user" }] }
    } }`,
    "hooks/books.ts": `
      // import { ServiceError } from "../../runtime/core/errors/index.ts";
      import { ServiceError } from "../../runtime/core/errors/index.ts";
      import { refuse } from "../refuse.ts";
      export const before_create = () => {
        if (refuse) throw new ServiceError("NOT_FOUND");
      };
    `,
    "refuse.ts": `
      import type { ListInput } from "../runtime/data/operations/index.ts";
      export const refuse: ListInput | boolean = true;
    `,
  };
  expect(await printed("import-by-path", files, "compile")).toMatchInlineSnapshot(`
    models/hooks/books.ts:2:31 ../../runtime/core/errors/index.ts - error import-by-path: Kirak is imported by its path "../../runtime/core/errors/index.ts", which loads a second copy of it
      write: from "kirak"
    models/refuse.ts:1:33 ../runtime/data/operations/index.ts - error import-by-path: Kirak is imported by its path "../runtime/data/operations/index.ts", which loads a second copy of it
      write: from one of "kirak", "kirak/access", "kirak/hooks", "kirak/kysely", "kirak/migrations", "kirak/model", "kirak/rate-limit", "kirak/rest", "kirak/start", "kirak/testing", "kirak/users"
  `);
});

test("hook-does-not-compile", async () => {
  const files = {
    models: `{
      "books": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } },
      "loans": {
        "fields": { "due_on": { "type": "date" }, "title": { "type": "string", "required": true } },
        "access": { "fetch": [{ "role": "*" }], "create": [{ "role": "*" }] }
      }
    }`,
    "hooks/books.ts": `export const before_fetch = (title: string) => title;`,
    "hooks/loans.ts": `
      import { ServiceError } from "kirak";
      import type { LoansHooks } from "../../generated/models/loans/model.ts";
      export const before_fetch = () => {
        throw new ServiceError("OVERDUE");
      };
      export const before_create: LoansHooks["before_create"] = (loan) => ({
        ...loan,
        title: loan.title.trim(),
      });
      const given = { first: "1", second: 2, third: 3, fourth: 4, fifth: 5, sixth: 6, seventh: 7, eighth: 8 };
      const wanted: { first: number; second: number; third: number; fourth: number; fifth: number } = given;
      export const after_fetch = (rows: readonly object[]) => [...rows, wanted].slice(0, -1);
    `,
  };
  expect(await printed("hook-does-not-compile", files, "compile")).toMatchInlineSnapshot(`
    models/hooks/books.ts:1:14 before_fetch - error hook-does-not-compile: Types of property 'before_fetch' are incompatible.
        Type '(title: string) => string' is not assignable to type 'Hook<ListQuery<BooksTypes>, CodeContext>'.
          Types of parameters 'title' and 'value' are incompatible.
            Type 'ListQuery<BooksTypes>' is not assignable to type 'string'. (TS2345)
      the types of hooks are in generated/models/<key>/model.ts; \`npm run typecheck\` shows the same errors
    models/hooks/loans.ts:4:26 "OVERDUE" - error hook-does-not-compile: Argument of type '"OVERDUE"' is not assignable to parameter of type 'ErrorCode'. (TS2345)
      declare custom errors in errors.json next to the models; \`npm run typecheck\` shows the same errors
    models/hooks/loans.ts:8:10 loan.title - error hook-does-not-compile: 'loan.title' is possibly 'undefined'. (TS18048)
      list the required fields that the hook fills in: export const fills = { before_create: [] } as const; \`npm run typecheck\` shows the same errors
    models/hooks/loans.ts:11:7 wanted - error hook-does-not-compile: Type 'string' is not assignable to type 'number'. (TS2322)
        Type '{ first: string; second: number; third: number; fourth: number; fifth: number; s…' is not assignable to type '{ first: number; second: number; third: number; fourth: number; fifth: number; }'.
          Types of property 'first' are incompatible.
      the types of hooks are in generated/models/<key>/model.ts; \`npm run typecheck\` shows the same errors
  `);
});

test("read-only-model", async () => {
  const files = {
    "models.json": `{ "totals": {
      "view": true, "columns": { "id": null }, "fields": { "day": { "type": "date" } }, "access": { "$all": [{ "role": "a" }] }
    } }`,
    "hooks/totals.ts": `export const before_fetch = () => {};\nexport const before_create = () => {};`,
  };
  expect(await printed("read-only-model", files)).toMatchInlineSnapshot(`
    hooks/totals.ts:1:1 e - error read-only-model: model "totals" can only be read, so before_create of its hook file would never run
      remove the hooks of writes
  `);
});
