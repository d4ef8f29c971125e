/** What keeps jobs from running at all, in words for whoever wrote or operates them. */
export class JobError extends Error {
  override readonly name = "JobError";
}
