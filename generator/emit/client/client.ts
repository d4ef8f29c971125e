import { readFileSync } from "node:fs";
import type { OpenApiDocument } from "../../../vocabulary/openapi/document.ts";
import { templatesFolder } from "../templates.ts";
import { clientTypes } from "./types/client-types.ts";

/** TEMPORARY until wt/core has its own. */
export function clientText(document: OpenApiDocument): string {
  const parts = ["types", "errors", "filters"].map((name) =>
    readFileSync(new URL(`client/${name}.ts`, templatesFolder), "utf8").replaceAll(/^import .*\n/gm, ""),
  );
  return [...parts, clientTypes(document)].join("\n");
}
