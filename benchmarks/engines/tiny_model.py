"""Write a tiny Qwen3 with random weights, the real tokenizer and the real chat template.

Runs in the engine's own environment: `python tiny_model.py FOLDER OUT.gguf`. What a cache
keeps depends on the tokens alone, so the weights do not matter.
"""

import json
import sys
from pathlib import Path

import gguf
import numpy as np

WIDTH, LAYERS, HEADS, KEY_VALUE_HEADS, HEAD_WIDTH, INNER, VOCABULARY = 64, 2, 4, 2, 16, 128, 151_936
CONTEXT = 40_960
END_OF_TURN, END_OF_TEXT = 151_645, 151_643


def write(folder: Path, out: Path) -> None:
    writer = gguf.GGUFWriter(out, "qwen3")
    writer.add_name("tiny-random-qwen3")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KEY_VALUE_HEADS)
    writer.add_key_length(HEAD_WIDTH)
    writer.add_value_length(HEAD_WIDTH)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_rope_freq_base(1e6)
    writer.add_file_type(0)
    add_tokenizer(writer, folder)
    add_weights(writer)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def add_tokenizer(writer: gguf.GGUFWriter, folder: Path) -> None:
    tokenizer = json.loads((folder / "tokenizer.json").read_text("utf-8"))
    config = json.loads((folder / "tokenizer_config.json").read_text("utf-8"))
    tokens = [f"[PAD{index}]" for index in range(VOCABULARY)]
    kinds = [gguf.TokenType.UNUSED] * VOCABULARY
    for token, index in tokenizer["model"]["vocab"].items():
        tokens[index], kinds[index] = token, gguf.TokenType.NORMAL
    for added in tokenizer["added_tokens"]:
        special = added["special"]
        tokens[added["id"]] = added["content"]
        kinds[added["id"]] = gguf.TokenType.CONTROL if special else gguf.TokenType.USER_DEFINED
    merges = tokenizer["model"]["merges"]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list(tokens)
    writer.add_token_types(kinds)
    writer.add_token_merges([m if isinstance(m, str) else " ".join(m) for m in merges])
    writer.add_eos_token_id(END_OF_TURN)
    writer.add_pad_token_id(END_OF_TEXT)
    writer.add_bos_token_id(END_OF_TEXT)
    writer.add_add_bos_token(False)
    writer.add_chat_template(config["chat_template"])


def add_weights(writer: gguf.GGUFWriter) -> None:
    random = np.random.default_rng(7)

    def matrix(rows: int, columns: int) -> np.ndarray:
        return (random.standard_normal((rows, columns)) * 0.05).astype(np.float32)

    def ones(width: int) -> np.ndarray:
        return np.ones(width, np.float32)

    writer.add_tensor("token_embd.weight", matrix(VOCABULARY, WIDTH))
    writer.add_tensor("output_norm.weight", ones(WIDTH))
    for layer in range(LAYERS):
        tensors = {
            "attn_norm": ones(WIDTH),
            "ffn_norm": ones(WIDTH),
            "attn_q": matrix(HEADS * HEAD_WIDTH, WIDTH),
            "attn_k": matrix(KEY_VALUE_HEADS * HEAD_WIDTH, WIDTH),
            "attn_v": matrix(KEY_VALUE_HEADS * HEAD_WIDTH, WIDTH),
            "attn_output": matrix(WIDTH, HEADS * HEAD_WIDTH),
            "attn_q_norm": ones(HEAD_WIDTH),
            "attn_k_norm": ones(HEAD_WIDTH),
            "ffn_gate": matrix(INNER, WIDTH),
            "ffn_up": matrix(INNER, WIDTH),
            "ffn_down": matrix(WIDTH, INNER),
        }
        for name, weights in tensors.items():
            writer.add_tensor(f"blk.{layer}.{name}.weight", weights)


if __name__ == "__main__":
    write(Path(sys.argv[1]), Path(sys.argv[2]))
