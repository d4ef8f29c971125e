import { defineRoute, ServiceError } from "kirak";
import { z } from "zod";

export default [
  defineRoute({
    method: "POST",
    path: "/notes/:id/finish",
    description: "Marks a note as done.",
    mcp: { name: "finish_note" },
    access: ["user"],
    params: { type: "object", properties: { id: { type: "integer", minimum: 1 } } },
    body: { type: "object", properties: { reason: { type: "string", maxLength: 20 } } },
    answer: {
      type: "object",
      properties: { updated_count: { type: "integer" }, reason: { type: ["string", "null"] } },
    },
    async handler({ params, body }, { db }) {
      const done = await db.as("caller").notes.update({ where: { id: params.id }, data: { state: "done" } });
      return { updated_count: done.length, reason: body.reason ?? null };
    },
  }),
  defineRoute({
    method: "POST",
    path: "/notes/tree",
    description: "Counts the notes of a tree.",
    mcp: { name: "count_tree" },
    access: ["signed_in"],
    body: {
      type: "object",
      properties: {
        label: { $ref: "#/$defs/label" },
        children: { type: "array", items: { $ref: "#" } },
      },
      $defs: { label: { type: "string", maxLength: 20 } },
    },
    answer: {},
    handler: () => ({ large: 9007199254740993n }),
  }),
  defineRoute({
    method: "POST",
    path: "/fail",
    mcp: { name: "fail_late", description: "Fails after it has left work for later." },
    access: ["staff"],
    answer: { type: "null" },
    handler(_, { afterCommit }) {
      afterCommit(async ({ db }) => {
        await db.tags.create({ word: "late" });
      });
      throw new ServiceError("NOTE_LOCKED");
    },
  }),
  defineRoute({
    method: "GET",
    path: "/words",
    mcp: { name: "list_words", description: "The words of all tags." },
    access: ["*"],
    query: z.object({ begins: z.string().max(20).default("h") }),
    answer: { type: "array", items: { type: "string" } },
    async handler({ query }, { db }) {
      const tags = await db.tags.fetch({ order_by: "word" });
      return tags.map(({ word }) => word).filter((word) => word.startsWith(query.begins));
    },
  }),
];
