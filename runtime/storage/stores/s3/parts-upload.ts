import type { CompletedPart, CreateMultipartUploadCommandInput } from "@aws-sdk/client-s3";
import { S3Failure, saidIn } from "./s3-failure.ts";
import type { S3Session } from "./s3-session.ts";

/** As S3 has it. */
const mostParts = 10_000;
const partsAtOnce = 3;

/** A part of a whole: its number, from 1, and its bytes. */
export interface PartRange {
  readonly number: number;
  readonly offset: number;
  readonly size: number;
}

/** Nothing, or what must hold for the object to be made. */
export type PutCondition = { readonly IfNoneMatch?: "*" };

interface UploadPlace {
  readonly Bucket: string;
  readonly Key: string;
  readonly UploadId: string;
}

/** An object that is made of parts. Nobody sees it before it is complete. */
export class PartsUpload {
  /** For the requests of its parts. */
  readonly place: UploadPlace;

  constructor(place: UploadPlace) {
    this.place = place;
  }

  /** Asks S3 for one. */
  static async begin(
    session: S3Session,
    input: Omit<CreateMultipartUploadCommandInput, "Bucket"> & { readonly Key: string },
  ): Promise<PartsUpload> {
    const { client, sdk } = session.connection;
    const place = session.place(input.Key);
    const { UploadId } = await session.request("CreateMultipartUpload", (options) =>
      client.send(new sdk.CreateMultipartUploadCommand({ ...input, ...place }), options),
    );
    return new PartsUpload({ ...place, UploadId: saidIn("CreateMultipartUpload", "UploadId", UploadId) });
  }

  async complete(
    session: S3Session,
    parts: readonly CompletedPart[],
    condition: PutCondition,
  ): Promise<void> {
    const { client, sdk } = session.connection;
    const input = { ...this.place, MultipartUpload: { Parts: [...parts] }, ...condition };
    const { ETag } = await session.request("CompleteMultipartUpload", (options) =>
      client.send(new sdk.CompleteMultipartUploadCommand(input), options),
    );
    saidIn("CompleteMultipartUpload", "ETag", ETag);
  }

  /** Removes the parts, if they are still there. */
  async abort(session: S3Session): Promise<void> {
    const { client, sdk } = session.connection;
    try {
      await session.request("AbortMultipartUpload", (options) =>
        client.send(new sdk.AbortMultipartUploadCommand(this.place), options),
      );
    } catch (error) {
      if (!(error instanceof S3Failure && error.absent)) throw error;
    }
  }
}

/**
 * Sends all parts of a whole, several at once. The first that fails ends the others, and none is under way any more when this rejects.
 */
export async function sendAllParts(
  session: S3Session,
  { size, partSize }: { readonly size: number; readonly partSize: number },
  send: (session: S3Session, part: PartRange) => Promise<CompletedPart>,
): Promise<CompletedPart[]> {
  const usual = Math.max(partSize, Math.ceil(size / mostParts));
  const count = Math.ceil(size / usual);
  const sent: CompletedPart[] = [];
  const failed = new AbortController();
  const group = session.until(failed.signal);
  let next = 0;
  const sendSome = async () => {
    while (next < count) {
      const index = next++;
      const offset = index * usual;
      const part = { number: index + 1, offset, size: Math.min(usual, size - offset) };
      sent[index] = { ...(await send(group, part)), PartNumber: part.number };
    }
  };
  const lanes = Array.from({ length: Math.min(partsAtOnce, count) }, () =>
    sendSome().catch((error: unknown) => failed.abort(error)),
  );
  await Promise.all(lanes);
  failed.signal.throwIfAborted();
  return sent;
}
