export { type ExposedModel, roleTools } from "./exposed-tools.ts";
export { mcpEndpoint } from "./mcp-endpoint.ts";
