// @ts-check
import { register } from "node:module";

/** No literal in `import`, as it brings no types. */
const loader = "tsx";

/**
 * Whether this process can read TypeScript from here on, with the doors of the runtime leading to its sources: false where tsx
 * is not installed.
 */
export async function readsTypeScript() {
  try {
    await import(loader);
    register("./source-condition.js", import.meta.url);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND") return false;
    throw error;
  }
}
