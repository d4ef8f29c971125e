import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clientText } from "#generator/emit/client/client";
import { repository } from "../generator/support/project.ts";
import { compileWith } from "../support/client-compiler.ts";

const read = (path: string) => readFileSync(join(repository, path), "utf8");
const blocks = [...read("docs/client.md").matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code);

/** What the examples use of the apps around them. */
const prelude = `
import type { Client } from "./api/index.ts";
declare const [email, password, orderId]: string[] & { 0: string; 1: string; 2: string };
declare const [file, signal, event]: [File, AbortSignal, object];
declare function show(...values: unknown[]): void;
declare function mark(field: string | undefined): void;
`;
const client = "declare const shop: Client;\n";

/** The part that the example uses of a package. */
const asyncStorage = `declare module "@react-native-async-storage/async-storage" {
  const storage: { getItem(key: string): Promise<string | null>; setItem(key: string, value: string): Promise<void> };
  export default storage;
}
`;

test("the examples of docs/client.md compile with the client of the book shop", () => {
  const files = blocks.map((code, index) => {
    const needed = /\bshop = /.test(code) ? "" : client;
    return [`example-${index}.ts`, `${code}${prelude}${needed}export {};\n`] as const;
  });
  const { errors } = compileWith(
    "typescript",
    {
      "api/index.ts": clientText(JSON.parse(read("generated/openapi.json"))),
      "async-storage.d.ts": asyncStorage,
      ...Object.fromEntries(files),
    },
    { noUnusedLocals: false },
  );
  expect(errors).toBe("");
  expect(blocks.length).toBeGreaterThan(10);
});
