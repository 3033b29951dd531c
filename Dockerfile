# Assay with its packages and k6: `docker build -t assay .`, and `docker run --rm -v "$PWD:/work" assay run`.

# The stages that build run on the builder's own processor, whatever the image's: Go builds for any, and nothing of
# Assay depends on it.
FROM --platform=$BUILDPLATFORM golang:1.26-trixie AS k6
WORKDIR /src
COPY tools/k6/go.mod tools/k6/go.sum ./
# As load/k6/ensure.ts does it: of the version in go.mod, from sources whose sums are in go.sum.
ENV CGO_ENABLED=0 GOWORK=off GOFLAGS="-mod=readonly -buildvcs=false"
ARG TARGETOS
ARG TARGETARCH
RUN GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -ldflags "-s -w" -o /k6 go.k6.io/k6/v2

FROM --platform=$BUILDPLATFORM node:24-trixie-slim AS package
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN mkdir /packed && npm pack --pack-destination /packed
# The packages that it installs are those of package-lock.json, which npm doesn't pack.
WORKDIR /image/opt/assay
RUN tar -xzf /packed/*.tgz --strip-components=1 && cp /src/package-lock.json . \
  && npm ci --omit=dev --ignore-scripts && rm package-lock.json
# Any user may write to the run folder, such as the owner of what is mounted there (`--user`).
WORKDIR /image
RUN mkdir -p usr/local/bin && ln -s /opt/assay/cli/assay.js usr/local/bin/assay && mkdir -m 1777 work

# Slim rather than distroless: GitLab's jobs and that of `--k8s` start a shell. Nothing is run here, so that no
# processor has to be emulated.
FROM node:24-trixie-slim
LABEL org.opencontainers.image.title="Assay" \
  org.opencontainers.image.description="Contract-test and load-test harness for a blockchain data platform interface" \
  org.opencontainers.image.licenses="Apache-2.0"
COPY --from=k6 /k6 /usr/local/bin/k6
COPY --from=package /image /
# A user without a home, too, can write there; with `--read-only` it takes `--tmpfs /tmp`.
ENV HOME=/tmp
# A number, of which alone Kubernetes can tell that it isn't root: that of the first user on most machines.
USER 1000:1000
WORKDIR /work
VOLUME /work
ENTRYPOINT ["assay"]
