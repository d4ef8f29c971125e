import type { NotesHooks } from "../../generated/models/notes/model.ts";

export const after_create: NotesHooks["after_create"] = (note, { db, sql, jobs, afterCommit }) => {
  afterCommit(async () => {
    await db.notes.create({ text: "lost (" });
    await sql`select 1`;
  });
  afterCommit(({ log }) => jobs.enqueue("tidy", {}).catch((error) => log.error(error)));
  // afterCommit(() => db.notes.count());
  afterCommit(async ({ db, mail }) => {
    await db.notes.create({ text: String(note) });
    await mail.send({ to: "ann@example.com", subject: "db.notes", text: "" });
  });
};

export const after_update: NotesHooks["after_update"] = (_, context) => {
  context.afterCommit(async () => context.mail.send({ to: "ann@example.com", subject: "", text: "" }));
  context.afterCommit(async (context) => context.db.notes.count());
  context.afterCommit(later);
};

const later = () => {};
