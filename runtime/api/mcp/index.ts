export { type ExposedModel, exposedTools } from "./exposed-tools.ts";
export { mcpEndpoint } from "./mcp-endpoint.ts";
