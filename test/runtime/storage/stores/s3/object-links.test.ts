import { S3Client } from "@aws-sdk/client-s3";
import { S3RequestPresigner } from "@aws-sdk/s3-request-presigner";
import { expect, test } from "vitest";
import { ObjectLinks } from "#runtime/storage/stores/s3/object-links";

const client = new S3Client({
  region: "eu-central-1",
  credentials: { accessKeyId: "id", secretAccessKey: "secret" },
});

/** Links whose address is learnt as told, with how often that was asked for. */
function linksOf(signSlowly: () => Promise<string>) {
  const asked = { times: 0 };
  const links = new ObjectLinks({
    bucket: "pictures",
    signer: new S3RequestPresigner(client.config),
    signSlowly() {
      asked.times += 1;
      return signSlowly();
    },
  });
  return { links, asked };
}

test("of a list with a thousand links one goes through all of the SDK", async () => {
  const { links, asked } = linksOf(async () => "https://pictures.example/a?X-Amz-Signature=1");
  const keys = Array.from({ length: 1000 }, (_, index) => `f/${index}`);
  const signed = await Promise.all(keys.map((key) => links.sign(key, 60)));
  expect(signed.map((link) => new URL(link).pathname)).toEqual(keys.map((key) => `/${key}`));
  expect([await links.baseUrl(), asked.times]).toEqual(["https://pictures.example", 1]);
});

test("an address that could not be learnt is asked for again", async () => {
  const answers = [Promise.reject(new Error("no region")), Promise.resolve("https://pictures.example/a")];
  const { links, asked } = linksOf(() => answers.shift() ?? Promise.reject(new Error("asked too often")));
  await expect(links.baseUrl()).rejects.toThrow("no region");
  expect([await links.baseUrl(), asked.times]).toEqual(["https://pictures.example", 2]);
});
