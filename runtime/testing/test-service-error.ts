/** Why there is no service to test, in words for who runs the tests. */
export class TestServiceError extends Error {
  override readonly name = "TestServiceError";
}
