import pg from "pg";
import { ConnectionError } from "./connection-error.ts";
import type { PooledConnection } from "./pooled-connection.ts";
import { SideConnection } from "./side-connection.ts";

/**
 * What PostgreSQL works on. A process that waits for its client is active too, and is just as silent. What another role does is
 * not told, nor anything where `track_activities` is off: that may be work. Texts are cut off, by default behind some thousand
 * characters.
 */
const underWay = `select pid::text, query from pg_stat_activity
where (state is null or state in ('active', 'disabled')) and wait_event_type is distinct from 'Client'`;

interface Work {
  readonly pid: string;
  readonly query: string | null;
}

/** Asks what PostgreSQL is doing, each time on a new connection: those that there are may have gone silent. */
export class Activity {
  readonly #question: SideConnection<Work>;

  constructor(url: string) {
    this.#question = new SideConnection({ url, name: "kirak activity", text: underWay, keeps: false });
  }

  /**
   * Whether PostgreSQL works on what it was asked on a connection; also where it says that it cannot tell now, such as that it
   * has too many connections. Rejects when there is no answer within four seconds. Behind a pooler nobody knows which server
   * process that is: there the text of the statement tells, and knex's queries and the end of a transaction are not known.
   */
  async isWorkingFor({ opening, processId, text }: PooledConnection): Promise<boolean> {
    const isFor = ({ pid, query }: Work) =>
      opening === null ? pid === processId : Boolean(query) && text.startsWith(query ?? "");
    try {
      return (await this.#question.ask()).some(isFor);
    } catch (error) {
      if (error instanceof ConnectionError && error.cause instanceof pg.DatabaseError) return true;
      throw error;
    }
  }

  close(): void {
    this.#question.close();
  }
}
