import { readFileSync } from "node:fs";
import { join } from "node:path";
import { preset } from "@graphql-codegen/client-preset";
import { codegen } from "@graphql-codegen/core";
import { parse } from "graphql";
import { schemaText } from "../../../test/generator/emit/graphql/schemas.ts";
import { repository } from "../../../test/generator/support/project.ts";

/**
 * The files of a typed client that GraphQL Code Generator makes for operations on the example's schema, by path below
 * `folder`, with the settings of docs/graphql-clients.md.
 */
export async function typedClient(folder: string, operations: string): Promise<Map<string, string>> {
  const text = schemaText("generated");
  const scalars: Record<string, string> = JSON.parse(
    readFileSync(join(repository, "generated/graphql/scalars.json"), "utf8"),
  );
  const documents = [{ location: `${folder}operations.ts`, document: parse(operations), rawSDL: operations }];
  const outputs = await preset.buildGeneratesSection({
    baseOutputDir: folder,
    schema: parse(text),
    documents,
    config: { scalars, documentMode: "string", useTypeImports: true },
    presetConfig: { fragmentMasking: false },
    plugins: [],
    pluginMap: {},
    pluginContext: {},
  });
  const files = await Promise.all(
    outputs.map(async (output) => [output.filename, await codegen(output)] as const),
  );
  return new Map(files);
}
