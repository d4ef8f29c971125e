import { randomBytes } from "node:crypto";
import pg from "pg";
import type { Administrator } from "./administer.ts";
import {
  createDatabaseOf,
  kinds,
  lock,
  migratedTemplate,
  type TemplateContent,
  type TemplateOptions,
} from "./template-database.ts";

const mostTries = 3;

/** Makes a copy of a template, which somebody with other migrations may remove meanwhile. Gives its name, of which the connection has the lock. */
export async function copyOfTemplate(
  admin: Administrator,
  content: TemplateContent,
  options: TemplateOptions,
): Promise<string> {
  const name = `${options.prefix}${kinds.copy}${randomBytes(8).toString("hex")}`;
  await lock(admin, name);
  for (let tries = 1; ; tries++) {
    const template = await migratedTemplate(admin, content, options);
    try {
      await createDatabaseOf(admin, name, { ...options, template });
      return name;
    } catch (error) {
      const isGone = error instanceof pg.DatabaseError && error.code === "3D000";
      if (!isGone || tries === mostTries) throw error;
    }
  }
}
