import { expect, test } from "vitest";
import { printed } from "./printed.ts";

/** Models whose books have the access. */
const books = (access: string) => `{
    "books": {
      "fields": {
        "status": { "type": "string", "enum": ["draft", "published"] }, "pages": { "type": "integer" },
        "sold_out": { "type": "boolean" }, "notes": { "type": "json" },
        "author_id": { "type": "belongs_to", "relationship": { "model": "authors" } }
      },
      "access": ${access}
    },
    "authors": { "fields": { "name": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } }
  }`;

test("condition-syntax", async () => {
  const models = books(`{ "fetch": [
    { "role": "user", "condition": "status = 'published' AND" },
    { "role": "user", "condition": "status == 'draft'" }, { "role": "user", "condition": "sold_out" },
    { "role": "user", "condition": "(pages > 1" }, { "role": "user", "condition": "status = \\"draft\\"" },
    { "role": "user", "condition": "status = 'draft" }, { "role": "user", "condition": "author_id = {userid}" },
    { "role": "user", "condition": "pages IN ()" }, { "role": "user", "condition": "pages > 1 && pages < 9" }
  ] }`);
  expect(await printed("condition-syntax", models)).toMatchInlineSnapshot(`
    models.json:9:61 " - error condition-syntax: expected a field or a value, found the end of the condition
    models.json:10:44 == - error condition-syntax: unexpected ==
      write =
    models.json:10:99 " - error condition-syntax: expected an operator, found the end of the condition
      write a comparison, such as sold_out = true
    models.json:11:47 " - error condition-syntax: expected ), found the end of the condition
      a parenthesis is still open
    models.json:11:93 \\" - error condition-syntax: unexpected "
      write strings in single quotes, and field names without quotes
    models.json:12:46 'draft - error condition-syntax: the string has no closing quote
    models.json:12:101 {userid} - error condition-syntax: unknown placeholder {userid}
      the caller's value is {user_id}
    models.json:13:47 ) - error condition-syntax: expected a value, found )
      a list has one value or more
    models.json:13:95 && - error condition-syntax: unexpected &&
      write AND; to look for one of several values in a list, write OVERLAPS ('a', 'b')
  `);
});

test("condition-too-deep", async () => {
  const models = books(`{ "fetch": [{
    "role": "user",
    "condition": "((((((((((((((((((((((((((((((((((((((((pages > 1))))))))))))))))))))))))))))))))))))))))"
  }] }`);
  expect(await printed("condition-too-deep", models)).toMatchInlineSnapshot(
    `models.json:10:51 ( - error condition-too-deep: more than 32 levels of nesting`,
  );
});

test("condition-too-large", async () => {
  const models = books(`{ "fetch": [
    { "role": "user", "condition": "EXISTS (author)${" AND author.name = 'x'".repeat(16)}" },
    { "role": "user", "condition": "EXISTS (author)${" AND status = 'draft'".repeat(200)}" },
    { "role": "user", "condition": "author.name = 'x'${" AND author.name = 'x'".repeat(19)}" },
    { "role": "user", "condition": "status = 'draft'${" AND status = 'draft'".repeat(249)}" }
  ] }`);
  expect(await printed("condition-too-large", models)).toMatchInlineSnapshot(`
    models.json:9:387 author.name - error condition-too-large: the condition uses 17 relations, more than 16
      split the parts of OR into separate rules
    models.json:10:4037 raft' AND status = 'draft' AND status = 'draft' AND status = 'draft' AND status = 'draft' AND status = 'draft' AND status = 'draft' AND status = 'draft' AND status = 'draft' AND status = 'draft' AND status = 'draft' - error condition-too-large: the condition has 4215 characters, more than 4000
      split the parts of OR into separate rules
  `);
});

test("condition-field", async () => {
  const models = books(`{
    "fetch": [
      { "role": "user", "condition": "stauts = 'draft'" }, { "role": "user", "condition": "author.nmae = 'x'" },
      { "role": "user", "condition": "writer.name = 'x'" },
      { "role": "user", "condition": "author.books.id = 1" }, { "role": "user", "condition": "status = title" },
      { "role": "user", "condition": "1 = 1" }, { "role": "user", "condition": "author = 1" }
    ],
    "search": [{ "role": ["user", "editor"], "condition": "stauts = 'draft'" }]
  }`);
  expect(await printed("condition-field", models)).toMatchInlineSnapshot(`
    models.json:10:39 stauts - error condition-field: model "books" has no field "stauts"
      did you mean "status"?
    models.json:10:92 author.nmae - error condition-field: model "authors" has no field "nmae"
      did you mean "name"?
    models.json:11:39 writer.name - error condition-field: model "books" has no relation called "writer"
      the relations of "books" are author
    models.json:12:39 author.books.id - error condition-field: model "authors" has no relation called "books"
      declare it: "books": { "type": "has_many", "relationship": {"model":"books","foreign_key":"author_id"} } in the fields of "authors"
    models.json:12:104 title - error condition-field: model "books" has no field "title"
      write the string in quotes: 'title'
    models.json:13:39 1 - error condition-field: one side of a comparison must be a field; lists, ranges and patterns go on the right
    models.json:13:81 author - error condition-field: "author" is a relation
      write author_id, or author.<field>
    models.json:15:60 stauts - error condition-field: model "books" has no field "stauts"
      did you mean "status"?
  `);
});

