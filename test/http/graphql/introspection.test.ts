import { describe } from "vitest";
import { graphqlScenarios } from "../../support/graphql.ts";
import { asked, refused, root } from "../../support/graphql-library.ts";
import { testService } from "../../support/service.ts";

const service = await testService();

describe("introspection, in any disguise", () => {
  const denied = "403 PERMISSION_DENIED";
  graphqlScenarios(
    service,
    [
      "{ __schema { types { name } } }",
      '{ __type(name: "folders") { name } }',
      "query IntrospectionQuery { __schema { queryType { name } } }",
      "{ a: __schema { types { name } } }",
      "{ ...F } fragment F on Query { __schema { types { name } } }",
      "{ ... on Query { __schema { types { name } } } }",
      '{ ... { ... { __type(name: "a") { name } } } }',
      "{ __schema @skip(if: true) { types { name } } folders { id } }",
      "{ folders { id } ... @include(if: false) { __schema { types { name } } } }",
      "{ folders { id __schema { types { name } } } }",
      "{ folders { children { __type } } }",
      "mutation { __schema { types { name } } }",
      "subscription { __schema { types { name } } }",
      "{ folders { id } } fragment Unused on Query { __schema { types { name } } }",
      "query A { folders { id } } query B { __schema { types { name } } }",
      "{ __schema",
      "{ folders { id } } { __type }",
      "{ nothing { id } __schema { types { name } } }",
      "{\n\t__schema\n\t{ types { name } } }",
      "{ __schema: folders { id } }",
      "{ folders(__type: 1) { id } }",
      "query ($__type: Int) { folders(size: $__type) { id } }",
    ].flatMap((query) => [
      { query, fails: denied, name: query },
      { query, as: "admin", fails: denied, name: `admin ${query}` },
    ]),
  );

  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    { name: "of the operation that is not chosen", query: "query A { folders { id } } query B { __schema { types { name } } }", operationName: "A",
      fails: denied },
    { ...asked('{ folders(name: "__schema") { id } }', { folders: [] }), name: "a text is only a text" },
    { ...asked("# __schema\n{ folders(id: 1) { name } }", root), name: "and so is a comment" },
    { ...asked("query ($n: String) { folders(name: $n) { id } }", { folders: [] }, { n: "__type" }), name: "and a variable" },
    refused("{ __schemas { id } }", "404 NOT_FOUND"),
  ]);
});
