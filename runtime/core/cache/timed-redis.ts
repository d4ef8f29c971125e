import { type Command, Redis, type RedisOptions } from "ioredis";

const longestMs = 300;
/** A connection that a firewall forgot would else be waited for until TCP gives up, a quarter of an hour later. */
const longestSilenceMs = 1_000;

/**
 * A client whose commands are answered or reject within 300 ms, and that gives a connection up on which nothing comes for a
 * second. In place of its own `commandTimeout` and `socketTimeout`, which take an answer that is here already, and that a
 * busy process has not come to read, for late: who kept the process busy could so have rate limits fail, and revoked tokens.
 */
export class TimedRedis extends Redis {
  /** When something came last, of `performance.now()`. */
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
   * Commands of all requests that are read in one turn of the event loop leave in one write, which costs more than they do.
   * `enableAutoPipelining` sends no batch before the last one is answered: in an outage commands wait up to 600 ms. It also
   * takes twice the time of the processor, 8 µs a command for 4.
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

/** Calls back after a time, and when what was here by then is read. */
function afterReading(ms: number, callback: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(callback), ms);
}
