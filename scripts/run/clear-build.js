// @ts-check
/** The beginning of `npm run build`: what is there goes when nothing stands in the way of the next one. */
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const at = (/** @type {string} */ path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

if (!existsSync(at("node_modules/typescript")))
  refuse("development dependencies are not installed: run npm ci --include=dev && npm run build");
if (!existsSync(at("generated/index.ts"))) refuse("generated/ is missing: run npm run generate");
rmSync(at("dist"), { recursive: true, force: true });
// The compiler makes no folder for it while the models have no table: the service still has its own.
mkdirSync(at("dist/generated/migrations"), { recursive: true });

/** @param {string} message */
function refuse(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
