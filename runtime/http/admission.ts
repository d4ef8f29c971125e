import { AsyncResource } from "node:async_hooks";
import { performance } from "node:perf_hooks";
import { FairLine } from "./fair-line.ts";

/** What is known of the event loop. */
export interface EventLoop {
  /** Milliseconds, of `performance.now()`. */
  now(): number;
  /** Calls back once whatever has arrived in the present turn is begun. */
  afterTurn(callback: () => void): void;
}

/** Who waits for the answer. */
interface Client {
  /** Whether it has left, in an earlier turn: who hangs up right behind a request is counted all the same. */
  readonly closed: boolean;
  /** Closes its connection. */
  destroy(): void;
}

/** Lets a request in, or refuses it with an error. */
type Enter = (refusal?: Error) => void;

/** A request that waits. */
interface Waiting {
  readonly at: number;
  readonly client: Client;
  readonly enter: Enter;
}

/**
 * In one turn of the loop requests are let in for so long, or so many of those that wait: the next turn begins soon, with the answers of
 * the database, of which each connection brings one a turn, and with whoever asks whether the process is up.
 */
const sliceMs = 2;
const mostBegun = 32;
/** So few are let in at least, where others are refused by the database behind the door: it may be that only they want too much. */
const fewestBegun = 4;
/**
 * A refusal costs about half as much as an answer. More of them in a turn than answers, and the process would do little else. None comes before
 * the end of a turn: whoever is refused at once may be back at once, and the turn would never end.
 */
const mostRefused = 8;
/** A line that stands no longer is what came at the same time. */
const burstMs = 20;
/** So long a line may stand behind a burst, a long garbage collection or a slow hook. Then who waits too long is refused. */
const longestStandMs = 500;
const longestWaitMs = 200;
/**
 * With more of them the memory would go to those who wait: so many more are refused in a turn, those who have waited longest, though there
 * is less time for answers then. Twice as many is the end: where one connection may send many requests, nothing else is. Whoever has waited
 * longest is dropped then, without an answer, since that would have it back at once; and not whoever comes, who may be of another source.
 */
const mostWaiting = 5_000;
const moreRefused = 32;
const mostOfAll = 2 * mostWaiting;

/** How many requests were let in so far and then refused, since as many waited for the database as may. */
export interface LaterRefusals {
  /** For a connection: whoever comes is refused. */
  readonly connections: number;
  /** For other reads of the same caller, who alone is refused. */
  readonly shares: number;
}

/**
 * Lets requests in, turn by turn of the event loop: at once where there is time, else in a line in which those of several sources take
 * turns. Node.js begins all that has arrived before it looks for answers of the database again: the more arrived, the fewer would be
 * answered, and the longer everything would take.
 */
export class Admission {
  readonly #later: () => LaterRefusals;
  readonly #refusal: Error;
  readonly #loop: EventLoop;
  readonly #endTurn = () => this.#end();
  readonly #line = new FairLine<Waiting>();
  #isInTurn = false;
  /** When the first request of this turn arrived. */
  #turnBegan = 0;
  /** Since when somebody waits. */
  #standingSince = 0;
  /** How many of those that wait a turn lets in at present. */
  #begunATurn = mostBegun;
  #known: LaterRefusals = { connections: 0, shares: 0 };
  /** Whether whoever is let in may find that too many wait for a connection. */
  #isCrowded = false;

  /** `refusal`: what is said to all who are too many. */
  constructor(later: () => LaterRefusals, refusal: Error, loop: EventLoop = ownLoop) {
    this.#later = later;
    this.#refusal = refusal;
    this.#loop = loop;
  }

  /**
   * Takes a request of somebody who is told from others by `sourceOf()`: calls `enter`, now or in a later turn. A client who has left
   * meanwhile is forgotten.
   */
  admit(sourceOf: () => string, client: Client, enter: Enter): void {
    const at = this.#loop.now();
    if (!this.#isInTurn) this.#beginTurn(at);
    if (this.#line.length === 0 && at - this.#turnBegan <= sliceMs) enter();
    else this.#join(sourceOf(), { at, client, enter: AsyncResource.bind(enter) });
  }

  #join(source: string, waiting: Waiting): void {
    const line = this.#line;
    if (line.length === 0) this.#standingSince = waiting.at;
    if (line.length >= mostOfAll) line.takeOldest()?.client.destroy();
    line.join(source, waiting);
  }

  #beginTurn(at: number): void {
    this.#isInTurn = true;
    this.#turnBegan = at;
    this.#loop.afterTurn(this.#endTurn);
  }

  #end(): void {
    try {
      this.#adapt();
      this.#goOn();
    } finally {
      // Whatever was thrown: who waits behind it is not to wait for ever.
      if (this.#line.length === 0) this.#isInTurn = false;
      else this.#loop.afterTurn(this.#endTurn);
    }
  }

  /** Half as many are let in where one was refused behind the door, which costs more than here; one more where none was. */
  #adapt(): void {
    const { connections, shares } = this.#later();
    const isFull = connections !== this.#known.connections;
    if (isFull || shares !== this.#known.shares)
      this.#begunATurn = Math.max(fewestBegun, this.#begunATurn >> 1);
    else if (this.#begunATurn < mostBegun) this.#begunATurn++;
    this.#isCrowded = isFull || (this.#isCrowded && this.#begunATurn < mostBegun);
    this.#known = { connections, shares };
  }

  #goOn(): void {
    const began = this.#loop.now();
    let now = began;
    for (let n = 0; n < this.#begunATurn && this.#line.length > 0 && now - began <= sliceMs; ) {
      if (call(this.#line.takeNext())) n++;
      now = this.#loop.now();
    }
    for (let n = 0; n < mostRefused && this.#isTooLong(now); ) if (this.#refuseOldest()) n++;
    for (let n = 0; n < moreRefused && this.#line.length > mostWaiting; ) if (this.#refuseOldest()) n++;
  }

  #refuseOldest(): boolean {
    return call(this.#line.takeOldest(), this.#refusal);
  }

  /** Whether who has waited longest is to be refused. */
  #isTooLong(now: number): boolean {
    const { oldest } = this.#line;
    if (oldest === undefined) return false;
    const standsMs = now - this.#standingSince;
    if (this.#isCrowded && standsMs > burstMs) return true;
    return standsMs > longestStandMs && now - oldest.at > longestWaitMs;
  }
}

/** Lets it in, or refuses it. False: its client has left. */
function call(waiting: Waiting | undefined, refusal?: Error): boolean {
  if (waiting === undefined || waiting.client.closed) return false;
  waiting.enter(refusal);
  return true;
}

const ownLoop: EventLoop = {
  now: () => performance.now(),
  afterTurn: (callback) => void setImmediate(callback),
};
