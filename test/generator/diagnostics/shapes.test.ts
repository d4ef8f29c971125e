import { expect, test } from "vitest";
import { printed } from "./printed.ts";

test("missing-file", async () => {
  expect(await printed("missing-file", {})).toMatchInlineSnapshot(`
    models.json:1:1 - error missing-file: the file does not exist
      name another one with --models
  `);
});

test("invalid-json", async () => {
  const models = `
    {
      "books": {
        "fields": { "title": { "type": "string" }, },
        // who may read
        "access": {}
      }
    }
  `;
  expect(await printed("invalid-json", models)).toMatchInlineSnapshot(`
    models.json:3:46 , - error invalid-json: a trailing comma
      remove it
  `);
});

test("byte-order-mark", async () => {
  const files = {
    models: `{ "books": {
      "fields": { "title": { "type": "string" } },
      "access": { "fetch": [{ "role": "user" }], "create": [{ "role": "user" }] }
    } }`,
    "hooks/books.ts": `\uFEFFexport const before_create = () => undefined;`,
  };
  expect(await printed("byte-order-mark", files)).toMatchInlineSnapshot(`
    hooks/books.ts:1:1 - error byte-order-mark: the file begins with a byte order mark
      save it as UTF-8 without one
  `);
});

test("json-too-deep", async () => {
  const models = `{ "books": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]] }`;
  expect(await printed("json-too-deep", models)).toMatchInlineSnapshot(
    `models.json:1:43 [ - error json-too-deep: more than 32 levels of nesting`,
  );
});

test("not-an-object", async () => {
  const models = `[]`;
  expect(await printed("not-an-object", models)).toMatchInlineSnapshot(
    `models.json:1:1 [] - error not-an-object: the models must be an object, keyed by model`,
  );
});

test("duplicate-key", async () => {
  const models = `{ "books": {
    "fields": { "title": { "type": "string" }, "title": { "type": "text" } }, "access": { "fetch": [{ "role": "*" }] }
  } }`;
  expect(await printed("duplicate-key", models)).toMatchInlineSnapshot(
    `models.json:2:48 "title" - error duplicate-key: the key "title" appears twice in this object`,
  );
});

test("duplicate-model", async () => {
  const files = {
    models: `{ "books": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } } }`,
    "shop.models.json": `{ "books": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } } }`,
  };
  expect(await printed("duplicate-model", files)).toMatchInlineSnapshot(
    `shop.models.json:1:3 "books" - error duplicate-model: model "books" is in models.json as well`,
  );
});

test("unknown-key", async () => {
  const files = {
    models: `{ "books": {
      "fields": { "title": { "type": "string", "requierd": true }, "isbn": { "type": "string", "colour": "red" } },
      "access": { "fetch": [{ "role": "*" }] }, "soft_delet": true
    } }`,
    manifest: `{ "name": "golden", "servr": {}, "cors": { "orgins": ["*"] } }`,
  };
  expect(await printed("unknown-key", files)).toMatchInlineSnapshot(`
    manifest.json:1:21 "servr" - error unknown-key: the manifest has the unknown key "servr"
      did you mean "server"?
    manifest.json:1:44 "orgins" - error unknown-key: "cors" of the manifest has the unknown key "orgins"
      did you mean "origins"?
    models.json:2:48 "requierd" - error unknown-key: field "title" of model "books" has the unknown key "requierd"
      did you mean "required"?
    models.json:2:96 "colour" - error unknown-key: field "isbn" of model "books" has the unknown key "colour"
      known here: type, description, required, nullable, default, preset, enum, searchable, unique, index, max_length, min_length, minimum, maximum, precision, scale, min_items, max_items, unique_items, pattern, foreign_key, relationship, renamed_from, column, db_type, generated, out_of_range, lint_ignore
    models.json:3:49 "soft_delet" - error unknown-key: model "books" has the unknown key "soft_delet"
      did you mean "soft_delete"?
  `);
});

