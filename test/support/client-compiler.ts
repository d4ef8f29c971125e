import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Project } from "ts-morph";
import { repository } from "../generator/support/project.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** The settings under which a client has to compile. */
const compilerOptions = {
  target: "es2022",
  lib: ["es2022", "dom"],
  module: "esnext",
  moduleResolution: "bundler",
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  erasableSyntaxOnly: true,
  allowImportingTsExtensions: true,
  // Only `index.ts` and those who use it: libraries cost the same without a client.
  skipLibCheck: true,
  noEmit: true,
};

/** What a compiler says about some files. */
export interface Compiled {
  /** `index.ts(3,5): error TS2322: …`, with more lines for some. */
  readonly errors: string;
  readonly instantiations: number;
}

/** Compiles files in a folder of their own, with the TypeScript of this repository or with that of ts-morph. */
export function compileWith(
  compiler: "typescript" | "ts-morph",
  files: Readonly<Record<string, string>>,
  settings: object = {},
): Compiled {
  const folder = temporaryFolder("kirak-client-");
  const all = {
    ...files,
    "tsconfig.json": JSON.stringify({
      compilerOptions: { ...compilerOptions, ...settings },
      include: ["*.ts"],
    }),
  };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
  return compiler === "typescript" ? byProgram(folder) : byLibrary(folder);
}

function byProgram(folder: string): Compiled {
  const tsc = join(repository, "node_modules/typescript/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", ".", "--extendedDiagnostics"], {
    cwd: folder,
    encoding: "utf8",
  });
  const [, instantiations = "NaN"] = /^Instantiations: +(\d+)/m.exec(stdout) ?? [];
  return { errors: stdout.split(/^Files: /m)[0]?.trim() ?? "", instantiations: Number(instantiations) };
}

function byLibrary(folder: string): Compiled {
  const project = new Project({ tsConfigFilePath: join(folder, "tsconfig.json") });
  const errors = project.formatDiagnosticsWithColorAndContext(project.getPreEmitDiagnostics());
  return { errors, instantiations: project.getProgram().compilerObject.getInstantiationCount() };
}
