import { createHmac, timingSafeEqual } from "node:crypto";
import { defineRoute, ServiceError } from "kirak";

/** Webhook of the payment provider, which signs the bytes of the body with a shared secret. */
export default defineRoute({
  method: "POST",
  path: "/webhooks/payments",
  access: ["*"],
  rate_limit: { max_requests: 600, window_seconds: 60 },
  raw: true,
  answer: {
    type: "object",
    properties: { reference: { type: "string" }, status: { type: "string" } },
    required: ["reference", "status"],
  },
  async handler({ headers, body }, { db }) {
    requireSignature(headers["x-signature"] ?? "", body);
    const { reference } = readPayment(body);
    // Providers repeat an event if they get no answer, so a paid order stays paid.
    const where = { reference: String(reference), status__in: ["pending", "paid"] } as const;
    await db.orders.update({ where, data: { status: "paid" } });
    return { reference: where.reference, status: "paid" };
  },
});

function requireSignature(signature: string, body: Uint8Array): void {
  const secret = process.env["PAYMENT_WEBHOOK_SECRET"] ?? "";
  const expected = createHmac("sha256", secret).update(body).digest();
  const sent = Buffer.from(signature, "hex");
  if (secret === "" || sent.length !== expected.length || !timingSafeEqual(sent, expected))
    throw new ServiceError("PERMISSION_DENIED", "The signature is not that of the payment provider.");
}

function readPayment(body: Uint8Array): { readonly reference?: unknown } {
  try {
    return Object(JSON.parse(Buffer.from(body).toString()));
  } catch {
    throw new ServiceError("VALIDATION_ERROR", "The body is not JSON.");
  }
}