test("condition-operator", async () => {
  const models = books(`{ "fetch": [
    { "role": "user", "condition": "sold_out > true" }, { "role": "user", "condition": "notes = 'x'" },
    { "role": "user", "condition": "pages LIKE '1%'" }
  ] }`);
  expect(await printed("condition-operator", models)).toMatchInlineSnapshot(`
    models.json:9:46 > - error condition-operator: "sold_out" has no order: it is true or false
    models.json:9:95 = - error condition-operator: "notes" is JSON, which only IS NULL and IS NOT NULL can test
    models.json:10:43 LIKE - error condition-operator: "pages" is not text, which LIKE needs
  `);
});

test("condition-value", async () => {
  const models = books(`{ "fetch": [
    { "role": "user", "condition": "status = 'pubished'" },
    { "role": "user", "condition": "pages = '12' AND\\tstatus = 'é' OR pages > 'x'" },
    { "role": "user", "condition": "sold_out = 1" }, { "role": "user", "condition": "pages > null" },
    { "role": "user", "condition": "pages = {email}" }, { "role": "user", "condition": "status LIKE 5" },
    { "role": "user", "condition": "pages < now()" },
    { "role": "user", "condition": "author.name LIKE '%${"abcd".repeat(64)}'" }
  ] }`);
  expect(await printed("condition-value", models)).toMatchInlineSnapshot(`
    models.json:9:46 'pubished' - error condition-value: the value "pubished" for "status" is not one of "draft", "published"
      did you mean "published"?
    models.json:10:45 '12' - error condition-value: the value "12" for "pages" is not an integer of 32 bits
      write 12
    models.json:10:64 'é' - error condition-value: the value "é" for "status" is not one of "draft", "published"
    models.json:10:79 'x' - error condition-value: the value "x" for "pages" is not an integer of 32 bits
    models.json:11:48 1 - error condition-value: the value 1 for "sold_out" is not true or false
      write true
    models.json:11:94 null - error condition-value: a comparison with null is never true
      write pages IS NULL
    models.json:12:45 {email} - error condition-value: {email} cannot be compared with "pages", which is an integer of 32 bits
    models.json:12:101 5 - error condition-value: LIKE needs a string
    models.json:13:45 now() - error condition-value: now() cannot be compared with "pages", which is an integer of 32 bits
    models.json:14:54 '%abcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcd' - error condition-value: the pattern has 257 characters, more than 256
  `);
});

