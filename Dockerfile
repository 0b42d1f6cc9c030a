# syntax=docker/dockerfile:1

FROM rust:1.95-trixie AS build
WORKDIR /build
COPY . .
RUN --mount=type=cache,target=/usr/local/cargo/registry --mount=type=cache,target=/build/target \
    cargo build --release --locked --bin radar && cp target/release/radar /radar

FROM debian:trixie-slim
RUN useradd --system --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin radar \
    && install --directory --owner radar --group radar --mode 0700 /data
COPY --from=build /radar /usr/bin/radar
COPY LICENSE NOTICE /usr/share/doc/radar/
# Everything that is written is in /data; /tmp is for what SQLite sorts.
ENV RADAR_OPERATOR__DATA_DIR=/data \
    RADAR_DATABASE__URL=sqlite:///data/radar.db \
    RADAR_HTTP__LISTEN=0.0.0.0:8080
USER radar
VOLUME /data
EXPOSE 8080
# Asks the operator's listener, which is on the container's loopback unless RADAR_OPERATOR__LISTEN says otherwise.
HEALTHCHECK --interval=10s --timeout=10s --start-period=30s CMD ["radar", "admin", "health"]
ENTRYPOINT ["radar"]
CMD ["serve"]
