import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder with the settings of an app and nothing else, gone after the test. */
export interface AppFolder {
  readonly root: string;
  /** Writes a file; objects become JSON. */
  readonly write: (path: string, content: string | object) => void;
  readonly read: (path: string) => string;
  readonly remove: (path: string) => void;
}

/** Makes one, in a path with a blank. */
export function appFolder(): AppFolder {
  const root = mkdtempSync(join(tmpdir(), "an app "));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const write: AppFolder["write"] = (path, content) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof content === "string" ? content : JSON.stringify(content, null, 2));
  };
  write("package.json", { name: "an-app", type: "module" });
  write("tsconfig.json", { compilerOptions: { module: "nodenext", target: "es2023", strict: true } });
  write("tsconfig.build.json", {
    extends: "./tsconfig.json",
    compilerOptions: { outDir: "dist", rootDir: ".", types: [], rewriteRelativeImportExtensions: true },
    include: ["generated", "models"],
    exclude: ["models/test"],
  });
  return {
    root,
    write,
    read: (path) => readFileSync(join(root, path), "utf8"),
    remove: (path) => rmSync(join(root, path), { recursive: true }),
  };
}
