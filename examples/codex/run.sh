#!/bin/sh
# Install Codex, record two turns of one session, replay them, and check what is expected.
set -eu
cd "$(dirname "$0")"
here=$PWD
python=${PYTHON:-python3}

npm install --silent --no-audit --no-fund --prefix .cache @openai/codex@0.171.0

rm -rf .cache/run
mkdir -p .cache/run/home
cp -R workspace .cache/run/workspace
git init -q .cache/run/workspace
cd .cache/run/workspace

HOME="$here/.cache/run/home" "$python" -m promptlint record --turns 2 -o ../recording.jsonl -- \
    sh "$here/setup.sh" "$here/.cache/node_modules/.bin/codex" exec "Which tests are there?" \
    </dev/null
"$python" -m promptlint check ../recording.jsonl
"$python" -m promptlint replay ../recording.jsonl
"$python" -m promptlint replay ../recording.jsonl --output-format json >../replay.json
"$python" "$here/expect.py" ../recording.jsonl ../replay.json
