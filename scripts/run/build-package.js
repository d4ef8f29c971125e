// @ts-check
/** Builds the package in `lib/`, with the declarations that its public exports lead to. */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { compile, installedCompiler, root } from "./compile.js";
import { copyPageFiles } from "./copy-page-files.js";
import { copyExamples } from "./examples.js";

const lib = join(root, "lib");
if (installedCompiler() === null) {
  process.stderr.write(
    "development dependencies are not installed: run npm ci --include=dev && npm run build\n",
  );
  process.exitCode = 1;
} else {
  rmSync(lib, { recursive: true, force: true });
  // An app gets no source maps: the JavaScript has the same comments and nearly the same lines.
  if (compile(["lib", "declarations"], "--sourceMap", "false")) {
    removeInnerDeclarations();
    copyExamples(join(lib, "examples"));
    await copyPageFiles(join(lib, "runtime", "modules", "docs"));
  }
}

/** An app can import only what `exports` of package.json lists. */
function removeInnerDeclarations() {
  /** @type {{ exports: Record<string, string | { types: string }> }} */
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const reached = new Set(
    Object.values(exports).flatMap((to) => (typeof to === "string" ? [] : [join(root, to.types)])),
  );
  for (const file of reached)
    for (const [, path = ""] of readFileSync(file, "utf8").matchAll(/(?:\bfrom |\bimport\()"(\.[^"]+\.ts)"/g))
      reached.add(join(dirname(file), path).replace(/\.ts$/, ".d.ts"));
  for (const entry of readdirSync(lib, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (file.endsWith(".d.ts") && !reached.has(file)) rmSync(file);
  }
}
