import { type McpExposure, tokensOf, toolsOf } from "../../vocabulary/mcp/tools.ts";
import { roleDocument } from "../../vocabulary/openapi/role-document.ts";
import type { ServiceDefinition } from "../definition/definition.ts";
import { exposedTools, routeTools } from "../definition/exposed-tools.ts";
import { defaultPlaces } from "../diagnostics/command.ts";
import { renderDiagnostics } from "../diagnostics/index.ts";
import { openApiDocument } from "../emit/openapi/document.ts";
import { readDefinition } from "../pipeline/generate.ts";
import { failed } from "./failed.ts";
import { appRoles, unknownRole } from "./read-document.ts";

/** Prints the tools of a role as JSON, or all tools with their roles. Returns the exit code. */
export async function printTools(role: string | null, root: string): Promise<0 | 2> {
  const { definition, diagnostics, sources } = await readDefinition({ root, ...defaultPlaces });
  if (definition === null) return failed(2, `${renderDiagnostics(diagnostics, sources)}\n`);
  if (!definition.mcp)
    return failed(2, `the module mcp is off: add "mcp" to "modules" in ${defaultPlaces.manifest}\n`);
  const roles = appRoles(definition);
  if (role !== null && !roles.includes(role)) return failed(2, `${unknownRole(role, roles)}\n`);
  const whole = openApiDocument(definition);
  const reached = role === null ? whole : roleDocument(whole, role);
  const tools = toolsOf(reached, whole, exposureOf(definition));
  const shown =
    role === null ? tools.map((tool) => ({ ...tool, roles: rolesOf(tool.name, definition) })) : tools;
  process.stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
  const cost = tokensOf(tools).toLocaleString("en-US");
  process.stderr.write(
    `${tools.length === 1 ? "1 tool" : `${tools.length} tools`}, roughly ${cost} tokens\n`,
  );
  return 0;
}

function exposureOf(definition: ServiceDefinition): McpExposure {
  return {
    models: new Map(definition.models.map(({ key, mcp }) => [key, mcp])),
    routes: routeTools(definition).map(({ name, description, route: { method, path } }) => ({
      name,
      description,
      method,
      path,
    })),
  };
}

function rolesOf(name: string, definition: ServiceDefinition): readonly string[] {
  return exposedTools(definition).find((tool) => tool.name === name)?.roles ?? [];
}
