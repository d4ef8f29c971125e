import { expect, test } from "vitest";
import { printed } from "./printed.ts";

test("unknown-key", async () => {
  const files = {
    models: `
      {
        "books": {
          "fields": { "title": { "type": "string", "requierd": true }, "isbn": { "type": "string", "colour": "red" } },
          "access": { "fetch": [{ "role": "*" }] }, "soft_delet": true
        }
      }
    `,
    manifest: `{ "name": "golden", "servr": {}, "cors": { "orgins": ["*"] } }`,
  };
  expect(await printed("unknown-key", files)).toMatchInlineSnapshot(`
    manifest.json:1:21 - error unknown-key: the manifest has the unknown key "servr"
    > 1 | { "name": "golden", "servr": {}, "cors": { "orgins": ["*"] } }
        |                     ^^^^^^^
      did you mean "server"?
    manifest.json:1:44 - error unknown-key: "cors" of the manifest has the unknown key "orgins"
    > 1 | { "name": "golden", "servr": {}, "cors": { "orgins": ["*"] } }
        |                                            ^^^^^^^^
      did you mean "origins"?
    models.json:3:46 - error unknown-key: field "title" of model "books" has the unknown key "requierd"
    > 3 |     "fields": { "title": { "type": "string", "requierd": true }, "isbn": { "type": "string", "colour": "red" } },
        |                                              ^^^^^^^^^^
      did you mean "required"?
    models.json:3:94 - error unknown-key: field "isbn" of model "books" has the unknown key "colour"
    > 3 |     "fields": { "title": { "type": "string", "requierd": true }, "isbn": { "type": "string", "colour": "red" } },
        |                                                                                              ^^^^^^^^
      known here: type, description, required, nullable, default, preset, enum, searchable, unique, index, max_length, min_length, minimum, maximum, precision, scale, min_items, max_items, unique_items, pattern, foreign_key, relationship, renamed_from, lint_ignore
    models.json:4:47 - error unknown-key: model "books" has the unknown key "soft_delet"
    > 4 |     "access": { "fetch": [{ "role": "*" }] }, "soft_delet": true
        |                                               ^^^^^^^^^^^^
      did you mean "soft_delete"?
  `);
});

test("missing-key", async () => {
  const models = `
    {
      "books": { "access": { "fetch": [{ "role": "*" }] } },
      "authors": {
        "fields": { "name": { "type": "string" }, "books": { "type": "has_many", "relationship": { "foreign_key": "author_id" } } },
        "access": { "fetch": [{ "role": "*" }] }
      },
      "orders": { "access": { "fetch": [{ "condition": "id = 1" }] }, "fields": { "title": { "type": "string" } } }
    }
  `;
  expect(await printed("missing-key", models)).toMatchInlineSnapshot(`
    models.json:2:3 - error missing-key: model "books" lacks the key "fields"
    > 2 |   "books": { "access": { "fetch": [{ "role": "*" }] } },
        |   ^^^^^^^
      add "fields": { … }
    models.json:4:78 - error missing-key: "relationship" of field "books" of model "authors" lacks the key "model"
    > 4 |     "fields": { "name": { "type": "string" }, "books": { "type": "has_many", "relationship": { "foreign_key": "author_id
        |                                                                              ^^^^^^^^^^^^^^
    models.json:7:15 - warning unreachable-model: no role may run any operation of model "orders"
    > 7 |   "orders": { "access": { "fetch": [{ "condition": "id = 1" }] }, "fields": { "title": { "type": "string" } } }
        |               ^^^^^^^^
      add rules to "access", or "internal": true if that is meant
    models.json:7:37 - error missing-key: an item of the access to "fetch" of model "orders" lacks the key "role"
    > 7 |   "orders": { "access": { "fetch": [{ "condition": "id = 1" }] }, "fields": { "title": { "type": "string" } } }
        |                                     ^^^^^^^^^^^^^^^^^^^^^^^^^
  `);
});

