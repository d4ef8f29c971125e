import { expect, test } from "vitest";
import { twilioSender } from "#runtime/sms/sms-sender";
import { failure, peer } from "./peer.ts";

const account = { accountSid: "AC123", authToken: "t0ken", from: "+15005550006" };
const sms = { to: "+41791234567", text: "123456 ist Ihr Code für a&b=c+d" };

test("posts a form with basic authentication", async () => {
  const { origin, got } = await peer((response) => response.writeHead(201).end('{"sid":"SM1"}'));
  await twilioSender({ ...account, origin }).send(sms);
  expect(got).toHaveLength(1);
  expect(got[0]).toMatchObject({
    method: "POST",
    path: "/2010-04-01/Accounts/AC123/Messages.json",
    headers: {
      authorization: `Basic ${Buffer.from("AC123:t0ken").toString("base64")}`,
      "content-type": "application/x-www-form-urlencoded",
    },
  });
  expect(Object.fromEntries(new URLSearchParams(got[0]?.body))).toEqual({
    To: sms.to,
    From: account.from,
    Body: sms.text,
  });
});

test("a messaging service is named as one", async () => {
  const { origin, got } = await peer((response) => response.writeHead(201).end("{}"));
  const from = `MG${"0af1".repeat(8)}`;
  await twilioSender({ ...account, from, origin }).send(sms);
  const form = new URLSearchParams(got[0]?.body);
  expect([form.get("MessagingServiceSid"), form.has("From")]).toEqual([from, false]);
});

test("a refusal says status and code, and nothing of the message, the number or the token", async () => {
  const body = JSON.stringify({
    code: 21211,
    message: `The 'To' number ${sms.to} is not valid`,
    status: 400,
  });
  const { origin } = await peer((response) => response.writeHead(400).end(body));
  const text = await failure(twilioSender({ ...account, origin }).send(sms));
  expect(text).toContain("Twilio refused the message: status 400, code 21211");
  expect(text).not.toMatch(/123456|41791234567|t0ken/);
});

test("a redirect is not followed", async () => {
  const { origin, got } = await peer((response) => response.writeHead(307, { Location: "/elsewhere" }).end());
  expect(await failure(twilioSender({ ...account, origin }).send(sms))).toContain("status 307");
  expect(got).toHaveLength(1);
});

test("an endless answer ends", async () => {
  const { origin } = await peer((response) => {
    response.writeHead(500);
    const pour = () => {
      while (response.write("x".repeat(65_536)));
    };
    response.on("drain", pour).on("error", () => {});
    pour();
  });
  expect(await failure(twilioSender({ ...account, origin }).send(sms))).toContain("status 500");
});

test("silence, before or within the answer, and nobody there", async () => {
  const silence = await peer(() => {});
  expect(
    await failure(twilioSender({ ...account, origin: silence.origin, limitMs: 50 }).send(sms)),
  ).toContain("Twilio could not be reached: no answer in time");
  const half = await peer((response) => response.writeHead(500).write("{"));
  expect(await failure(twilioSender({ ...account, origin: half.origin, limitMs: 200 }).send(sms))).toContain(
    "no answer in time",
  );
  const nobody = await failure(twilioSender({ ...account, origin: "http://127.0.0.1:1" }).send(sms));
  expect(nobody).toMatch(/could not be reached/);
  expect(nobody).not.toMatch(/123456|t0ken/);
});
