#!/bin/sh
# Install OpenCode, record two turns of one session, replay them, check what is expected,
# and measure it in worlds: on another day, on another machine, with edited files.
set -eu
cd "$(dirname "$0")"
here=$PWD
python=${PYTHON:-python3}

npm install --silent --no-audit --no-fund --prefix .cache opencode-ai@1.18.33
opencode="$here/.cache/node_modules/.bin/opencode"
node .cache/node_modules/opencode-ai/postinstall.mjs

rm -rf .cache/run
mkdir -p .cache/run/home
cp -R workspace .cache/run/workspace
git init -q .cache/run/workspace
cd .cache/run/workspace

# It would fetch a list of models, and packages for plugins that nobody uses here.
export OPENCODE_DISABLE_MODELS_FETCH=1 OPENCODE_DISABLE_AUTOUPDATE=1 OPENCODE_PURE=1
export npm_config_registry=http://127.0.0.1:9

HOME="$here/.cache/run/home" "$python" -m promptlint record --turns 2 -o ../recording.jsonl -- \
    "$opencode" run "Which tests are there?" </dev/null
"$python" -m promptlint check ../recording.jsonl || test $? -eq 1
"$python" -m promptlint check ../recording.jsonl --exit-zero --output-format json >../recorded.json
"$python" -m promptlint replay ../recording.jsonl
"$python" -m promptlint replay ../recording.jsonl --output-format json >../replay.json
"$python" "$here/expect.py" ../recording.jsonl ../replay.json

cd "$here"
"$python" -m promptlint check --exit-zero --output-format json >.cache/run/worlds.json
"$python" worlds.py .cache/run/worlds.json .cache/run/recorded.json
