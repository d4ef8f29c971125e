import type { Database } from "#runtime/database/index";
import { watchedDatabase } from "./watched-database.ts";

/** What a service sent to its database. */
export interface Sent {
  /** Texts of statements, in order, without those that look a credential up. */
  statements: string[];
  transactions: number;
}

/** A database that notes what is sent to it. */
export function countingDatabase(database: Database): { readonly database: Database; readonly sent: Sent } {
  const sent: Sent = { statements: [], transactions: 0 };
  const watched = watchedDatabase(database, (connection) => (statement, values) => {
    if (!statement.text.includes("auth_token_blacklist")) sent.statements.push(statement.text);
    return connection.run(statement, values);
  });
  const transaction: Database["transaction"] = (work) => {
    sent.transactions++;
    return watched.transaction(work);
  };
  return { database: { ...watched, transaction }, sent };
}