test("condition-in-check", async () => {
  const models = `{
    "clinics": {
      "internal": true,
      "fields": {
        "name": { "type": "string" },
        "visits": { "type": "has_many", "relationship": { "model": "visits", "foreign_key": "clinic_id" } }
      },
      "checks": [
        { "name": "visited", "condition": "EXISTS (visits WHERE ends_at IS NULL)", "message": "…" },
        { "name": "no_list", "condition": "visits IS NULL", "message": "…" }
      ]
    },
    "visits": {
      "soft_delete": true,
      "fields": {
        "starts_at": { "type": "datetime" }, "ends_at": { "type": "datetime" }, "owner": { "type": "integer" },
        "pin": { "type": "password" }, "extra": { "type": "json" },
        "clinic_id": { "type": "belongs_to", "relationship": { "model": "clinics" } }
      },
      "checks": [
        { "name": "later", "condition": "starts_at > now() - interval '1 day' OR ends_at > now()", "message": "…" },
        { "name": "own", "condition": "owner = {user_id} AND owner IN (1, {user.id})", "message": "…" },
        { "name": "named", "condition": "clinic.name LIKE 'a%' OR clinic IS NULL", "message": "…" },
        { "name": "new", "condition": "created_at BETWEEN starts_at AND ends_at", "message": "…" },
        { "name": "whole", "condition": "NOT (id < 5 AND deleted_at IS NOT NULL)", "message": "…" },
        { "name": "locked", "condition": "pin = 'x' OR extra = 'y'", "message": "…" },
        { "name": "set", "condition": "pin IS NOT NULL OR extra IS NULL", "message": "…" },
        { "name": "mistyped", "condition": "starts_at < end_at", "message": "…" },
        { "name": "unfit", "condition": "owner = 'x'", "message": "…" },
        { "name": "cut", "condition": "owner >", "message": "…" }
      ],
      "access": { "fetch": [{ "role": "*" }], "update": [{ "role": "staff" }] }
    }
  }`;
  expect(await printed("condition-in-check", models)).toMatchInlineSnapshot(`
    models.json:9:52 visits - error condition-in-check: EXISTS looks for other rows, but a check sees only its own row
      put conditions on other rows into the rules of "access", or into a before-hook
    models.json:10:44 visits - error condition-in-check: "visits" is a relation, but a check sees only its own row
      put conditions on other rows into the rules of "access", or into a before-hook
    models.json:21:54 now() - interval '1 day' - error condition-in-check: now() - interval '1 day' changes, so a row that passes the check today can break it tomorrow
      compare with a field; a before-hook can compare with the time of the write
    models.json:21:92 now() - error condition-in-check: now() changes, so a row that passes the check today can break it tomorrow
      compare with a field; a before-hook can compare with the time of the write
    models.json:22:48 {user_id} - error condition-in-check: {user_id} depends on the caller, but a check is the same for every caller
      put conditions on the caller into the rules of "access"
    models.json:22:75 {user.id} - error condition-in-check: {user.id} depends on the caller, but a check is the same for every caller
      put conditions on the caller into the rules of "access"
    models.json:23:42 clinic.name - error condition-in-check: "clinic.name" is a field of another row, but a check sees only its own row
      put conditions on other rows into the rules of "access", or into a before-hook
    models.json:23:67 clinic - error condition-in-check: "clinic" is a relation, but a check sees only its own row
      write clinic_id
    models.json:24:40 created_at - error condition-in-check: "created_at" is set by the server, but a check can only use fields that requests write
      compare with a field of the model
    models.json:25:47 id - error condition-in-check: "id" is set by the server, but a check can only use fields that requests write
      compare with a field of the model
    models.json:25:58 deleted_at - error condition-in-check: "deleted_at" is set by the server, but a check can only use fields that requests write
      compare with a field of the model
    models.json:26:47 = - error condition-operator: "pin" is a password, which only IS NULL and IS NOT NULL can test
    models.json:26:62 = - error condition-operator: "extra" is JSON, which only IS NULL and IS NOT NULL can test
    models.json:28:57 end_at - error condition-field: model "visits" has no field "end_at"
      did you mean "ends_at"?
    models.json:29:50 'x' - error condition-value: the value "x" for "owner" is not an integer of 32 bits
    models.json:30:47 " - error condition-syntax: expected a field or a value, found the end of the condition
  `);
});

test("duplicate-check", async () => {
  const models = `{
    "visits": {
      "fields": { "first": { "type": "integer" }, "last": { "type": "integer" } },
      "checks": [
        { "name": "in_order", "condition": "first < last", "message": "The first comes first." },
        { "name": "in_order", "condition": "last < 10", "message": "There are ten." }
      ],
      "access": { "fetch": [{ "role": "*" }], "update": [{ "role": "staff" }] }
    },
    "tours": {
      "fields": { "first": { "type": "integer" } },
      "checks": [{ "name": "in_order", "condition": "first > 0", "message": "Another model's name is free." }],
      "access": { "fetch": [{ "role": "*" }], "update": [{ "role": "staff" }] }
    }
  }`;
  expect(await printed("duplicate-check", models)).toMatchInlineSnapshot(`
    models.json:6:19 "in_order" - error duplicate-check: model "visits" has two checks named "in_order"
      error answers identify a check by its name: rename one of them
  `);
});

test("unknown-check-field", async () => {
  const models = `{
    "visits": {
      "fields": {
        "first": { "type": "integer" }, "last": { "type": "integer" },
        "guests": { "type": "has_many", "relationship": { "model": "guests", "foreign_key": "visit_id" } }
      },
      "checks": [
        { "name": "one", "condition": "first < last", "message": "…", "field": "frist" },
        { "name": "two", "condition": "first < last", "message": "…", "field": "guests" },
        { "name": "three", "condition": "first < last", "message": "…", "field": "id" },
        { "name": "four", "condition": "first < last", "message": "…", "field": "last" }
      ],
      "access": { "fetch": [{ "role": "*" }], "update": [{ "role": "staff" }] }
    },
    "guests": { "internal": true, "fields": { "visit_id": { "type": "belongs_to", "relationship": { "model": "visits" } } } }
  }`;
  expect(await printed("unknown-check-field", models)).toMatchInlineSnapshot(`
    models.json:8:80 "frist" - error unknown-check-field: the check names "frist", which is not a field of model "visits"
      did you mean "first"?
    models.json:9:80 "guests" - error unknown-check-field: the check names "guests", which is not a field of model "visits"
    models.json:10:82 "id" - error unknown-check-field: the check names "id", which is not a field of model "visits"
  `);
});
