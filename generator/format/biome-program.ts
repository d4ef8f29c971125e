import { createRequire } from "node:module";
import { developmentFile } from "../packages/development-package.ts";

type Program = [program: string, ...words: string[]];

let found: Program | null = null;

/**
 * The formatter of this platform, as a program and its first words. What npm calls `biome` starts Node.js once more to start it,
 * which takes as long as formatting some hundred files: it is what there is where the platform's own is not found.
 */
export function biomeProgram(): Program {
  found ??= findProgram();
  return found;
}

function findProgram(): Program {
  const launcher = developmentFile("@biomejs/biome", "bin/biome");
  const name = `@biomejs/cli-${process.platform}-${process.arch}${isMusl() ? "-musl" : ""}`;
  try {
    return [createRequire(launcher).resolve(`${name}/biome${process.platform === "win32" ? ".exe" : ""}`)];
  } catch {
    return [process.execPath, launcher];
  }
}

/** Whether the C library of a Linux is another one than glibc. */
function isMusl(): boolean {
  if (process.platform !== "linux") return false;
  const { header }: { header?: { glibcVersionRuntime?: string } } = Object(process.report.getReport());
  return header?.glibcVersionRuntime === undefined;
}
