import { readFileSync } from "node:fs";

/** A client of docs/graphql-clients.md with the module that shows it there. */
export interface ClientSnippet {
  readonly name: string;
  readonly text: string;
}

const docs = readFileSync(new URL("../../../docs/graphql-clients.md", import.meta.url), "utf8");
const [, section = ""] = /\n## Libraries\n(.*?)\n## /s.exec(docs) ?? [];

/** Each client of the docs, under the name of its package; an earlier version has another name here. */
export const clientSnippets: readonly ClientSnippet[] = [...section.matchAll(/```ts\n(.*?)```/gs)].map(
  ([, shown = ""]) => {
    const text = shown.replace("@apollo/client/core/index.js", "apollo-client-3/core/index.js");
    return { name: /from "([^"]+)"/.exec(text)?.[1] ?? "", text };
  },
);
