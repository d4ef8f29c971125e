/** The section `mcp` of the manifest. */
export interface McpManifest {
  readonly instructions?: string;
}

/** The settings of the module mcp. */
export interface McpSettings {
  /** What assistants must know about the service; null without such a text. */
  readonly instructions: string | null;
}

/** Reads the section. Null if the module is off. */
export function mcpSettings({
  modules,
  mcp,
}: {
  readonly modules: readonly string[];
  readonly mcp: McpManifest;
}): McpSettings | null {
  return modules.includes("mcp") ? { instructions: mcp.instructions ?? null } : null;
}
