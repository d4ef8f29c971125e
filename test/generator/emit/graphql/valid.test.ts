import { readFileSync } from "node:fs";
import { join } from "node:path";
import { GraphQLEnumType, isSpecifiedScalarType } from "graphql";
import { expect, test } from "vitest";
import { pageTotalType, schemaTypes } from "#vocabulary/graphql/names";
import { repository } from "../../support/project.ts";
import { schemaFolders, schemaText, validSchema } from "./schemas.ts";

test.each(schemaFolders)("the schema of %s is valid", (folder) => {
  expect(() => validSchema(schemaText(folder))).not.toThrow();
});

test("every scalar of the schema has a description and a type for clients", () => {
  const scalars: Record<string, string> = JSON.parse(
    readFileSync(join(repository, "test/http/fixture/generated/graphql/scalars.json"), "utf8"),
  );
  const schema = validSchema(schemaText("test/http/fixture/generated"));
  const used = Object.values(schema.getTypeMap()).filter(
    (type) => type.astNode?.kind === "ScalarTypeDefinition" && !isSpecifiedScalarType(type),
  );
  expect(used.map(({ name }) => name)).toEqual(Object.keys(scalars));
  expect(used.filter(({ description }) => !description)).toEqual([]);
});

test("the types that every schema has are known, so that no model is called like them", () => {
  const schema = validSchema(schemaText("test/generator/golden/minimal/expected"));
  const own = Object.keys(schema.getTypeMap()).filter((name) => !/^(__|notes$|Notes)/.test(name));
  // Without pages, a model can be called PageTotal.
  expect(own.filter((name) => !schemaTypes.has(name))).toEqual([pageTotalType]);
});

test("values of enums keep their order, and descriptions their text", () => {
  const schema = validSchema(schemaText("test/generator/golden/graphql/expected"));
  const state = schema.getType("Books_state");
  expect(state instanceof GraphQLEnumType && state.getValues().map(({ name }) => name)).toEqual([
    "draft",
    "live",
  ]);
  const authors = schema.getType("authors");
  expect(authors?.description).toBe('Several lines,\n  the second with """quotes""", a \\ and a trailing "');
});
