import { type Command, Redis, type RedisOptions } from "ioredis";

const longestMs = 300;
/** Otherwise a connection that a firewall dropped waits a quarter of an hour for TCP to give up. */
const longestSilenceMs = 1_000;

/**
 * A client whose commands resolve or reject within 300 ms, and that closes a silent connection after a
 * second. `commandTimeout` and `socketTimeout` of ioredis also reject a response that a busy process has not
 * read yet. Rate limits and checks of revoked tokens would then fail.
 */
export class TimedRedis extends Redis {
  /** In milliseconds of `performance.now()`. */
  #heardAt = 0;

  constructor(url: string, options: Omit<RedisOptions, "replyMapping">) {
    super(url, options);
    this.on("connect", () => {
      this.stream.on("data", () => {
        this.#heardAt = performance.now();
      });
    });
  }

  override sendCommand(...sent: Parameters<Redis["sendCommand"]>): unknown {
    this.#gather();
    const answer = super.sendCommand(...sent);
    this.#limit(sent[0]);
    return answer;
  }

  /**
   * Sends the commands of one turn of the event loop in one write, because a write costs more than a command.
   * `enableAutoPipelining` takes twice the CPU time: 8 µs a command instead of 4. It sends no batch before
   * the response to the last one, so in an outage, commands wait up to 600 ms.
   */
  #gather(): void {
    const { stream } = this;
    if (stream === undefined || stream.writableCorked > 0) return;
    stream.cork();
    setImmediate(() => stream.uncork());
  }

  #limit(command: Command): void {
    const { stream } = this;
    const sentAt = performance.now();
    const giveUp = () => {
      if (this.#heardAt < sentAt) stream?.destroy(new Error("Redis does not answer"));
    };
    const timer = afterReading(longestMs, () => {
      command.reject(new Error("Command timed out"));
      afterReading(longestSilenceMs - longestMs, giveUp).unref();
    });
    const answered = () => clearTimeout(timer);
    command.promise.then(answered, answered);
  }
}

/** Calls back after a time, once the data that has arrived is read. */
function afterReading(ms: number, callback: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(callback), ms);
}
