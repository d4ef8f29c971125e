import { once } from "node:events";
import type { Server } from "node:http";
import { connect, type Socket } from "node:net";
import express, { type Express } from "express";
import { onTestFinished } from "vitest";
import { answerError, routeNotFound } from "#runtime/core/http/answer";
import { createHttpServer } from "#runtime/core/http/index";
import { requestContext } from "#runtime/core/http/request-context";
import { listen } from "#runtime/process/http-lifecycle";
import { silent } from "./silent-log.ts";

export interface Application {
  readonly server: Server;
  readonly origin: string;
  /** A half-open connection: it stays when the other side ends. It is read once `data` has a listener. */
  open(allowHalfOpen?: boolean): Promise<Socket>;
}

/** Serves a few routes without a database, as the service would, until the test is over. */
export async function serveApplication(addRoutes: (app: Express) => void): Promise<Application> {
  const app = express();
  app.use(requestContext(silent));
  addRoutes(app);
  const server = createHttpServer(app.use(routeNotFound, answerError));
  const origin = await listen(server, 0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    server,
    origin,
    async open(allowHalfOpen = false) {
      const { port, hostname } = new URL(origin);
      const socket = connect({ port: Number(port), host: hostname, allowHalfOpen });
      onTestFinished(() => void socket.destroy());
      await once(socket, "connect");
      return socket;
    },
  };
}

/** The head of a request without a body of its own. */
export function requestHead(line: string, ...headers: readonly string[]): string {
  return [`${line} HTTP/1.1`, "Host: x", ...headers, "", ""].join("\r\n");
}
