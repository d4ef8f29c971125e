# syntax=docker/dockerfile:1

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build && mkdir -p models/mails

FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev
# An app has these among its dependencies. Here they are optional peers, since the package and the book shop share package.json.
RUN npm install --no-save --save-prod --omit=dev \
  $(node -p "['sharp', 'libphonenumber-js'].map((name) => name + '@' + require('./package.json').peerDependencies[name]).join(' ')")

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production PORT=3000
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json ./
COPY models/manifest.json ./models/manifest.json
COPY --from=build /app/models/mails ./models/mails
# The package, and the app; `npm run` starts them, and without the sources it runs these builds.
COPY scripts/run ./scripts/run
COPY --from=build /app/lib ./lib
COPY --from=build /app/dist ./dist
# The only folder that the service writes to: files of the storage module, the store of monitoring, the outbox of the provider "log".
# Root owns the code.
RUN mkdir var && chown node:node var
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "lib/cli/kirak.js", "start"]
