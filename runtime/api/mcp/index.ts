export { type ExposedModel, ExposedTools } from "./exposed-tools.ts";
export { mcpEndpoint } from "./mcp-endpoint.ts";
