import { AsyncResource } from "node:async_hooks";
import { performance } from "node:perf_hooks";

/** What is known of the event loop. */
export interface EventLoop {
  /** Milliseconds, of `performance.now()`. */
  now(): number;
  /** Calls back once whatever has arrived in the present turn is begun. */
  afterTurn(callback: () => void): void;
}

/** Who waits for the answer. */
interface Client {
  /** Whether it has left. */
  readonly closed: boolean;
}

/** Lets a request in, or refuses it with an error. */
type Enter = (refusal?: Error) => void;

interface Waiting {
  readonly at: number;
  readonly client: Client;
  readonly enter: Enter;
  next: Waiting | null;
}

/**
 * In one turn of the loop requests are let in for so long, or so many of those that wait: the next turn begins soon, with the answers of
 * the database, of which each connection brings one a turn, and with whoever asks whether the process is up.
 */
const sliceMs = 2;
const mostBegun = 32;
/** A refusal costs about half as much as an answer. More of them in a turn than answers, and the process would do little else. */
const mostRefused = 8;
/** A line that stands no longer is what came at the same time. */
const burstMs = 20;
/** So long a line may stand behind a burst, a long garbage collection or a slow hook. Then who waits too long is refused. */
const longestStandMs = 500;
const longestWaitMs = 200;
/** With more of them the memory would go to those who wait. */
const mostWaiting = 5_000;

/**
 * Lets requests in, turn by turn of the event loop: at once where there is time, else in a line. Node.js begins all that has arrived
 * before it looks for answers of the database again: the more arrived, the fewer would be answered, and the longer everything would take.
 */
export class Admission {
  readonly #room: () => number;
  readonly #refusal: Error;
  readonly #loop: EventLoop;
  readonly #endTurn = () => this.#end();
  #isInTurn = false;
  /** When the first request of this turn arrived. */
  #turnBegan = 0;
  #first: Waiting | null = null;
  #last: Waiting | null = null;
  #length = 0;
  /** Since when somebody waits. */
  #standingSince = 0;

  /** `room`: how many may be let in before they wait behind too many for the database. `refusal`: what is said to all who are too many. */
  constructor(room: () => number, refusal: Error, loop: EventLoop = ownLoop) {
    this.#room = room;
    this.#refusal = refusal;
    this.#loop = loop;
  }

  /** Takes a request that arrived at that time: calls `enter`, now or in a later turn. A client who has left meanwhile is forgotten. */
  admit(at: number, client: Client, enter: Enter): void {
    if (!this.#isInTurn) this.#beginTurn(at);
    if (this.#first === null && at - this.#turnBegan <= sliceMs && this.#room() > 0) enter();
    else if (this.#length < mostWaiting)
      this.#join({ at, client, enter: AsyncResource.bind(enter), next: null });
    else enter(this.#refusal);
  }

  #beginTurn(at: number): void {
    this.#isInTurn = true;
    this.#turnBegan = at;
    this.#loop.afterTurn(this.#endTurn);
  }

  #join(waiting: Waiting): void {
    if (this.#last === null) {
      this.#first = waiting;
      this.#standingSince = waiting.at;
    } else this.#last.next = waiting;
    this.#last = waiting;
    this.#length++;
  }

  #end(): void {
    try {
      this.#goOn();
    } finally {
      // Whatever was thrown: who waits behind it is not to wait for ever.
      if (this.#first === null) this.#isInTurn = false;
      else this.#loop.afterTurn(this.#endTurn);
    }
  }

  #goOn(): void {
    const began = this.#loop.now();
    const most = this.#mostToBegin(began);
    let now = began;
    for (let n = 0; n < most && this.#first !== null && now - began <= sliceMs; n++) {
      this.#leave(this.#first);
      now = this.#loop.now();
    }
    const isCrowded = most < mostBegun;
    for (let n = 0; n < mostRefused && this.#first !== null; n++)
      if (isCrowded || this.#isLate(this.#first, now)) this.#leave(this.#first, this.#refusal);
  }

  /**
   * While there is time, who would wait behind too many is let in all the same: it may have no need of the database. Asked once a turn,
   * since who is let in waits for the database a little later.
   */
  #mostToBegin(now: number): number {
    return now - this.#standingSince > burstMs ? Math.min(mostBegun, this.#room()) : mostBegun;
  }

  #leave({ client, enter, next }: Waiting, refusal?: Error): void {
    this.#first = next;
    if (next === null) this.#last = null;
    this.#length--;
    if (!client.closed) enter(refusal);
  }

  #isLate({ at }: Waiting, now: number): boolean {
    return now - this.#standingSince > longestStandMs && now - at > longestWaitMs;
  }
}

const ownLoop: EventLoop = {
  now: () => performance.now(),
  afterTurn: (callback) => void setImmediate(callback),
};
