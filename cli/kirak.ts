#!/usr/bin/env node
import { fileURLToPath } from "node:url";
import { executeLine } from "./execute-line.ts";
import { localCommandLine } from "./local-package.ts";
import { thisPackage } from "./this-package.ts";

const words = process.argv.slice(2);
const local = localCommandLine(words, process.cwd(), thisPackage().folder);

if (local !== null) {
  process.argv[1] = fileURLToPath(local);
  await import(local.href);
} else {
  try {
    const code = await executeLine(words, process.cwd());
    if (code !== undefined) process.exitCode = code;
  } catch (error) {
    const { explain } = await import("#runtime/process/index");
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}
