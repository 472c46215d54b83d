# homi with the compilers that it needs, for linux/amd64 only:
#   docker build --platform linux/amd64 -t homi .
#   docker run --rm -v "$PWD:/work" homi test prog.c
FROM rust:1-bookworm AS build
WORKDIR /homi
COPY . .
RUN scripts/package --output /package \
 && mv /package/homi-*-x86_64-linux /package/homi

FROM debian:bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends clang-19 g++ gcc git libc6-dev make \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /package/homi /opt/homi
# The command finds its runtime and libraries from where the link points.
RUN ln -s /opt/homi/bin/homi /usr/local/bin/homi
WORKDIR /work
ENTRYPOINT ["homi"]
CMD ["--help"]
