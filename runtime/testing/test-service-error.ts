/** The reason why the test service cannot start, written for the developer who runs the tests. */
export class TestServiceError extends Error {
  override readonly name = "TestServiceError";
}
