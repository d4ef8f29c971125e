import type { HeadObjectCommandOutput } from "@aws-sdk/client-s3";
import { S3Failure } from "./s3-failure.ts";
import type { S3Session } from "./s3-session.ts";

/** What S3 says of an object. Null where there is none. */
export function headOf(session: S3Session, name: string): Promise<HeadObjectCommandOutput | null> {
  const { client, sdk } = session.connection;
  return ifPresent(
    session.request("HeadObject", (options) =>
      client.send(new sdk.HeadObjectCommand(session.place(name)), options),
    ),
  );
}

/** Null where S3 says that there is no such object. */
export async function ifPresent<Answer>(request: Promise<Answer>): Promise<Answer | null> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof S3Failure && error.absent) return null;
    throw error;
  }
}
