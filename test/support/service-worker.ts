import { BackgroundTasks } from "../../runtime/concurrency/index.ts";
import type { Config } from "../../runtime/config/index.ts";
import type { Database } from "../../runtime/database/index.ts";
import type { Service } from "../../runtime/index.ts";
import { enqueue, prepareQueue } from "../../runtime/jobs/index.ts";
import { createMailer } from "../../runtime/mail/index.ts";
import { startServiceWorker } from "../../runtime/start-worker.ts";
import { afterFile } from "./after-file.ts";
import { silent } from "./silent-log.ts";

/** Where a service under test runs. */
interface Place {
  readonly config: Config;
  readonly database: Database;
  readonly url: string;
}

/** Runs the jobs of a service, mails among them, until the file is over. Gives what sends a job, as the clock does. */
export async function runJobs(
  served: Service,
  { config, database, url }: Place,
): Promise<(name: string) => Promise<void>> {
  await prepareQueue(url, silent);
  const background = new BackgroundTasks(silent);
  const mailer = createMailer(config, silent);
  const peers = { cache: null, mailer, sms: null, background, monitoring: null };
  const worker = startServiceWorker(served, { config, log: silent, database, url, concurrency: 1, ...peers });
  afterFile(async () => {
    await worker.stop(5_000);
    await background.drain();
    await mailer?.close();
  });
  const once = { payload: "{}", runAt: null, key: null, attempts: 1, queue: null };
  return async (name) => void (await enqueue(database, { name, ...once }));
}
