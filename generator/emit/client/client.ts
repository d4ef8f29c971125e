import { readFileSync } from "node:fs";
import type { OpenApiDocument } from "../../../vocabulary/openapi/document.ts";
import { templatesFolder } from "../templates.ts";
import { hasSessions } from "./client-members.ts";
import { clientTables, hasRefreshCookie } from "./tables.ts";
import { clientTypes } from "./types/client-types.ts";

/** The modules of the fixed part. All exports of the first ones are public. */
const publicModules = ["types", "errors", "filters"];
const modules = [
  "request",
  "retries",
  "session",
  "query",
  "model",
  "upload",
  "graphql",
  "operations",
  "connect",
];

/** The text of a TypeScript client: the part that all services have, then the types and operations of this one. */
export function clientText(document: OpenApiDocument): string {
  const used = [
    ...modules,
    ...(hasRefreshCookie(document) ? ["cookies"] : []),
    ...(hasSessions(document) ? ["reauthenticate"] : []),
  ];
  const fixed = [...publicModules.map(moduleText), ...used.map((name) => hidden(moduleText(name)))];
  return [...fixed, clientTypes(document), clientTables(document)].filter((text) => text !== "").join("\n");
}

/** A module without its imports, which are all of other modules. */
function moduleText(name: string): string {
  const text = readFileSync(new URL(`client/${name}.ts`, templatesFolder), "utf8");
  return text.replace(/^import [^;]*;\n/gm, "").trimStart();
}

function hidden(text: string): string {
  return text.replace(/^export (?!function browserStorage\b)/gm, "");
}
