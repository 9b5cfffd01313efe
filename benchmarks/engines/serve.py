"""Serve a model with llama.cpp's own server: `python serve.py MODEL.gguf PORT SLOTS`.

Runs in the engine's own environment, on the loopback interface, until its input is closed.
"""

import sys

import xllamacpp

CONTEXT = 16_384


def serve(model: str, port: int, slots: int) -> xllamacpp.Server:
    settings = xllamacpp.CommonParams()
    settings.model.path = model
    settings.port = port
    settings.hostnames = ["127.0.0.1"] if isinstance(settings.hostnames, list) else "127.0.0.1"
    settings.n_ctx = CONTEXT
    settings.n_parallel = slots
    settings.n_predict = 1
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 2
    settings.fit_params = False
    return xllamacpp.Server(settings)


if __name__ == "__main__":
    server = serve(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
    print(server.listening_address, flush=True)
    sys.stdin.read()