test("wrong-type", async () => {
  const files = {
    models: `
      {
        "books": {
          "max_limit": 1.5, "fields": { "title": { "type": "string", "required": "yes" } },
          "access": {
            "fetch": [{ "role": "*" }],
            "count": [{ "role": 5 }, { "role": ["editor", 5] }, { "role": { "admin": true } }]
          },
          "id_type": 5
        }
      }
    `,
    manifest: `{ "name": "golden", "server": { "bulk_limit": "1000" } }`,
  };
  expect(await printed("wrong-type", files)).toMatchInlineSnapshot(`
    manifest.json:1:47 - error wrong-type: "server.bulk_limit" of the manifest must be an integer, not a string
    > 1 | { "name": "golden", "server": { "bulk_limit": "1000" } }
        |                                               ^^^^^^
    models.json:3:18 - error wrong-type: "max_limit" of model "books" must be an integer, not 1.5
    > 3 |     "max_limit": 1.5, "fields": { "title": { "type": "string", "required": "yes" } },
        |                  ^^^
    models.json:3:76 - error wrong-type: "required" of field "title" of model "books" must be a boolean, not a string
    > 3 |     "max_limit": 1.5, "fields": { "title": { "type": "string", "required": "yes" } },
        |                                                                            ^^^^^
    models.json:6:27 - error wrong-type: "role" of the access to "count" of model "books" must be a string or an array, not a number
    > 6 |       "count": [{ "role": 5 }, { "role": ["editor", 5] }, { "role": { "admin": true } }]
        |                           ^
    models.json:6:53 - error wrong-type: an item of "role" of the access to "count" of model "books" must be a string, not a number
    > 6 |       "count": [{ "role": 5 }, { "role": ["editor", 5] }, { "role": { "admin": true } }]
        |                                                     ^
    models.json:6:69 - error wrong-type: "role" of the access to "count" of model "books" must be a string or an array, not an object
    > 6 |       "count": [{ "role": 5 }, { "role": ["editor", 5] }, { "role": { "admin": true } }]
        |                                                                     ^^^^^^^^^^^^^^^^^
    models.json:8:16 - error wrong-type: "id_type" of model "books" must be a string, not a number
    > 8 |     "id_type": 5
        |                ^
  `);
});

test("invalid-value", async () => {
  const files = {
    models: `
      {
        "books": {
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
        }
      }
    `,
    manifest: `
      {
        "name": "a\\nb", "modules": ["storag"], "auth_prefix": "auth/",
        "cors": { "origins": ["https://A.example:443", "https://*.example.org"] },
        "auth": { "social": { "google-oauth2": { "clientId": "x" } } },
        "rate_limit": { "trusted_proxy_ips": ["10.0.0.0/8", "fd00::/8", "10.0.0.0/33", "proxy", "::1"] }
      }
    `,
  };
  expect(await printed("invalid-value", files)).toMatchInlineSnapshot(`
    manifest.json:2:11 - error invalid-value: "name" of the manifest has control characters or half of a surrogate pair
    > 2 |   "name": "a\\nb", "modules": ["storag"], "auth_prefix": "auth/",
        |           ^^^^^^
    manifest.json:2:31 - error invalid-value: an item of "modules" of the manifest is "storag"
    > 2 |   "name": "a\\nb", "modules": ["storag"], "auth_prefix": "auth/",
        |                               ^^^^^^^^
      did you mean "storage"?
    manifest.json:2:57 - error invalid-value: "auth_prefix" of the manifest must match ^(/[A-Za-z0-9][A-Za-z0-9._~-]*)+$
    > 2 |   "name": "a\\nb", "modules": ["storag"], "auth_prefix": "auth/",
        |                                                         ^^^^^^^
      such as "/auth"
    manifest.json:3:50 - error invalid-value: no browser sends "https://*.example.org", in "cors.origins" of the manifest, as an origin
    > 3 |   "cors": { "origins": ["https://A.example:443", "https://*.example.org"] },
        |                                                  ^^^^^^^^^^^^^^^^^^^^^^^
      such as "https://www.example.com", or "*" for all; "cors.allow_origin_regex" takes patterns
    manifest.json:4:25 - warning undeclared-provider: "auth.social" has settings of "google-oauth2", which is not declared: they have no effect
    > 4 |   "auth": { "social": { "google-oauth2": { "clientId": "x" } } },
        |                         ^^^^^^^^^^^^^^^
      add it to "auth.social_providers", or remove them
    manifest.json:4:44 - error invalid-value: "clientId" is no name of a setting: lowercase letters, digits and underscores
    > 4 |   "auth": { "social": { "google-oauth2": { "clientId": "x" } } },
        |                                            ^^^^^^^^^^
    manifest.json:5:67 - error invalid-value: "10.0.0.0/33" in "rate_limit.trusted_proxy_ips" of the manifest is no address
    > 5 |   "rate_limit": { "trusted_proxy_ips": ["10.0.0.0/8", "fd00::/8", "10.0.0.0/33", "proxy", "::1"] }
        |                                                                   ^^^^^^^^^^^^^
      such as "10.0.0.1", "10.0.0.0/8" or "fd00::/8"
    manifest.json:5:82 - error invalid-value: "proxy" in "rate_limit.trusted_proxy_ips" of the manifest is no address
    > 5 |   "rate_limit": { "trusted_proxy_ips": ["10.0.0.0/8", "fd00::/8", "10.0.0.0/33", "proxy", "::1"] }
        |                                                                                  ^^^^^^^
      such as "10.0.0.1", "10.0.0.0/8" or "fd00::/8"
    models.json:3:16 - error invalid-value: "id_type" of model "books" is "guid"
    > 3 |     "id_type": "guid", "max_limit": 0,
        |                ^^^^^^
      did you mean "uuid"?
    models.json:3:37 - error invalid-value: "max_limit" of model "books" must be at least 1
    > 3 |     "id_type": "guid", "max_limit": 0,
        |                                     ^
    models.json:5:17 - error invalid-value: "name" of "checks" of model "books" must match ^[a-z][a-z0-9_]{0,40}$
    > 5 |       { "name": "Title", "condition": "title IS NOT NULL", "message": "It needs a title." },
        |                 ^^^^^^^
      such as "ends_after_start"
    models.json:6:72 - error invalid-value: "message" of "checks" of model "books" must not be empty
    > 6 |       { "name": "titled", "condition": "title IS NOT NULL", "message": "" }
        |                                                                        ^^
    models.json:10:56 - error invalid-value: "role" of the access to "search" of model "books" must not be empty
    > 10 |       "fetch": [{ "role": "*" }], "search": [{ "role": [] }, { "role": ["editor", "staff", "editor"] }],
         |                                                        ^^
    models.json:10:73 - error invalid-value: "editor" stands twice in "role" of the access to "search" of model "books"
    > 10 |       "fetch": [{ "role": "*" }], "search": [{ "role": [] }, { "role": ["editor", "staff", "editor"] }],
         |                                                                         ^^^^^^^^
    models.json:11:38 - error invalid-value: an item of "role" of the access to "count" of model "books" must not be empty
    > 11 |       "count": [{ "role": ["editor", ""] }]
         |                                      ^^
    models.json:13:17 - error invalid-value: "title" stands twice in an item of "unique" of model "books"
    > 13 |     "unique": [["title", "title"]]
         |                 ^^^^^^^
  `);
});

