import type { S3StorageSettings } from "../../../config/index.ts";

/** What may stand before a host name, covered by its certificate. */
const hostLabel = /^[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9])$/;
const ipAddress = /^(?:[\d.]+|\[.*\])$/;

/** The address of a bucket's objects, without a slash at its end: where the SDK sends its requests to, too. */
export function bucketAddress({
  bucket,
  region,
  endpoint,
  forcePathStyle,
}: Pick<S3StorageSettings, "bucket" | "region" | "endpoint" | "forcePathStyle">): string {
  const url = new URL(endpoint ?? amazonEndpoint(region));
  const folder = url.pathname.replace(/\/+$/, "");
  if (forcePathStyle || !hostLabel.test(bucket) || ipAddress.test(url.hostname))
    return `${url.origin}${folder}/${bucket}`;
  return `${url.protocol}//${bucket}.${url.host}${folder}`;
}

/** Without a region the one that knows all buckets. */
function amazonEndpoint(region: string | null): string {
  if (region === null) return "https://s3.amazonaws.com";
  return `https://s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
}
