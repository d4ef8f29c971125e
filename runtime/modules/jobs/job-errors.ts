/** Jobs cannot run; the message is for developers and operators. */
export class JobError extends Error {
  override readonly name = "JobError";
}

/** A retry would fail again, so the job is dead at once. */
export class FinalFailure extends Error {
  override readonly name = "FinalFailure";
}

/** The worker stops and aborts the run; another worker runs the job again. */
export class WorkerStopping extends Error {
  override readonly name = "WorkerStops";
}

/** Another worker can have taken the job, so the run is aborted. */
export class LeaseLost extends Error {
  override readonly name = "JobLost";
}
