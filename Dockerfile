# The command with everything that it needs: docker run --rm -v "$PWD:/work:ro" manyworlds check robot.usda
FROM node:22-slim AS build
WORKDIR /source
COPY . .
RUN npm ci --ignore-scripts --no-audit --no-fund \
	&& npm run build \
	&& npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:22-slim
LABEL org.opencontainers.image.title="manyworlds" \
	org.opencontainers.image.licenses="Apache-2.0" \
	org.opencontainers.image.source="https://github.com/manyworlds/manyworlds"
ENV NODE_ENV=production NODE_DISABLE_COMPILE_CACHE=1
COPY --from=build --chown=root:root /source/node_modules /opt/manyworlds/node_modules
COPY --from=build --chown=root:root /source/packages /opt/manyworlds/packages
RUN ln -s /opt/manyworlds/packages/manyworlds/bin/manyworlds.cjs /usr/local/bin/manyworlds
USER node
WORKDIR /work
ENTRYPOINT ["manyworlds"]
CMD ["--help"]