test("missing-key", async () => {
  const models = `{
    "books": { "access": { "fetch": [{ "role": "*" }] } },
    "authors": {
      "fields": { "name": { "type": "string" }, "books": { "type": "has_many", "relationship": { "foreign_key": "author_id" } } },
      "access": { "fetch": [{ "role": "*" }] }
    },
    "orders": { "access": { "fetch": [{ "condition": "id = 1" }] }, "fields": { "title": { "type": "string" } } }
  }`;
  expect(await printed("missing-key", models)).toMatchInlineSnapshot(`
    models.json:2:5 "books" - error missing-key: model "books" lacks the key "fields"
      add "fields": { … }
    models.json:4:80 "relationship" - error missing-key: "relationship" of field "books" of model "authors" lacks the key "model"
    models.json:7:17 "access" - warning unreachable-model: no role may run any operation of model "orders"
      add rules to "access", or "internal": true if that is intended
    models.json:7:39 { "condition": "id = 1" } - error missing-key: an item of the access to "fetch" of model "orders" lacks the key "role"
  `);
});

test("wrong-type", async () => {
  const files = {
    models: `{ "books": {
      "max_limit": 1.5, "fields": { "title": { "type": "string", "required": "yes" } },
      "access": {
        "fetch": [{ "role": "*" }], "count": [{ "role": 5 }, { "role": ["editor", 5] }, { "role": { "admin": true } }]
      },
      "id_type": 5
    } }`,
    manifest: `{ "name": "golden", "server": { "bulk_limit": "1000" } }`,
  };
  expect(await printed("wrong-type", files)).toMatchInlineSnapshot(`
    manifest.json:1:47 "1000" - error wrong-type: "server.bulk_limit" of the manifest must be an integer, not a string
    models.json:2:20 1.5 - error wrong-type: "max_limit" of model "books" must be an integer, not 1.5
    models.json:2:78 "yes" - error wrong-type: "required" of field "title" of model "books" must be a boolean, not a string
    models.json:4:57 5 - error wrong-type: "role" of the access to "count" of model "books" must be a string or an array, not a number
    models.json:4:83 5 - error wrong-type: an item of "role" of the access to "count" of model "books" must be a string, not a number
    models.json:4:99 { "admin": true } - error wrong-type: "role" of the access to "count" of model "books" must be a string or an array, not an object
    models.json:6:18 5 - error wrong-type: "id_type" of model "books" must be a string, not a number
  `);
});

