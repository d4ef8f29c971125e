import { expect, test } from "vitest";
import type { ServiceDefinition } from "#generator/definition/definition";
import { loadFiles } from "../load/load-text.ts";
import { noticed } from "./changes-between.ts";

type Files = Readonly<Record<string, unknown>>;

const models = { books: { fields: {}, access: { fetch: [{ role: "*" }] } } };

async function definitionOf(files: Files): Promise<ServiceDefinition> {
  const { definition, diagnostics } = await loadFiles({ "models.json": models, ...files });
  if (definition === null) throw new Error(JSON.stringify(diagnostics));
  return definition;
}

/** A route, with other properties than these. */
function route(parts: Readonly<Record<string, unknown>> = {}): Files {
  const { path = "/slots/:id", method = "POST", access = ["*"], answer = {}, ...others } = parts;
  const text = JSON.stringify({ method, path, access, answer, ...others }).replace(/\}$/, "");
  return {
    "routes/slots.ts": `import { defineRoute } from "kirak";\nexport default defineRoute(${text}, handler: () => null });\n`,
  };
}

const object = (properties: object, required: readonly string[] = []) => ({
  type: "object",
  properties,
  required,
});
const body = (seats: object, required: readonly string[] = []) =>
  route({ body: object({ seats }, required) });
const answer = (seats: object, required: readonly string[] = []) =>
  route({ answer: object({ seats }, required) });
const manifest = (parts: object): Files => ({ "manifest.json": { name: "x", ...parts } });
const sessions = (auth: object) => manifest({ auth });
const providers = (...names: readonly string[]) =>
  sessions({
    social_providers: names,
    social: Object.fromEntries(names.map((name) => [name, { client_id: "1" }])),
  });
const noCookie =
  "books.fetch, books.count, books.exists, POST /graphql, POST /auth/logout, GET /auth/me, and 35 more take no cookie sid any more (callers who send one)";
const errors = (codes: Readonly<Record<string, number>>) => ({
  ...route(),
  "errors.json": Object.fromEntries(
    Object.entries(codes).map(([code, status]) => [code, { status, description: "No." }]),
  ),
});

const integer = { type: "integer" };
const map = (values: unknown) => ({ type: "object", additionalProperties: values });
/** A schema that refers to itself in six places. */
function tree(others: object): Files {
  const nodes = ["b", "c", "d", "e", "f", "g"].map((name) => [
    name,
    { anyOf: [{ $ref: "#/$defs/a" }, { type: "null" }] },
  ]);
  return route({
    body: { $defs: { a: object({ ...Object.fromEntries(nodes), ...others }) }, $ref: "#/$defs/a" },
  });
}
const text = { type: "string" };
/** A schema that holds itself, with a property. */
const itself = (keyword: "allOf" | "anyOf", property: object) =>
  route({
    body: {
      $defs: { a: { ...object({ seats: property }), [keyword]: [{ $ref: "#/$defs/a" }] } },
      $ref: "#/$defs/a",
    },
  });
const slots = "POST /slots/:id";
const seats = "POST /slots/:id body.seats";
const data = "POST /slots/:id answer.data.seats";
const bound = "anyone who sends a value outside this bound";
const id = (name: string) =>
  `POST /slots/:${name} has the operationId postSlotsBy${name[0]?.toUpperCase()}${name.slice(1)}; before: postSlotsById (anyone who uses a generated client)`;

