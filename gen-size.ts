import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { transformSync } from "esbuild";
import { clientText } from "#generator/emit/client/client";
const document = JSON.parse(readFileSync("generated/openapi.json", "utf8"));
const size = (keep: (tag: string) => boolean) => {
  const paths = Object.fromEntries(Object.entries<any>(document.paths).filter(([p, item]) => { const t = Object.values<any>(item)[0].tags[0]; const model = /^(fetch|search|count|exists|create|update|upsert|delete|destroy|restore)[A-Z]/.test(Object.values<any>(item)[0].operationId); return !model || keep(t); }));
  const { code } = transformSync(clientText({ ...document, paths }), { loader: "ts", minify: true, format: "esm", target: "es2022" });
  return [code.length, gzipSync(code, { level: 9 }).length, code] as const;
};
const [a, b, code] = size((t) => t === "books");
console.log(a, b);
console.log(size((t) => t === "books" || t === "orders").slice(0, 2), size(() => true).slice(0, 2));
if (process.argv[2]) console.log(code);
import { writeFileSync } from "node:fs";
const paths = Object.fromEntries(Object.entries<any>(document.paths).filter(([p, item]) => { const o = Object.values<any>(item)[0]; const model = /^(fetch|search|count|exists|create|update|upsert|delete|destroy|restore)[A-Z]/.test(o.operationId); return !model || o.tags[0] === "books"; }));
writeFileSync("/tmp/c1.ts", clientText({ ...document, paths }));
