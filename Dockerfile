# Gossamer with its browser and a sandbox for session code. Run `docker build -t gossamer .` in a checkout.
# `npm run image:check` executes the last stage on plain Debian and tests the result.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
COPY test/package.json ./test/
COPY tools ./tools
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . ./
RUN npm run build

FROM node:24-bookworm-slim
LABEL io.modelcontextprotocol.server.name="io.github.gossamer-mcp/gossamer"
RUN apt-get update \
  && apt-get install -y --no-install-recommends bubblewrap ca-certificates chromium-headless-shell fonts-liberation fonts-noto-color-emoji python3-minimal \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /gossamer
COPY LICENSE README.md package.json ./
COPY bin ./bin
COPY docs ./docs
COPY skills ./skills
COPY --from=build /build/dist ./dist
RUN install --directory --owner=node --group=node /data
# Only /data and /tmp are written, so the root file system may be read-only.
ENV GOSSAMER_DATA_DIR=/data HOME=/tmp NODE_ENV=production
VOLUME /data
EXPOSE 3002
USER node
# Applies to a server over HTTP; disable it for stdio (`docker run --no-healthcheck`).
HEALTHCHECK --interval=30s --timeout=5s --start-period=15s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.GOSSAMER_PORT ?? 3002}/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# MCP over stdio (`docker run -i --rm gossamer`); for HTTP: `serve --host 0.0.0.0`.
ENTRYPOINT ["node", "/gossamer/bin/gossamer.cjs"]
