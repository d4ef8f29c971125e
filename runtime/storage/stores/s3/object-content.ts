import { pipeline, Readable, Transform } from "node:stream";
import { IdleDeadline } from "./idle-deadline.ts";
import { S3Failure } from "./s3-failure.ts";

/**
 * The bytes of an object as they come. Fails where they are not as many as S3 said, and where none comes for so long though somebody waits
 * for them: a reader may be as slow as he likes.
 */
export function objectContent(body: unknown, size: number, idleMs: number): Readable {
  if (!(body instanceof Readable)) throw broken("no content");
  let left = size;
  const content = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length;
      deadline.moved();
      done(left < 0 ? broken("more bytes than it said") : null, chunk);
    },
    flush(done) {
      done(left > 0 ? broken("fewer bytes than it said") : null);
    },
  });
  const deadline = new IdleDeadline(idleMs, () => content.readableLength === 0);
  const { signal } = deadline;
  signal.addEventListener("abort", () => content.destroy(signal.reason), { once: true });
  return pipeline(body, content, () => deadline.end());
}

function broken(message: string): S3Failure {
  return new S3Failure("GetObject", { code: "IncompleteBody", status: 200, message });
}
