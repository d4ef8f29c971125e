export type { AuthSettings } from "./auth-settings.ts";
export {
  accountFeaturesOf,
  type Config,
  type ConfigSource,
  overviewPageOf,
  readConfig,
  readStorageSettings,
  signInPageOf,
} from "./config.ts";
export type { EmailSettings, SmsSettings } from "./delivery.ts";
export type { DocsSettings } from "./docs-settings.ts";
export { ConfigError, type LogFormat, readDatabaseUrl, readLogFormat } from "./environment.ts";
export { parseEnvFile, testDatabaseVariable, type Variables } from "./environment-variables.ts";
export type { LogLevel, Manifest, Section } from "./manifest.ts";
export type { McpSettings } from "./mcp-settings.ts";
export type { CaptureLevel, LogShipping, MonitoringSettings } from "./monitoring-settings.ts";
export { mapKeys, type SecretKeys, type Secrets } from "./secret-keys.ts";
export { inServiceSchema, serviceSchemaOf } from "./service-schema.ts";
export type { DeclaredProvider, SocialSettings } from "./social-settings.ts";
export type { LocalStorageSettings, S3StorageSettings, StorageSettings } from "./storage-settings.ts";
