#!/bin/sh
# Codex reads the address of its model from a file: write it, then run the command.
set -eu
mkdir -p "$HOME/.codex"
cat >"$HOME/.codex/config.toml" <<END
model = "recorder"
model_provider = "recorder"
sandbox_mode = "read-only"
approval_policy = "never"

[model_providers.recorder]
name = "recorder"
base_url = "$OPENAI_BASE_URL"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
END
exec "$@"