test("invalid-value", async () => {
  const files = {
    models: `{ "books": {
      "id_type": "guid", "max_limit": 0,
      "checks": [
        { "name": "Title", "condition": "title IS NOT NULL", "message": "It needs a title." },
        { "name": "titled", "condition": "title IS NOT NULL", "message": "" }
      ],
      "fields": { "title": { "type": "string" } },
      "access": {
        "fetch": [{ "role": "*" }], "search": [{ "role": [] }, { "role": ["editor", "staff", "editor"] }],
        "count": [{ "role": ["editor", ""] }]
      },
      "unique": [["title", "title"]]
    } }`,
    manifest: `{
      "name": "a\\nb", "modules": ["storag"], "auth_prefix": "auth/",
      "cors": { "origins": ["https://A.example:443", "https://*.example.org"] },
      "auth": { "social": { "google-oauth2": { "clientId": "x" } }, "refresh_cookie_name": "__Host-r", "passkeys": { "rp_id": "intranet" } },
      "rate_limit": { "trusted_proxy_ips": ["10.0.0.0/8", "fd00::/8", "10.0.0.0/33", "proxy", "::1"] }
    }`,
  };
  expect(await printed("invalid-value", files)).toMatchInlineSnapshot(`
    manifest.json:2:15 "a\\nb" - error invalid-value: "name" of the manifest has control characters or half of a surrogate pair
    manifest.json:2:35 "storag" - error invalid-value: an item of "modules" of the manifest is "storag"
      did you mean "storage"?
    manifest.json:2:61 "auth/" - error invalid-value: "auth_prefix" of the manifest must match ^(/[A-Za-z0-9][A-Za-z0-9._~-]*)+$
      such as "/auth"
    manifest.json:3:54 "https://*.example.org" - error invalid-value: "https://*.example.org" in "cors.origins" of the manifest is not an origin that browsers send
      write an origin such as "https://www.example.com", or "*" for all; "cors.allow_origin_regex" takes patterns
    manifest.json:4:29 "google-oauth2" - warning undeclared-provider: "auth.social" has settings of "google-oauth2", which is not declared: they have no effect
      add it to "auth.social_providers", or remove them
    manifest.json:4:48 "clientId" - error invalid-value: "clientId" is not a name of a setting: lowercase letters, digits and underscores
    manifest.json:4:92 "__Host-r" - error invalid-value: "auth.refresh_cookie_name" of the manifest must not begin with __Host-: browsers refuse such a cookie, because its path is not /
    manifest.json:4:116 { "rp_id": "intranet" } - error invalid-value: "auth.passkeys.rp_id" of the manifest is "intranet", which has no dot: passkeys need a whole domain
    manifest.json:5:71 "10.0.0.0/33" - error invalid-value: "10.0.0.0/33" in "rate_limit.trusted_proxy_ips" of the manifest is not an address
      write an address or a range, such as "10.0.0.1", "10.0.0.0/8" or "fd00::/8"
    manifest.json:5:86 "proxy" - error invalid-value: "proxy" in "rate_limit.trusted_proxy_ips" of the manifest is not an address
      write an address or a range, such as "10.0.0.1", "10.0.0.0/8" or "fd00::/8"
    models.json:2:18 "guid" - error invalid-value: "id_type" of model "books" is "guid"
      did you mean "uuid"?
    models.json:2:39 0 - error invalid-value: "max_limit" of model "books" must be at least 1
    models.json:4:19 "Title" - error invalid-value: "name" of "checks" of model "books" must match ^[a-z][a-z0-9_]{0,40}$
      such as "ends_after_start"
    models.json:5:74 "" - error invalid-value: "message" of "checks" of model "books" must not be empty
    models.json:9:58 [] - error invalid-value: "role" of the access to "search" of model "books" must not be empty
    models.json:9:75 "editor" - error invalid-value: "editor" appears twice in "role" of the access to "search" of model "books"
    models.json:10:40 "" - error invalid-value: an item of "role" of the access to "count" of model "books" must not be empty
    models.json:12:19 "title" - error invalid-value: "title" appears twice in an item of "unique" of model "books"
  `);
});

test("unknown-field-type", async () => {
  const models = `{ "posts": {
    "fields": { "title": { "type": "string" }, "body": { "type": "txt" } }, "access": { "fetch": [{ "role": "*" }] }
  } }`;
  expect(await printed("unknown-field-type", models)).toMatchInlineSnapshot(`
    models.json:2:66 "txt" - error unknown-field-type: field "body" of model "posts" has type "txt"
      did you mean "text"?
  `);
});

test("conflicting-keys", async () => {
  const models = `{
    "books": {
      "table": "books", "table_name": "book", "fields": { "title": { "type": "string" } },
      "access": { "fetch": [{ "role": "*" }] }, "schema": { "title": { "type": "string" } }
    },
    "authors": {
      "fields": { "book_id": { "type": "belongs_to", "foreign_key": false, "relationship": { "model": "books" } } },
      "access": { "fetch": [{ "role": "*" }] }
    }
  }`;
  expect(await printed("conflicting-keys", models)).toMatchInlineSnapshot(`
    models.json:3:25 "table_name" - error conflicting-keys: model "books" has both "table" and "table_name"
      keep one of them
    models.json:3:47 "fields" - error conflicting-keys: model "books" has both "schema" and "fields"
      keep one of them
    models.json:7:69 false - error conflicting-keys: field "book_id" of model "authors" is a belongs_to, which is always a foreign key
      remove this key
  `);
});

