import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { lockFile } from "../../vocabulary/models-folder.ts";
import { codeFormatRefusal, modelsChanged } from "../process/index.ts";
import { TestServiceError } from "./test-service-error.ts";

/** Throws a TestServiceError where generated code is not what the models say, or not for this runtime: tests of it would mislead. */
export function requireGenerated(root: string): void {
  const lock = join(root, "generated", lockFile);
  // What was compiled to another folder may be without it.
  const refusal = existsSync(lock) ? codeFormatRefusal(readFileSync(lock, "utf8")) : null;
  if (refusal !== null) throw new TestServiceError(refusal);
  if (modelsChanged(root))
    throw new TestServiceError(
      "models/ says something else than when generated/ was made: run npm run generate",
    );
}
