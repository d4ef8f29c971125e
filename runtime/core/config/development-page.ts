import { signInPath } from "../../../vocabulary/built-in-routes.ts";
import type { Config } from "./config.ts";

/** The address of the page that shows what the service has; null in production, where there is none (decisions, part 13). */
export function overviewPageOf({
  production,
  baseUrl,
}: Pick<Config, "production" | "baseUrl">): string | null {
  return production ? null : `${baseUrl}/`;
}

/** The address of the page that accounts are tried with; null in production, where there is none (decisions, part 9). */
export function signInPageOf({
  production,
  baseUrl,
  authPrefix,
}: Pick<Config, "production" | "baseUrl" | "authPrefix">): string | null {
  return production ? null : `${baseUrl}${authPrefix}${signInPath}`;
}
