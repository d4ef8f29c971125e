import type { Connection, Database, Transaction } from "../../runtime/database/index.ts";

/** What a service sent to its database. */
export interface Sent {
  /** Texts of statements, in order, without those that look a credential up. */
  statements: string[];
  transactions: number;
}

/** A database that notes what is sent to it. */
export function countingDatabase(database: Database): { readonly database: Database; readonly sent: Sent } {
  const sent: Sent = { statements: [], transactions: 0 };
  const counting =
    (connection: Connection): Connection["run"] =>
    (statement, values) => {
      if (!statement.text.includes("auth_token_blacklist")) sent.statements.push(statement.text);
      return connection.run(statement, values);
    };
  const counted: Database = {
    run: counting(database),
    transaction(work) {
      sent.transactions++;
      return database.transaction((transaction) => work(countedTransaction(transaction, counting)));
    },
    ping: () => database.ping(),
    close: () => database.close(),
  };
  return { database: counted, sent };
}

function countedTransaction(
  transaction: Transaction,
  counting: (connection: Connection) => Connection["run"],
): Transaction {
  return {
    run: counting(transaction),
    savepoint: (work) => transaction.savepoint(work),
    get knex() {
      return transaction.knex;
    },
  };
}
