import { readdirSync, readFileSync } from "node:fs";
import Handlebars from "handlebars";
import { expect, test } from "vitest";
import type { FieldDefinition } from "#generator/definition/definition";
import {
  migrationLinkOutputs,
  migrationOutputs,
  modelOutputs,
  type OutputFile,
  serviceOutputs,
  usersOutputs,
} from "#generator/emit/outputs";
import { templatesFolder } from "#generator/emit/templates";
import { type CustomLink, planMigration } from "#generator/migrations/plan";
import { kindOfType } from "#vocabulary/fields/field-kinds";
import { access, field, limits, model, rule, service } from "../support/definitions.ts";

type Program = hbs.AST.Program;

const schema = JSON.parse(
  readFileSync(new URL("../../../schemas/models.schema.json", import.meta.url), "utf8"),
);
const typeNames: string[] = schema.definitions.field.properties.type.enum;

/** A field of a type: some types have templates of their own. */
function ofType(type: string): FieldDefinition[] {
  const kind = kindOfType(type);
  return kind === null
    ? []
    : [field(`of_${type.replace("[]", "_list")}`, { kind, decimal: { precision: 5, scale: 2 } })];
}

const full = model("books", {
  description: "Books.",
  idType: "uuid",
  softDelete: true,
  fields: [
    field("title", { description: "A title.", default: "x", searchable: true, enum: ["x"], required: true }),
    ...typeNames.flatMap(ofType),
    field("owner_id", {
      kind: "bigint",
      foreignKey: { name: "owner_fk", model: "users", table: "users", column: "id", onDelete: "cascade" },
    }),
    field("author_id", {
      kind: "bigint",
      foreignKey: { name: "fk", model: "books", table: "books", column: "id", onDelete: "restrict" },
    }),
  ],
  relations: [
    { name: "owner", kind: "belongs_to", field: "owner_id", model: "users", references: "id" },
    { name: "author", kind: "belongs_to", field: "author_id", model: "books", references: "id" },
    { name: "books", kind: "has_many", field: "id", model: "books", references: "author_id" },
  ],
  uniqueKeys: [{ name: "key", fields: ["title"] }],
  access: access(
    {
      fetch: [rule("*", { op: "is_null", field: "title" })],
      search: [rule("*")],
      create: [rule("*")],
      update: [rule("*")],
    },
    [{ field: "title", read: [], write: null }],
  ),
  limits: limits({ create: { origin: "entry", limit: null } }),
  hooks: { file: "models/hooks/books.ts", saysFills: true },
  filled: { create: ["title"], upsert: null },
});
const many = Array.from({ length: 120 }, (_, index) => model(`m${index}`));
// biome-ignore format: many a line
const users = model("users", {
  internal: true, builtIn: true, description: "People.", fields: full.fields, relations: full.relations,
  uniqueKeys: full.uniqueKeys, access: access({}, [{ field: "title", read: ["staff"], write: null }]),
  hooks: { file: "models/hooks/auth.ts", saysFills: false },
});
const titled = { op: "is_not_null", field: "title" } as const;
const definition = {
  ...service(full, model("hidden", { internal: true }), ...many, users),
  conditions: [
    {
      name: "titled",
      on: "books",
      description: "Has a title.",
      condition: titled,
      written: titled,
      text: "",
    },
  ],
  mails: [{ name: "reminder", needed: ["name"], optional: [] }],
  jobs: [{ name: "remind", cron: null, file: "models/jobs/remind.ts" }],
};
const plan = planMigration(definition, { migration: null, tables: [] }, []);
const link: CustomLink = {
  name: "0002_own",
  parent: "0001_initial",
  file: "models/migrations/0002_own.ts",
  class: "destructive",
  accepted: true,
  isNew: true,
};

/** Views of one output: every subject that it may have. */
function views<Subject>(
  outputs: readonly OutputFile<Subject>[],
  subjects: readonly Subject[],
): [string, object[]][] {
  return outputs.map(({ template, view }) => [template, subjects.map(view)]);
}

const viewsOf = new Map([
  ...views(modelOutputs([full]), [
    full,
    model("empty"),
    model("views", { readOnly: true, schemaName: "sales" }),
  ]),
  ...views(usersOutputs, [users]),
  ...views(serviceOutputs(plan), [definition]),
  ...views(
    migrationOutputs,
    plan.migration === null
      ? []
      : [
          plan.migration,
          { ...plan.migration, found: [{ table: "books", kind: "trigger", name: "touch", digest: "1a" }] },
        ],
  ),
  ...views(migrationLinkOutputs, [link]),
]);

/** Paths that a template reads and that no value of its context has. Contexts are all values that may stand there. */
function unknownPaths(program: Program, contexts: readonly unknown[]): string[] {
  return program.body.flatMap((statement) => {
    if (statement.type === "MustacheStatement")
      return missing((statement as hbs.AST.MustacheStatement).path, contexts);
    if (statement.type !== "BlockStatement") return [];
    const { path, params, program: inner, inverse } = statement as hbs.AST.BlockStatement;
    const subject = params[0];
    if (subject === undefined) return [`{{#${nameOf(path)}}} without a subject`];
    const inside = nameOf(path) === "each" ? valuesAt(subject, contexts).flat() : contexts;
    const branches = [inner, inverse].flatMap((branch) => (branch ? unknownPaths(branch, inside) : []));
    return [...missing(subject, contexts), ...branches];
  });
}

function nameOf(path: hbs.AST.Node): string {
  return (path as hbs.AST.PathExpression).original;
}

function valuesAt(path: hbs.AST.Node, contexts: readonly unknown[]): unknown[] {
  const { parts, depth } = path as hbs.AST.PathExpression;
  expect(depth, "templates do not look out of their block").toBe(0);
  return contexts.map((context) =>
    parts.reduce<unknown>((value, part) => Object(value)[String(part)], context),
  );
}

function missing(path: hbs.AST.Node, contexts: readonly unknown[]): string[] {
  if (contexts.length === 0) return [`${nameOf(path)}: the fixture has no value to look at`];
  return valuesAt(path, contexts).includes(undefined) ? [nameOf(path)] : [];
}

const templates = readdirSync(templatesFolder).flatMap((file) => /^(.*)\.hbs$/.exec(file)?.[1] ?? []);

test("every template is one of an output", () => {
  expect(templates.sort()).toEqual([...viewsOf.keys()].sort());
});

test.each(templates)("%s.hbs reads nothing that its view does not have", (name) => {
  const text = readFileSync(new URL(`${name}.hbs`, templatesFolder), "utf8");
  expect(unknownPaths(Handlebars.parse(text), viewsOf.get(name) ?? [])).toEqual([]);
});

test.each(templates)("%s.hbs names its view, loops and tests booleans, and is short", (name) => {
  const text = readFileSync(new URL(`${name}.hbs`, templatesFolder), "utf8");
  expect(text.split("\n")[0]).toMatch(
    /^\{\{! [A-Z][A-Za-z]+View, generator\/emit\/views\/[a-z/-]+\.ts \}\}$/,
  );
  const helpers = [...text.matchAll(/\{\{#(\w+)/g)].map(([, helper]) => helper);
  expect(helpers.every((helper) => helper === "each" || helper === "if")).toBe(true);
  expect(text.split("\n").length).toBeLessThan(90);
});