test("unknown-field-type", async () => {
  const models = `
    {
      "posts": { "fields": { "title": { "type": "string" }, "body": { "type": "txt" } }, "access": { "fetch": [{ "role": "*" }] } }
    }
  `;
  expect(await printed("unknown-field-type", models)).toMatchInlineSnapshot(`
    models.json:2:75 - error unknown-field-type: field "body" of model "posts" has type "txt"
    > 2 |   "posts": { "fields": { "title": { "type": "string" }, "body": { "type": "txt" } }, "access": { "fetch": [{ "role": "*"
        |                                                                           ^^^^^
      did you mean "text"?
  `);
});

test("conflicting-keys", async () => {
  const models = `
    {
      "books": {
        "table": "books", "table_name": "book", "fields": { "title": { "type": "string" } },
        "access": { "fetch": [{ "role": "*" }] }, "schema": { "title": { "type": "string" } }
      },
      "authors": {
        "fields": { "book_id": { "type": "belongs_to", "foreign_key": false, "relationship": { "model": "books" } } },
        "access": { "fetch": [{ "role": "*" }] }
      }
    }
  `;
  expect(await printed("conflicting-keys", models)).toMatchInlineSnapshot(`
    models.json:3:23 - error conflicting-keys: model "books" has both "table" and "table_name"
    > 3 |     "table": "books", "table_name": "book", "fields": { "title": { "type": "string" } },
        |                       ^^^^^^^^^^^^
      keep one of them
    models.json:3:45 - error conflicting-keys: model "books" has both "schema" and "fields"
    > 3 |     "table": "books", "table_name": "book", "fields": { "title": { "type": "string" } },
        |                                             ^^^^^^^^
      keep one of them
    models.json:7:67 - error conflicting-keys: field "book_id" of model "authors" is a belongs_to, and so a foreign key
    > 7 |     "fields": { "book_id": { "type": "belongs_to", "foreign_key": false, "relationship": { "model": "books" } } },
        |                                                                   ^^^^^
      remove this key
  `);
});

