#!/usr/bin/env node
import { performLine } from "./perform-line.ts";

try {
  const code = await performLine(process.argv.slice(2), process.cwd());
  if (code !== undefined) process.exitCode = code;
} catch (error) {
  const { explain } = await import("../runtime/process/index.ts");
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}
