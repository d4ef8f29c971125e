import { setImmediate, setTimeout } from "node:timers/promises";
import { NoAnswerError } from "./connection-error.ts";
import type { PooledConnection } from "./pooled-connection.ts";

export interface SilenceOptions {
  /** Longest time in milliseconds without a word of the server where an answer is to come. */
  readonly answerTimeoutMs: number;
  /** Whether the server still works on what it was asked; null where nothing that it does may take so long. */
  readonly isWorking: ((connection: PooledConnection) => Promise<boolean>) | null;
  /** Longest time in milliseconds that it may say so: by then PostgreSQL has cancelled the statement. */
  readonly longestWorkMs: number;
  /** Called when the connection was given up. */
  readonly onSilent: () => void;
}

/**
 * Gives a connection up once the server has been silent on it for too long (decisions, part 1). One that a firewall forgot
 * would else be waited for until TCP gives up, a quarter of an hour later. A statement that the server is working on is
 * no silence: half-way through the time it is asked, on another connection.
 */
export function endWhenSilent(
  connection: PooledConnection,
  { answerTimeoutMs, isWorking, longestWorkMs, onSilent }: SilenceOptions,
): void {
  const { socket } = connection;
  const quietMs = isWorking === null ? answerTimeoutMs : answerTimeoutMs / 2;
  /** What had been heard when silence was noticed first, and when that was. */
  let silence = { heard: -1, since: 0 };
  const look = async () => {
    if (!connection.isWaiting) return;
    const heard = socket.bytesRead;
    if (silence.heard !== heard) silence = { heard, since: performance.now() };
    const isAtWork = isWorking !== null && (await answeredWithin(isWorking(connection), quietMs));
    // What a busy process has not come to read is no silence either.
    await setImmediate();
    if (!connection.isWaiting || socket.bytesRead !== heard) return;
    if (isAtWork && performance.now() - silence.since < longestWorkMs) return void socket.setTimeout(quietMs);
    socket.destroy(new NoAnswerError("the database does not answer"));
    onSilent();
  };
  socket.setTimeout(quietMs).on("timeout", () => void look());
}

/** What a question was answered, no sooner than after the given time. No answer by then is a no. */
async function answeredWithin(question: Promise<boolean>, ms: number): Promise<boolean> {
  let answer = false;
  question.then(
    (answered) => {
      answer = answered;
    },
    () => {},
  );
  await setTimeout(ms, undefined, { ref: false });
  return answer;
}
