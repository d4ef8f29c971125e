export type { AuthSettings } from "./auth-settings.ts";
export { type Config, type ConfigSource, readConfig } from "./config.ts";
export { ConfigError } from "./config-error.ts";
export type { EmailSettings, SmsSettings } from "./delivery.ts";
export { type LogFormat, readDatabaseUrl, readLogFormat } from "./environment.ts";
export type { Variables } from "./environment-variables.ts";
export type { LogLevel, Section } from "./manifest.ts";
export type { Secrets } from "./secrets.ts";
export type { DeclaredProvider, SocialSettings } from "./social-settings.ts";
