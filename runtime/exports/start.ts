/** `kirak/start`: an app's service and its jobs in processes of its own. */
export {
  type OwnWorker,
  type OwnWorkerOptions,
  type ServeOptions,
  type StartOptions,
  startService,
  startWorker,
} from "../process/start.ts";
