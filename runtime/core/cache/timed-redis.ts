import { type Command, Redis, type RedisOptions } from "ioredis";

const longestMs = 300;
/**
 * Without this limit, a connection that a firewall dropped would wait for TCP to give up, which takes a
 * quarter of an hour.
 */
const longestSilenceMs = 1_000;

/**
 * A client whose commands are answered or reject within 300 ms, and that closes a connection after a second
 * of silence. It replaces `commandTimeout` and `socketTimeout` of ioredis: they treat an answer as late if it
 * has arrived but a busy process has not read it yet. Rate limits and checks for revoked tokens would then
 * fail in a busy process.
 */
export class TimedRedis extends Redis {
  /** When the last data arrived, in milliseconds of `performance.now()`. */
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
   * Sends the commands of one turn of the event loop in one write, because a write costs more than the
   * commands. `enableAutoPipelining` does not send a batch before the last one is answered, so that commands
   * wait up to 600 ms in an outage. It also takes twice the CPU time: 8 µs a command instead of 4.
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

/** Calls back after a time and after the data that arrived by then is read. */
function afterReading(ms: number, callback: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(callback), ms);
}
