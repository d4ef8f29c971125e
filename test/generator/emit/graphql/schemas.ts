import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildSchema, type GraphQLSchema, parse, validate, validateSchema } from "graphql";
import { repository } from "../../support/project.ts";

/** The schemas of the repository, by the folder of their service: those of the example and the fixture. */
export const schemaFolders: readonly string[] = ["generated", "test/http/fixture/generated"];

/** The text of a schema. */
export function schemaText(folder: string): string {
  return readFileSync(join(repository, folder, "graphql/schema.graphql"), "utf8");
}

/** A schema that graphql-js has nothing to say against. */
export function validSchema(text: string): GraphQLSchema {
  const schema = buildSchema(text);
  const problems = validateSchema(schema).map(({ message }) => message);
  if (problems.length > 0) throw new Error(problems.join("\n"));
  return schema;
}

/** The errors of graphql-js for a document. */
export function problemsIn(schema: GraphQLSchema, document: string): string[] {
  return validate(schema, parse(document)).map(({ message }) => message);
}
