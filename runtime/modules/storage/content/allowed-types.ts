import type { StorageSettings } from "../../../core/config/index.ts";
import { ServiceError } from "../../../core/errors/index.ts";

/** Error: 415 `HTTP_ERROR` for types that the manifest does not allow. */
export function requireAllowedType(
  { allowedMediaTypes: allowed }: Pick<StorageSettings, "allowedMediaTypes">,
  mediaType: string,
): void {
  if (allowed === null || allowed.some((type) => matches(type, mediaType))) return;
  throw new ServiceError("HTTP_ERROR", `Files of the type ${mediaType} are not allowed.`, undefined, {
    status: 415,
  });
}

/** `image/*` matches all subtypes. */
function matches(pattern: string, mediaType: string): boolean {
  return pattern.endsWith("/*") ? mediaType.startsWith(pattern.slice(0, -1)) : pattern === mediaType;
}
