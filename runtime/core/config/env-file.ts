import { parseEnv } from "node:util";

/** The variables of a `.env` file. Editors on Windows put a byte order mark in front, which is not part of the first name. */
export function parseEnvFile(text: string): NodeJS.Dict<string> {
  return parseEnv(text.replace(/^\ufeff/, ""));
}
