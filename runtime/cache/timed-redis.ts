import { type Command, Redis } from "ioredis";

const longestMs = 300;

/**
 * A client whose commands are answered or reject within 300 ms. In place of its own `commandTimeout`, which takes an answer
 * that is here already, and that a busy process has not come to read, for late: who kept the process busy could so have
 * rate limits fail, and revoked tokens.
 */
export class TimedRedis extends Redis {
  override sendCommand(...sent: Parameters<Redis["sendCommand"]>): unknown {
    const answer = super.sendCommand(...sent);
    limit(sent[0]);
    return answer;
  }
}

function limit(command: Command): void {
  const late = () => command.reject(new Error("Command timed out"));
  const timer = setTimeout(() => setImmediate(late), longestMs);
  const answered = () => clearTimeout(timer);
  command.promise.then(answered, answered);
}
