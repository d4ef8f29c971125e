import { findNodeAtLocation, parseTree } from "jsonc-parser";
import type { ServiceDefinition } from "../../definition/definition.ts";
import type { Sources } from "../../diagnostics/index.ts";
import { comparedValues, enumTypeOf, enumTypes } from "../enum-values.ts";
import type { Table } from "../schema.ts";
import { columnOf } from "../snapshot.ts";

/** Changes of the values of enum types that PostgreSQL cannot make, in words for the user. */
export function enumRefusals(
  before: readonly Table[],
  { models, source: mainSource }: ServiceDefinition,
  sources: Sources,
): string[] {
  const types = enumTypes(before);
  return models
    .filter(({ view }) => !view)
    .flatMap(({ key, source, fields }) =>
      fields.flatMap((field) => {
        const now = enumTypeOf(columnOf(field));
        const old = now === null ? undefined : types.get(now.name);
        const problem = now && old ? comparedValues(old.values, now.values).problem : null;
        if (problem === null || old === undefined) return [];
        const file = source ?? mainSource;
        const line = lineOf(sources.get(file) ?? "", [key, field.name]);
        return [
          `${file}${line}: "enum" of ${key}.${field.name} ${problem}, but PostgreSQL can only add and rename values of the type ` +
            `${old.name}: keep the order ${JSON.stringify(old.values)}, and put new values between them. A value can be ` +
            "renamed in its place, in a run without other changes there. To stop using a value, refuse it in a hook or a check",
        ];
      }),
    );
}

function lineOf(source: string, [key, field]: readonly [string, string]): string {
  const root = parseTree(source);
  const node = ["fields", "schema"]
    .flatMap((section) =>
      root === undefined ? [] : (findNodeAtLocation(root, [key, section, field, "enum"]) ?? []),
    )
    .at(0);
  return node === undefined ? "" : `:${source.slice(0, node.offset).split("\n").length}`;
}