// biome-ignore format: one case a line
test.each<[string, Files, Files, string[]]>([
  // Routes
  ["the same", route(), route(), []],
  ["a route that comes", {}, route(), []],
  ["a route that goes", route(), {}, [`${slots} is gone (its callers get 404 or 405)`]],
  ["another method", route({ name: "bookSlot" }), route({ name: "bookSlot", method: "PUT" }),
    [`${slots} is PUT /slots/:id now (callers of the old path get 404 or 405)`]],
  ["another path", route({ name: "bookSlot" }), route({ name: "bookSlot", path: "/places/:id/book" }),
    [`${slots} is POST /places/:id/book now (callers of the old path get 404 or 405)`]],
  ["another operationId", route({ name: "bookSlot" }), route({ name: "take" }),
    [`${slots} has the operationId take; before: bookSlot (anyone who uses a generated client)`]],
  ["another name of a parameter in the path", route(), route({ path: "/slots/:slot" }), [
    id("slot"),
    "POST /slots/:slot parameter id is not accepted any more (anyone who sends it)",
    "POST /slots/:slot parameter slot is new and required (anyone who omits it)",
  ]],
  ["another description and limit", route(), route({ description: "Books it.", limit: { max_requests: 1, window_seconds: 60 } }), []],
  // Parameters
  ["a parameter that goes", route({ query: object({ seats: text }) }), route({ query: object({}) }),
    [`${slots} parameter seats is not accepted any more (anyone who sends it)`]],
  ["a parameter that comes", route({ query: object({}) }), route({ query: object({ seats: text }) }), []],
  ["a required parameter", route({ query: object({}) }), route({ query: object({ seats: text }, ["seats"]) }),
    [`${slots} parameter seats is new and required (anyone who omits it)`]],
  ["a parameter that is required now", route({ query: object({ seats: text }) }), route({ query: object({ seats: text }, ["seats"]) }),
    [`${slots} parameter seats is required now (anyone who omits it)`]],
  ["a narrower parameter", route({ query: object({ seats: text }) }), route({ query: object({ seats: { ...text, maxLength: 3 } }) }),
    [`${slots} parameter seats has at most 3 characters (${bound})`]],
  // Bodies
  ["a body that comes", route(), body(integer), [`${slots} body is new and required (anyone who omits it)`]],
  ["a body that goes", body(integer), route(), [`${slots} body is not accepted any more (anyone who sends it)`]],
  ["a body of bytes", body(integer), route({ raw: true }), [`${slots} body is of type string (binary); before: object (anyone who sends it)`]],
  ["a property that goes", body(integer), route({ body: object({}) }), [`${seats} is not accepted any more (anyone who sends it)`]],
  ["a property that comes", route({ body: object({}) }), body(integer), []],
  ["a required property", route({ body: object({}) }), body(integer, ["seats"]), [`${seats} is new and required (anyone who omits it)`]],
  ["a property that is required now", body(integer), body(integer, ["seats"]), [`${seats} is required now (anyone who omits it)`]],
  ["a property that is not required", body(integer, ["seats"]), body(integer), []],
  ["another type", body(integer), body(text), [`${seats} is of type string; before: integer (anyone who sends it)`]],
  ["a wider type", body(integer), body({ type: ["integer", "string"] }), []],
  ["a number", body(integer), body({ type: "number" }), []],
  ["an alternative that goes", body({ anyOf: [integer, text] }), body(text), [`${seats} is of type string; before: integer (anyone who sends it)`]],
  ["an alternative that comes", body(text), body({ anyOf: [integer, text] }), []],
  ["a list of alternatives in another order", body({ oneOf: [object({ a: text }), object({ b: text })] }), body({ oneOf: [object({ b: text }), object({ a: text })] }),
    []],
  ["no null", body({ type: ["integer", "null"] }), body(integer), [`${seats} cannot be null any more (anyone who sends null)`]],
  ["null as an alternative", body({ type: ["integer", "null"] }), body({ anyOf: [integer, { type: "null" }] }), []],
  ["a value of an enum that goes", body({ enum: ["a", "b"] }), body({ enum: ["b"] }),
    [`${seats} does not accept "a" any more (anyone who sends or filters by such a value)`]],
  ["a value of an enum that comes", body({ enum: ["a"] }), body({ enum: ["a", "b"] }), []],
  ["tighter bounds", body({ ...integer, minimum: 1, maximum: 9 }), body({ ...integer, minimum: 2, exclusiveMaximum: 9 }),
    [`${seats} is at least 2; before: 1 (${bound})`, `${seats} is less than 9 (${bound})`]],
  ["wider bounds", body({ ...integer, minimum: 1, maximum: 9 }), body({ ...integer, maximum: 10 }), []],
  ["an exclusive bound that is inclusive now", body({ ...integer, exclusiveMinimum: 1, exclusiveMaximum: 9 }), body({ ...integer, minimum: 1, maximum: 9 }), []],
  ["an inclusive bound that is exclusive now", body({ ...integer, minimum: 1 }), body({ ...integer, exclusiveMinimum: 1 }), [`${seats} is more than 1 (${bound})`]],
  ["an exclusive bound that is tighter now", body({ ...integer, exclusiveMaximum: 9 }), body({ ...integer, exclusiveMaximum: 8, maximum: 20 }),
    [`${seats} is less than 8; before: 9 (${bound})`]],
  ["an exclusive bound of integers that is inclusive now", body({ ...integer, exclusiveMinimum: 0, exclusiveMaximum: 9 }), body({ ...integer, minimum: 1, maximum: 8 }), []],
  ["an inclusive bound of integers that is exclusive now", body({ ...integer, minimum: 1 }), body({ ...integer, exclusiveMinimum: 0 }), []],
  ["an exclusive bound of integers and a tighter one", body({ ...integer, exclusiveMaximum: 9 }), body({ ...integer, maximum: 7 }), [`${seats} is at most 7 (${bound})`]],
  ["an exclusive bound of numbers and an inclusive one", body({ type: "number", exclusiveMaximum: 9 }), body({ type: "number", maximum: 8 }), [`${seats} is at most 8 (${bound})`]],
  ["an inclusive bound of numbers that is exclusive now", body({ type: "number", minimum: 1 }), body({ type: "number", exclusiveMinimum: 1 }), [`${seats} is more than 1 (${bound})`]],
  ["a pattern", body(text), body({ ...text, pattern: "^a" }), [`${seats} must match ^a (anyone who sends a text that does not match)`]],
  ["a list with another bound, of other elements", body({ type: "array", items: text }), body({ type: "array", items: integer, minItems: 1 }),
    [`${seats} has at least 1 element (${bound})`, `${seats} is of type integer; before: string (anyone who sends it)`]],
  ["a keyword that the report does not compare", body(integer), body({ ...integer, multipleOf: 2 }),
    [`${seats} may take fewer values: another multipleOf (anyone who sends it)`]],
  ["another default", body({ ...integer, default: 1 }), body({ ...integer, default: 2 }), [`${seats} has the default 2; before: 1 (anyone who omits it)`]],
  ["a property in a property", body(object({ rows: object({ a: text }) })), body(object({ rows: object({}) })),
    [`${seats}.rows.a is not accepted any more (anyone who sends it)`]],
  ["a recursive schema", route({ body: { $defs: { a: object({ b: { $ref: "#/$defs/a" }, c: text }) }, $ref: "#/$defs/a" } }),
    route({ body: { $defs: { a: object({ b: { $ref: "#/$defs/a" } }) }, $ref: "#/$defs/a" } }),
    ["PostSlotsByIdBodyA.c is not accepted any more (anyone who sends it)"]],
  ["a schema that is only itself", itself("allOf", text), itself("allOf", integer),
    ["PostSlotsByIdBodyA.seats is of type integer; before: string (anyone who sends it)"]],
  ["a schema that has itself as an alternative", itself("anyOf", text), itself("anyOf", integer),
    ["PostSlotsByIdBodyA.seats is of type integer; before: string (anyone who sends it)"]],
  ["a recursive schema with alternatives", tree({ name: text }), tree({}), ["PostSlotsByIdBodyA.name is not accepted any more (anyone who sends it)"]],
  // Maps
  ["values of a map of another type", body(map(integer)), body(map(text)), [`${seats}.* is of type string; before: integer (anyone who sends it)`]],
  ["values of a map with a tighter bound", body(map(integer)), body(map({ ...integer, minimum: 1 })), [`${seats}.* is at least 1 (${bound})`]],
  ["values of a map with a wider type", body(map(integer)), body(map({ type: "number" })), []],
  ["any properties that are a map now", body(map(true)), body(map(integer)), [`${seats}.* is of type integer (anyone who sends it)`]],
  ["a map that takes nothing any more", body(map(integer)), body(map(false)), [`${seats} takes no other properties any more (anyone who sends other properties)`]],
  ["a map that comes", body(map(false)), body(map(integer)), []],
  ["an answer's map of another type", answer(map(integer)), answer(map(text)), [`${data}.* is of type string; before: integer (anyone who reads it)`]],
  ["an answer's map of a narrower type", answer(map({ type: "number" })), answer(map(integer)), []],
  ["an answer's map that goes", answer(map(integer)), answer(map(false)), [`${data}.* is not in responses any more (anyone who reads it)`]],
  // Responses
  ["an answer's property that goes", answer(integer), route({ answer: object({}) }), [`${data} is not in responses any more (anyone who reads it)`]],
  ["an answer's property that comes", route({ answer: object({}) }), answer(integer), []],
  ["an answer's property of another type", answer(integer), answer(text), [`${data} is of type string; before: integer (anyone who reads it)`]],
  ["an answer's property of a narrower type", answer({ type: ["integer", "null"] }), answer(integer), []],
  ["an answer's property that can be null", answer(integer), answer({ type: ["integer", "null"] }), [`${data} can be null in responses (anyone who reads it)`]],
  ["an answer's property that is optional", answer(integer, ["seats"]), answer(integer), [`${data} can be missing in responses (anyone who reads it)`]],
  ["an answer's property that is always there", answer(integer), answer(integer, ["seats"]), []],
  ["an answer's property with other bounds", answer({ ...integer, maximum: 1 }), answer({ ...integer, maximum: 2 }), []],
  ["an answer's new value of an enum", answer({ enum: ["a"] }), answer({ enum: ["a", "b"] }),
    [`worth knowing: ${data} can be "b" in responses now (anyone who reads it)`]],
  ["an answer's value of an enum that goes", answer({ enum: ["a", "b"] }), answer({ enum: ["a"] }), []],
  ["an answer of another content type", answer(integer), route({ answer: { content_type: "text/csv" } }),
    [`${slots} answer is not in responses any more (anyone who reads it)`]],
  // Access
  ["a role that goes", route({ access: ["user", "staff"] }), route({ access: ["staff"] }), [`${slots} is not open to user any more (they get 401 or 403)`]],
  ["a role that comes", route({ access: ["staff"] }), route({ access: ["signed_in"] }), []],
  ["everyone, of whom only those who signed in are left", route(), route({ access: ["signed_in"] }), [`${slots} is not open to everyone any more (they get 401 or 403)`]],
  // Errors
  ["an error that goes", errors({ TAKEN: 409, KEPT: 400 }), errors({ KEPT: 400 }), ["the error TAKEN is gone (callers who check its code)"]],
  ["an error with another status", errors({ TAKEN: 409 }), errors({ TAKEN: 422 }),
    ["the error TAKEN has status 422; before: 409 (callers who check the status)"]],
  ["an error that comes", route(), errors({ TAKEN: 409 }), []],
  ["an error that no code could throw", { "errors.json": { TAKEN: { status: 409, description: "No." } } }, {}, []],
  // Accounts, storage, monitoring
  ["storage that goes", manifest({ modules: ["storage"] }), manifest({}), ["all of storage is gone (its callers get 403 or 404)"]],
  ["storage that comes", manifest({}), manifest({ modules: ["storage"] }), []],
  ["monitoring that goes", manifest({ modules: ["monitoring"] }), manifest({}), ["all of monitoring is gone (its callers get 403 or 404)"]],
  ["a smaller file", manifest({ modules: ["storage"] }), manifest({ modules: ["storage"], storage: { max_file_size_bytes: 10 } }), []],
  ["another prefix of the accounts", manifest({}), manifest({ auth_prefix: "/accounts" }),
    ["the paths below /auth are below /accounts now (callers of the old path get 404 or 405)"]],
  ["no cookie any more", sessions({ cookie_name: "sid" }), sessions({}), [noCookie]],
  ["another cookie", sessions({ cookie_name: "sid" }), sessions({ cookie_name: "session" }), [noCookie]],
  ["a provider that goes", providers("github", "gitlab"), providers("gitlab"),
    ["GET /auth/:provider/login", "GET /auth/:provider/callback", "POST /auth/:provider/mobile"].map((each) => `${each} parameter provider does not accept "github" any more (anyone who sends or filters by such a value)`)],
  ["the last provider that goes", providers("github"), sessions({}), ["POST /auth/providers/:provider/link is gone (its callers get 404 or 405)", "all of social is gone (its callers get 403 or 404)"]],
])("%s", async (_, before, after, lines) => {
  expect(noticed(await definitionOf(before), await definitionOf(after))).toEqual(lines);
});
