import { constants, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import type { FromWorker, StoreSettings, ToWorker } from "../records/messages.ts";
import { MonitoringFailure, MonitoringFile } from "./monitoring-file.ts";

/** Entry point of the worker thread: handles messages in order. */
function serveMessages(port: NonNullable<typeof parentPort>, settings: StoreSettings): void {
  lowerPriority();
  const send = (message: FromWorker) => port.postMessage(message);
  const file = new MonitoringFile(settings, (level, message) => send({ kind: "notice", level, message }));
  file.start();
  port.on("message", (message: ToWorker) => {
    if (message.kind === "close") {
      file.close();
      port.close();
      return;
    }
    send(replyTo(file, message));
    if (message.kind === "write") file.maintain();
  });
}

/** Lowers the thread's priority on a shared core, because batches are long. Only Linux supports it. */
function lowerPriority(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // A sandbox can forbid it; continue without.
  }
}

function replyTo(file: MonitoringFile, message: Exclude<ToWorker, { kind: "close" }>): FromWorker {
  const { id } = message;
  try {
    if (message.kind === "read" && message.until < Date.now()) return timedOut(id);
    const answer = message.kind === "read" ? file.read(message) : "";
    if (message.kind === "write") file.write(message.batch);
    return { kind: "done", id, answer };
  } catch (error) {
    const reason = error instanceof MonitoringFailure ? error.reason : "unexpected";
    return { kind: "failed", id, reason, message: error instanceof Error ? error.message : String(error) };
  }
}

/** The caller has already timed out. After a clock change it still waits, and gets an error. */
function timedOut(id: number): FromWorker {
  return { kind: "failed", id, reason: "unusable", message: "The request waited too long in the queue." };
}

if (parentPort !== null) serveMessages(parentPort, workerData);