test("unknown-provider", async () => {
  const files = {
    models: `{ "books": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } } }`,
    manifest: `
      {
        "name": "golden",
        "auth": {
          "social_providers": ["githup", "facebook-app", "github", "keycloak", "auth0"],
          "social": {
            "github": { "client_id": "x", "tenant_id": "y" },
            "keycloak": { "client_id": "x", "access_token_url": "http://idp.example.com/token" },
            "auth0": { "client_id": 5, "domain": "a/b" }
          }
        }
      }
    `,
  };
  expect(await printed("unknown-provider", files)).toMatchInlineSnapshot(`
    manifest.json:4:26 - error unknown-provider: "githup" is no provider of sign-in
    > 4 |     "social_providers": ["githup", "facebook-app", "github", "keycloak", "auth0"],
        |                          ^^^^^^^^
      did you mean "github"?
    manifest.json:4:36 - error unknown-provider: "facebook-app" cannot be used for sign-in
    > 4 |     "social_providers": ["githup", "facebook-app", "github", "keycloak", "auth0"],
        |                                    ^^^^^^^^^^^^^^
      its page cannot carry a state, so that anybody could be signed in as somebody else
    manifest.json:6:37 - error unknown-key: "github" has no setting "tenant_id"
    > 6 |       "github": { "client_id": "x", "tenant_id": "y" },
        |                                     ^^^^^^^^^^^
      it reads client_id, redirect_uri, title, scope, ignore_default_scope, auth_extra_arguments, authorization_url, access_token_url, pkce, userinfo_url, email_url
    manifest.json:7:7 - error missing-key: "keycloak" needs the setting "authorization_url"
    > 7 |       "keycloak": { "client_id": "x", "access_token_url": "http://idp.example.com/token" },
        |       ^^^^^^^^^^
      set auth.social.keycloak.authorization_url
    manifest.json:7:7 - error missing-key: "keycloak" needs the setting "public_key"
    > 7 |       "keycloak": { "client_id": "x", "access_token_url": "http://idp.example.com/token" },
        |       ^^^^^^^^^^
      set auth.social.keycloak.public_key
    manifest.json:7:39 - error invalid-value: "access_token_url" of "keycloak" must be an https address (http for loopback addresses alone)
    > 7 |       "keycloak": { "client_id": "x", "access_token_url": "http://idp.example.com/token" },
        |                                       ^^^^^^^^^^^^^^^^^^
    manifest.json:8:18 - error invalid-value: "client_id" of "auth0" must be a text
    > 8 |       "auth0": { "client_id": 5, "domain": "a/b" }
        |                  ^^^^^^^^^^^
    manifest.json:8:31 - error wrong-type: "auth.social.auth0.client_id" of the manifest must be a string, not a number
    > 8 |       "auth0": { "client_id": 5, "domain": "a/b" }
        |                               ^
    manifest.json:8:34 - error invalid-value: "domain" of "auth0" must be a part of an address: letters, digits, dots and hyphens
    > 8 |       "auth0": { "client_id": 5, "domain": "a/b" }
        |                                  ^^^^^^^^
  `);
});

test("undeclared-provider", async () => {
  const files = {
    models: `{ "books": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } } }`,
    manifest: `{ "name": "golden", "auth": { "social": { "github": { "client_id": "x" } } } }`,
  };
  expect(await printed("undeclared-provider", files)).toMatchInlineSnapshot(`
    manifest.json:1:43 - warning undeclared-provider: "auth.social" has settings of "github", which is not declared: they have no effect
    > 1 | { "name": "golden", "auth": { "social": { "github": { "client_id": "x" } } } }
        |                                           ^^^^^^^^
      add it to "auth.social_providers", or remove them
  `);
});

test("secret-in-manifest", async () => {
  const files = {
    models: `{ "books": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } } }`,
    manifest: `
      {
        "name": "golden",
        "auth": {
          "social_providers": ["google-oauth2", "github", "oidc:acme"],
          "social": {
            "google-oauth2": { "client_id": "x", "client_secret": "y" }, "github": { "client_id": "x", "api_key": "y" },
            "oidc:acme": { "client_id": "x", "oidc_endpoint": "https://id.acme.example", "secret": "y" }
          }
        }
      }
    `,
  };
  expect(await printed("secret-in-manifest", files)).toMatchInlineSnapshot(`
    manifest.json:6:44 - error secret-in-manifest: "client_secret" of "google-oauth2" is a secret
    > 6 |       "google-oauth2": { "client_id": "x", "client_secret": "y" }, "github": { "client_id": "x", "api_key": "y" },
        |                                            ^^^^^^^^^^^^^^^
      set the environment variable SOCIAL_AUTH_GOOGLE_OAUTH2_SECRET
    manifest.json:6:98 - error secret-in-manifest: "api_key" of "github" is a secret
    > 6 |       "google-oauth2": { "client_id": "x", "client_secret": "y" }, "github": { "client_id": "x", "api_key": "y" },
        |                                                                                                  ^^^^^^^^^
      remove it: "github" reads only SOCIAL_AUTH_GITHUB_SECRET
    manifest.json:7:84 - error secret-in-manifest: "secret" of "oidc:acme" is a secret
    > 7 |       "oidc:acme": { "client_id": "x", "oidc_endpoint": "https://id.acme.example", "secret": "y" }
        |                                                                                    ^^^^^^^^
      set the environment variable SOCIAL_AUTH_OIDC_ACME_SECRET
  `);
});
