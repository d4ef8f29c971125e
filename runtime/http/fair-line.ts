/** One that waits, between its neighbours in the order of arrival, and in front of the next of its own source. */
interface Place<Entry> {
  readonly entry: Entry;
  readonly queue: Queue<Entry>;
  older: Place<Entry> | null;
  newer: Place<Entry> | null;
  behind: Place<Entry> | null;
}

/** Those of one source. It stays among the queues that take turns until its turn comes, and is dropped then where it is empty. */
interface Queue<Entry> {
  readonly source: string;
  first: Place<Entry> | null;
  last: Place<Entry> | null;
  next: Queue<Entry> | null;
}

/**
 * A line of several sources. They take turns: one that sends much has others wait no longer. Within a source the order is that of arrival.
 * Steps take the same time however many wait.
 */
export class FairLine<Entry> {
  readonly #queues = new Map<string, Queue<Entry>>();
  #firstQueue: Queue<Entry> | null = null;
  #lastQueue: Queue<Entry> | null = null;
  #oldest: Place<Entry> | null = null;
  #newest: Place<Entry> | null = null;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Who has waited longest of all. */
  get oldest(): Entry | undefined {
    return this.#oldest?.entry;
  }

  join(source: string, entry: Entry): void {
    const queue = this.#queues.get(source) ?? this.#begin(source);
    const place = { entry, queue, older: this.#newest, newer: null, behind: null };
    if (this.#newest === null) this.#oldest = place;
    else this.#newest.newer = place;
    this.#newest = place;
    if (queue.last === null) queue.first = place;
    else queue.last.behind = place;
    queue.last = place;
    this.#length++;
  }

  /** Takes the first of the source whose turn it is. */
  takeNext(): Entry | undefined {
    const queue = this.#takeQueue();
    const place = queue?.first;
    if (queue == null || place == null) return undefined;
    this.#take(place);
    if (queue.first !== null) this.#queueUp(queue);
    return place.entry;
  }

  /** Takes who has waited longest of all: that is the first of its source too. */
  takeOldest(): Entry | undefined {
    if (this.#oldest === null) return undefined;
    const { entry } = this.#oldest;
    this.#take(this.#oldest);
    return entry;
  }

  #begin(source: string): Queue<Entry> {
    const queue = { source, first: null, last: null, next: null };
    this.#queues.set(source, queue);
    this.#queueUp(queue);
    return queue;
  }

  #queueUp(queue: Queue<Entry>): void {
    queue.next = null;
    if (this.#lastQueue === null) this.#firstQueue = queue;
    else this.#lastQueue.next = queue;
    this.#lastQueue = queue;
  }

  /** The queue whose turn it is; who waits in those that are empty was taken as the oldest. */
  #takeQueue(): Queue<Entry> | null {
    let queue = this.#firstQueue;
    while (queue !== null && queue.first === null) queue = queue.next;
    this.#firstQueue = queue?.next ?? null;
    if (this.#firstQueue === null) this.#lastQueue = null;
    return queue;
  }

  #take({ queue, older, newer, behind }: Place<Entry>): void {
    if (older === null) this.#oldest = newer;
    else older.newer = newer;
    if (newer === null) this.#newest = older;
    else newer.older = older;
    queue.first = behind;
    if (behind === null) {
      queue.last = null;
      this.#queues.delete(queue.source);
    }
    this.#length--;
  }
}
