import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { limitedServices } from "../../support/limited-service.ts";

const services = await limitedServices();
const callers = 10;

const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`;

/** A connection that the service has taken, and of which it has not looked up where it comes from. */
async function connected(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname).on("error", () => {});
  socket.write(ask("/healthz"));
  await once(socket, "data");
  return socket;
}

describe.each(services)("$counters: who hangs up before the answer", ({ origin, ...service }) => {
  test("is counted by address, and not together with others", async () => {
    const sockets = await Promise.all(Array.from({ length: callers }, () => connected(origin)));
    for (const socket of sockets) {
      socket.write(ask("/things/count"));
      socket.resetAndDestroy();
    }
    const aborted = () =>
      service.log.filter(({ path, aborted }) => path === "/things/count" && aborted === true);
    await eventually(() => expect(aborted()).toHaveLength(callers));
    // What came before it is counted by the time that it is answered.
    expect((await service.send({ method: "GET", path: "/things/count" })).status).toBe(429);
    expect(await service.counted()).toEqual({ "crud:things:count:ip:127.0.0.1": 3 });
    await service.forget();
  });

  test("is not served where that was before the connection was taken", async () => {
    const { hostname, port } = new URL(origin);
    const sockets = Array.from({ length: callers }, () => connect(Number(port), hostname));
    await Promise.all(
      sockets.map(async (socket) => {
        socket
          .on("error", () => {})
          .on("connect", () => {
            socket.write(ask("/things/fetch"));
            socket.resetAndDestroy();
          });
        await once(socket, "close");
      }),
    );
    // Connections are taken in the order in which they came.
    await service.send({ method: "GET", path: "/things/fetch" });
    expect(Object.keys(await service.counted())).toEqual(["crud:things:fetch:ip:127.0.0.1"]);
  });
});
