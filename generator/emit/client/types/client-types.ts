import type { OpenApiDocument } from "../../../../vocabulary/openapi/document.ts";

/** In the place of the file of branch wt/ctypes. */
export function clientTypes(_document: OpenApiDocument): string {
  return "";
}
