import { expect, test } from "vitest";
import { printed } from "./printed.ts";

test("invalid-error-code", async () => {
  const files = {
    models: `{ "books": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "user" }] } } }`,
    "errors.json": `{
      "$schema": "../../../../schemas/errors.schema.json",
      "slotTaken": { "status": 409, "description": "Another user has this slot." },
      "OK": { "status": 400, "description": "It is not." },
      "2_LATE": { "status": 410, "description": "The slot has passed." },
      "TOO_LATE": { "status": 410, "description": "The slot has passed." }
    }`,
  };
  expect(await printed("invalid-error-code", files)).toMatchInlineSnapshot(`
    errors.json:3:7 "slotTaken" - error invalid-error-code: "slotTaken" is not a valid error code
      did you mean "SLOT_TAKEN"?
    errors.json:4:7 "OK" - error invalid-error-code: "OK" is not a valid error code
      use 3 to 63 capital letters, digits and underscores, starting with a letter
    errors.json:5:7 "2_LATE" - error invalid-error-code: "2_LATE" is not a valid error code
      use 3 to 63 capital letters, digits and underscores, starting with a letter
  `);
});

test("reserved-error-code", async () => {
  const files = {
    models: `{ "books": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "user" }] } } }`,
    "errors.json": `{ "NOT_FOUND": { "status": 404, "description": "There is no such slot." } }`,
  };
  expect(await printed("reserved-error-code", files)).toMatchInlineSnapshot(`
    errors.json:1:3 "NOT_FOUND" - error reserved-error-code: "NOT_FOUND" is a built-in error with status 404
      throw the built-in error, or choose another code
  `);
});

test("mixed-rate-limit", async () => {
  const files = {
    models: `{
      "books": {
        "rate_limit": { "max_requests": 10, "window_seconds": 60, "create": { "max_requests": 1, "window_seconds": 60 } },
        "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] }
      },
      "authors": {
        "rate_limit": { "enabled": true, "default": { "max_requests": 10, "window_seconds": 60 } },
        "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] }
      },
      "readers": {
        "rate_limit": { "fetch": { "enabled": false }, "per": "user" }, "fields": { "title": { "type": "string" } },
        "access": { "fetch": [{ "role": "*" }] }
      },
      "shelves": {
        "rate_limit": { "enabled": false, "fetch": { "enabled": false } }, "fields": { "title": { "type": "string" } },
        "access": { "fetch": [{ "role": "*" }] }
      }
    }`,
    manifest: `{ "name": "fixture", "storage": { "rate_limit": { "per": "user", "upload": { "max_requests": 10, "window_seconds": 60 } } } }`,
  };
  expect(await printed("mixed-rate-limit", files)).toMatchInlineSnapshot(`
    manifest.json:1:51 "per" - error mixed-rate-limit: the rate limit of storage mixes "per" with entries of operations
      move it into "default", or into the entry of an operation
    models.json:3:25 "max_requests" - error mixed-rate-limit: the rate limit of model "books" mixes "max_requests" with entries of operations
      move it into "default", or into the entry of an operation
    models.json:3:45 "window_seconds" - error mixed-rate-limit: the rate limit of model "books" mixes "window_seconds" with entries of operations
      move it into "default", or into the entry of an operation
    models.json:7:25 "enabled" - error mixed-rate-limit: the rate limit of model "authors" mixes "enabled" with entries of operations
      move it into "default", or into the entry of an operation
    models.json:11:56 "per" - error mixed-rate-limit: the rate limit of model "readers" mixes "per" with entries of operations
      move it into "default", or into the entry of an operation
    models.json:15:25 "enabled" - error mixed-rate-limit: the rate limit of model "shelves" mixes "enabled" with entries of operations
      move it into "default", or into the entry of an operation
  `);
});