test("unknown-provider", async () => {
  const files = {
    models: `{ "books": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } } }`,
    manifest: `{
      "name": "golden",
      "auth": {
        "social_providers": ["githup", "facebook-app", "github", "keycloak", "auth0"],
        "social": {
          "github": { "client_id": "x", "tenant_id": "y" },
          "keycloak": { "client_id": "x", "access_token_url": "http://idp.example.com/token" },
          "auth0": { "client_id": 5, "domain": "a/b" }
        }
      }
    }`,
  };
  expect(await printed("unknown-provider", files)).toMatchInlineSnapshot(`
    manifest.json:4:30 "githup" - error unknown-provider: "githup" is not a sign-in provider
      did you mean "github"?
    manifest.json:4:40 "facebook-app" - error unknown-provider: "facebook-app" cannot be used for sign-in
      its callback has no state, so an attacker could sign another user in
    manifest.json:6:41 "tenant_id" - error unknown-key: "github" has no setting "tenant_id"
      it reads client_id, redirect_uri, title, scope, ignore_default_scope, auth_extra_arguments, authorization_url, access_token_url, pkce, userinfo_url, email_url
    manifest.json:7:11 "keycloak" - error missing-key: "keycloak" needs the setting "authorization_url"
      set auth.social.keycloak.authorization_url
    manifest.json:7:11 "keycloak" - error missing-key: "keycloak" needs the setting "public_key"
      set auth.social.keycloak.public_key
    manifest.json:7:43 "access_token_url" - error invalid-value: "access_token_url" of "keycloak" must be an https address (http only for loopback addresses)
    manifest.json:8:22 "client_id" - error invalid-value: "client_id" of "auth0" must be a text
    manifest.json:8:35 5 - error wrong-type: "auth.social.auth0.client_id" of the manifest must be a string, not a number
    manifest.json:8:38 "domain" - error invalid-value: "domain" of "auth0" must be a part of a URL: letters, digits, dots and hyphens
  `);
});

test("undeclared-provider", async () => {
  const files = {
    models: `{ "books": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } } }`,
    manifest: `{ "name": "golden", "auth": { "social": { "github": { "client_id": "x" } } } }`,
  };
  expect(await printed("undeclared-provider", files)).toMatchInlineSnapshot(`
    manifest.json:1:43 "github" - warning undeclared-provider: "auth.social" has settings of "github", which is not declared: they have no effect
      add it to "auth.social_providers", or remove them
  `);
});

test("secret-in-manifest", async () => {
  const files = {
    models: `{ "books": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } } }`,
    manifest: `{
      "name": "golden",
      "auth": {
        "social_providers": ["google-oauth2", "github", "oidc:acme"],
        "social": {
          "google-oauth2": { "client_id": "x", "client_secret": "y" }, "github": { "client_id": "x", "api_key": "y" },
          "oidc:acme": { "client_id": "x", "oidc_endpoint": "https://id.acme.example", "secret": "y" }
        }
      }
    }`,
  };
  expect(await printed("secret-in-manifest", files)).toMatchInlineSnapshot(`
    manifest.json:6:48 "client_secret" - error secret-in-manifest: "client_secret" of "google-oauth2" is a secret
      set the environment variable SOCIAL_AUTH_GOOGLE_OAUTH2_SECRET
    manifest.json:6:102 "api_key" - error secret-in-manifest: "api_key" of "github" is a secret
      remove it: "github" reads only SOCIAL_AUTH_GITHUB_SECRET
    manifest.json:7:88 "secret" - error secret-in-manifest: "secret" of "oidc:acme" is a secret
      set the environment variable SOCIAL_AUTH_OIDC_ACME_SECRET
  `);
});
