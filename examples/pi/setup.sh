#!/bin/sh
# Pi reads the address of its model from a file: write it, then run the command.
set -eu
mkdir -p "$HOME/.pi/agent"
cat >"$HOME/.pi/agent/models.json" <<END
{
  "providers": {
    "recorder": {
      "baseUrl": "$OPENAI_BASE_URL",
      "api": "openai-completions",
      "apiKey": "OPENAI_API_KEY",
      "models": [{ "id": "recorder" }]
    }
  }
}
END
exec "$@"
