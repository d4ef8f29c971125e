/** Why no job can run, in words for developers and operators. */
export class JobError extends Error {
  override readonly name = "JobError";
}

/** A failure that another attempt would repeat: the job is dead at once. */
export class FinalFailure extends Error {
  override readonly name = "FinalFailure";
}

/** Why a run is aborted that could have gone on: another worker runs the job again. */
export class WorkerStops extends Error {
  override readonly name = "WorkerStops";
}

/** Why a run is aborted whose job another worker may have taken. */
export class JobLost extends Error {
  override readonly name = "JobLost";
}
