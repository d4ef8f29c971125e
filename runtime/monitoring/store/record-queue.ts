import type { MonitoringRecord } from "../records/monitoring-records.ts";
import type { PackedRecords } from "../records/packed-records.ts";
import { RecordPacker } from "../records/record-packer.ts";
import { Room } from "./room.ts";
import { largestSlice, mostInSlice } from "./slice-size.ts";

/** A part of what waits. */
export interface RecordSlice {
  readonly packed: PackedRecords;
  readonly bytes: number;
}

/** Records that wait to be written, packed as they come. When there is no room, what comes next is dropped and counted. */
export class RecordQueue {
  /** How many were dropped since the start. */
  dropped = 0;
  /** Called with each record that makes the queue half full, or fuller. */
  onHalfFull: () => void = () => {};
  /** Those that were taken and are not done with yet are still in it. */
  readonly #room: Room;
  readonly #packer = new RecordPacker();
  readonly #slices: RecordSlice[] = [];

  constructor(max: number) {
    this.#room = new Room(max);
  }

  /** Most that wait. */
  get max(): number {
    return this.#room.max;
  }

  get depth(): number {
    return this.#room.count;
  }

  push(record: MonitoringRecord): void {
    const room = this.#room;
    if (room.isFull) {
      this.dropped++;
      return;
    }
    const packer = this.#packer;
    const before = packer.bytes;
    packer.add(record);
    room.add(packer.bytes - before);
    if (packer.count >= mostInSlice || packer.bytes >= largestSlice) this.#cut();
    if (room.isHalfFull) this.onHalfFull();
  }

  /** The oldest. They count until `done` or `lost` is called with them, or they are put back. */
  take(): RecordSlice | null {
    if (this.#slices.length === 0 && this.#packer.count > 0) this.#cut();
    return this.#slices.shift() ?? null;
  }

  /** They were taken and wait again, before all others. */
  putBack(slice: RecordSlice): void {
    this.#slices.unshift(slice);
  }

  done({ packed, bytes }: RecordSlice): void {
    this.#room.remove(packed.count, bytes);
  }

  /** They were taken and came nowhere. */
  lost(slice: RecordSlice): void {
    this.done(slice);
    this.dropped += slice.packed.count;
  }

  #cut(): void {
    const { bytes } = this.#packer;
    this.#slices.push({ packed: this.#packer.take(), bytes });
  }
}
