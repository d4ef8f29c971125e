import { readFileSync, writeFileSync } from "node:fs";
import { clientText } from "#generator/emit/client/client";
const [, , from, to] = process.argv;
writeFileSync(to!, clientText(JSON.parse(readFileSync(from!, "utf8"))));
