/** `kirak/start`: runs a service or its jobs in the app's own process. */
export {
  type OwnWorker,
  type OwnWorkerOptions,
  type ServeOptions,
  type StartOptions,
  startService,
  startWorker,
} from "../process/start.ts";
