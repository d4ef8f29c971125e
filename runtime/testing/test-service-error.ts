/** Why the test service cannot start, for the developer who runs the tests. */
export class TestServiceError extends Error {
  override readonly name = "TestServiceError";
}
