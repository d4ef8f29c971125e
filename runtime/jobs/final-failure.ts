/** A failure that no other attempt would get over: the job is dead at once. */
export class FinalFailure extends Error {
  override readonly name = "FinalFailure";
}
