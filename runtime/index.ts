export { type Config, readConfig } from "./config/index.ts";
export { createDatabase } from "./database/index.ts";
export { type ErrorCode, ServiceError } from "./errors/index.ts";
export type { GraphqlHooks } from "./hooks/index.ts";
export { createHttpServer } from "./http/index.ts";
export { createMonitoring, type Monitoring, type MonitoringOptions } from "./monitoring/index.ts";
export type { Register } from "./register/index.ts";
export { createServer, type ServerOptions } from "./server.ts";
export { defineService, type Service } from "./service.ts";