test("incomplete-rate-limit", async () => {
  const files = {
    models: `{
      "books": {
        "rate_limit": { "per": "user", "window_seconds": 60 }, "fields": { "title": { "type": "string" } },
        "access": { "fetch": [{ "role": "*" }] }
      },
      "readers": {
        "rate_limit": { "max_requests": 10, "enabled": true }, "fields": { "title": { "type": "string" } },
        "access": { "fetch": [{ "role": "*" }] }
      },
      "shelves": {
        "rate_limit": { "per": "model" }, "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] }
      },
      "authors": {
        "rate_limit": {
          "default": { "enabled": false }, "create": { "max_requests": 1 }, "update": {}, "upsert": { "enabled": true },
          "delete": { "window_seconds": 1 }
        },
        "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] }
      },
      "empty": { "rate_limit": {}, "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } },
      "enabled": {
        "rate_limit": { "enabled": true }, "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] }
      },
      "disabled": {
        "rate_limit": { "enabled": false, "per": "user" }, "fields": { "title": { "type": "string" } },
        "access": { "fetch": [{ "role": "*" }] }
      },
      "off": {
        "rate_limit": { "fetch": { "enabled": false, "window_seconds": 60 } }, "fields": { "title": { "type": "string" } },
        "access": { "fetch": [{ "role": "*" }] }
      }
    }`,
    manifest: `{ "name": "fixture", "storage": { "rate_limit": { "upload": { "max_requests": 10 }, "default": { "enabled": false } } } }`,
  };
  expect(await printed("incomplete-rate-limit", files)).toMatchInlineSnapshot(`
    manifest.json:1:61 { "max_requests": 10 } - error incomplete-rate-limit: "upload" in the rate limit of storage lacks "window_seconds"
    models.json:3:23 { "per": "user", "window_seconds": 60 } - error incomplete-rate-limit: the rate limit of model "books" lacks "max_requests"
    models.json:7:23 { "max_requests": 10, "enabled": true } - error incomplete-rate-limit: the rate limit of model "readers" lacks "window_seconds"
    models.json:11:23 { "per": "model" } - error incomplete-rate-limit: the rate limit of model "shelves" lacks "max_requests" and "window_seconds"
    models.json:15:54 { "max_requests": 1 } - error incomplete-rate-limit: "create" in the rate limit of model "authors" lacks "window_seconds"
    models.json:15:87 {} - error incomplete-rate-limit: "update" in the rate limit of model "authors" lacks "max_requests" and "window_seconds"
    models.json:15:101 { "enabled": true } - error incomplete-rate-limit: "upsert" in the rate limit of model "authors" lacks "max_requests" and "window_seconds"
    models.json:16:21 { "window_seconds": 1 } - error incomplete-rate-limit: "delete" in the rate limit of model "authors" lacks "max_requests"
  `);
});

test("rate-limit-without-effect", async () => {
  const files = {
    models: `{
      "books": {
        "rate_limit": {
          "restore": { "max_requests": 10, "window_seconds": 60 }, "fetch": { "max_requests": 10, "window_seconds": 60 }
        },
        "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] }
      },
      "audit_log": {
        "internal": true, "rate_limit": { "max_requests": 10, "window_seconds": 60 }, "fields": { "title": { "type": "string" } },
        "access": {}
      },
      "authors": {
        "rate_limit": {
          "fetch": { "max_requests": 10, "window_seconds": 60 }, "search": { "max_requests": 10, "window_seconds": 60 },
          "count": { "max_requests": 10, "window_seconds": 60 }, "exists": { "max_requests": 10, "window_seconds": 60 },
          "create": { "max_requests": 10, "window_seconds": 60 }, "update": { "max_requests": 10, "window_seconds": 60 },
          "upsert": { "max_requests": 10, "window_seconds": 60 }, "delete": { "max_requests": 10, "window_seconds": 60 },
          "destroy": { "max_requests": 10, "window_seconds": 60 }, "default": { "enabled": false }
        },
        "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] }
      },
      "shelves": {
        "soft_delete": true,
        "rate_limit": {
          "fetch": { "max_requests": 10, "window_seconds": 60 }, "search": { "max_requests": 10, "window_seconds": 60 },
          "count": { "max_requests": 10, "window_seconds": 60 }, "exists": { "max_requests": 10, "window_seconds": 60 },
          "create": { "max_requests": 10, "window_seconds": 60 }, "update": { "max_requests": 10, "window_seconds": 60 },
          "upsert": { "max_requests": 10, "window_seconds": 60 }, "delete": { "max_requests": 10, "window_seconds": 60 },
          "destroy": { "max_requests": 10, "window_seconds": 60 }, "default": { "max_requests": 10, "window_seconds": 60 }
        },
        "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] }
      }
    }`,
    manifest: `{
      "name": "fixture",
      "storage": { "rate_limit": {
        "upload": { "max_requests": 10, "window_seconds": 60 }, "delete": { "enabled": false },
        "url": { "enabled": false }, "list": { "enabled": false }, "move": { "enabled": false },
        "default": { "max_requests": 10, "window_seconds": 60 }
      } }
    }`,
  };
  expect(await printed("rate-limit-without-effect", files)).toMatchInlineSnapshot(`
    manifest.json:6:9 "default" - warning rate-limit-without-effect: "default" in the rate limit of storage has no effect: each operation has its own entry
      remove it
    models.json:4:11 "restore" - warning rate-limit-without-effect: "restore" in the rate limit of model "books" has no effect: without soft delete the model has no restore
      remove it, or add "soft_delete": true
    models.json:9:27 "rate_limit" - warning rate-limit-without-effect: the rate limit of model "audit_log" has no effect: an internal model has no routes
      remove it
    models.json:18:68 "default" - warning rate-limit-without-effect: "default" in the rate limit of model "authors" has no effect: each operation has its own entry
      remove it
  `);
});
