export type { ExposedModel, ExposedRoute } from "./exposed-tools.ts";
export { ExposedTools } from "./exposed-tools.ts";
export { mcpRoute } from "./mcp-route.ts";
