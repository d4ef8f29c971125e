import fc from "fast-check";
import { executeSync, GraphQLObjectType, parse, print, specifiedRules, validate } from "graphql";
import { expect, it } from "vitest";
import type { Field, Selection } from "#runtime/api/graphql/document/index";
import { ServiceError } from "#runtime/core/errors/index";
import { documents, schema } from "./random-documents.ts";
import { collected } from "./reading.ts";

const flags = fc.record({ p: fc.boolean(), q: fc.boolean(), n: fc.constantFrom(1, null) });

/** Each field answers its name and what arguments it stands with: another one under the same key shows. */
const queryType = schema.getQueryType();
for (const field of Object.values(queryType?.getFields() ?? {})) {
  field.resolve = (_source, _args, _context, { fieldNodes: [node] }) =>
    field.type instanceof GraphQLObjectType ? {} : answerOf(field.name, (node?.arguments ?? []).map(print));
}

const answerOf = (name: string, args: readonly string[]) => `${name}(${args.join(", ")})`;

function answers({ fields }: Selection): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field.key, answer(field)]));
}

function answer({ name, args, selection }: Field): unknown {
  if (selection !== null) return answers(selection);
  return answerOf(
    name,
    args.map((argument) => `${argument.name}: ${print(argument.value)}`),
  );
}

/** Whether it was refused with a reason that the caller gets. */
function refused(run: () => unknown): boolean {
  try {
    run();
    return false;
  } catch (error) {
    if (error instanceof ServiceError && [400, 403].includes(error.status)) return true;
    throw error;
  }
}

/** What graphql-js has no limits for. */
const unlimited = { maxDepth: 1_000, maxRootFields: 10_000, maxComplexity: 100_000 };

it("selects the fields that graphql-js executes, and refuses the documents that graphql-js refuses", () => {
  let accepted = 0;
  fc.assert(
    fc.property(documents, flags, (text, variables) => {
      const document = parse(text);
      const invalid = validate(schema, document, specifiedRules).length > 0;
      fc.pre(text.split("@").length <= 51 && text.length < 4_000);
      expect(refused(() => collected(text, variables, null, unlimited))).toBe(invalid);
      if (invalid) return;
      accepted++;
      const { data, errors } = executeSync({ schema, document, variableValues: variables });
      expect(errors).toBeUndefined();
      expect(JSON.stringify(answers(collected(text, variables, null, unlimited)))).toBe(JSON.stringify(data));
    }),
    { numRuns: 400 },
  );

  expect(accepted).toBeGreaterThan(50);
});

it("answers any text, and any damaged query, with a selection, 400 or 403", () => {
  // biome-ignore format: many a line
  const pieces = fc.constantFrom(
    ...'{ } ( ) [ ] : = @ ! $ ... , # " """ \\u0000 \\u{110000} \uFEFF \0 \n'.split(" "),
    ...[
      "query", "mutation", "subscription", "fragment", "on", "true", "null", "a", "F", "x", "$p", "__schema",
    ],
    ...["@skip(if: $p)", "...F", "1", "-", "1e", '"t"', "\ud800", "é", "😀", "type", "extend"],
  );
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(pieces, { maxLength: 40 }).map((some) => some.join(" ")),
    fc.array(pieces, { maxLength: 40 }).map((some) => some.join("")),
    fc.tuple(documents, fc.nat(), fc.nat(20), pieces).map(([text, at, length, piece]) => {
      const start = at % text.length;
      return text.slice(0, start) + piece + text.slice(start + length);
    }),
  );
  const anything = fc.oneof(flags, fc.dictionary(fc.constantFrom("p", "q", "n"), fc.jsonValue()));
  fc.assert(
    fc.property(
      texts,
      anything,
      fc.option(fc.constantFrom("A", "F", "a", ""), { freq: 5 }),
      (text, variables, name) => {
        refused(() => collected(text, variables as Record<string, unknown>, name));
      },
    ),
    { numRuns: 1_000 },
  );
});
