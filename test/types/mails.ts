/** Which mails compile: those of the fixture, `test/http/fixture/mails/`. */

import type { AppMail, AppSms } from "#runtime/hooks/context/index";
import "../http/fixture/generated/index.ts";

export async function sendAll(mail: AppMail, sms: AppSms): Promise<void> {
  const to = "ann@example.com";
  await mail.send({ to, template: "welcome", data: { name: "Ann", number: 7 } });
  await mail.send({ to, template: "welcome", data: { name: "Ann", number: 7n, note: null } });
  await mail.send({ to, template: "closing" });
  await mail.send({ to, subject: "Hello", text: "Hello" });
  await mail.send({ to, subject: "Hello", text: "Hello", html: "<p>Hello</p>" });
  await sms.send({ to: "+41791234567", text: "Hello" });

  // @ts-expect-error there is no such template
  await mail.send({ to, template: "welcom", data: { name: "Ann", number: 7 } });
  // @ts-expect-error a value is missing
  await mail.send({ to, template: "welcome", data: { name: "Ann" } });
  // @ts-expect-error all are
  await mail.send({ to, template: "welcome" });
  // @ts-expect-error a value that is needed is not null
  await mail.send({ to, template: "welcome", data: { name: "Ann", number: null } });
  // @ts-expect-error the template names no such value
  await mail.send({ to, template: "welcome", data: { name: "Ann", number: 7, nmae: "Ann" } });
  // @ts-expect-error a value is not an object
  await mail.send({ to, template: "welcome", data: { name: { first: "Ann" }, number: 7 } });
  // @ts-expect-error mails of the accounts are the service's own
  await mail.send({ to, template: "verify-email", data: {} });
  // @ts-expect-error a mail has a text
  await mail.send({ to, subject: "Hello", html: "<p>Hello</p>" });
  // @ts-expect-error one address
  await mail.send({ to: [to], subject: "Hello", text: "Hello" });
  // @ts-expect-error a template has its own subject
  await mail.send({ to, template: "closing", subject: "Hello", text: "Hello" });
  // @ts-expect-error a text message has a text
  await sms.send({ to: "+41791234567" });
}
