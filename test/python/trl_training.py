"""TRL's GRPO trainer on the CPU, with a tiny model of random weights whose answers are scripted: the whole chain, once.

Half of the rollouts of a task solve it, half don't, and those of the folder have no reward.
"""

import json
import pathlib
import tempfile

import torch
import trl
from checks import SOLUTION, TASK, check, folder_task
from datasets import Dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM
from trl import GRPOConfig, GRPOTrainer

import pwp_env
from pwp_env.trl import Env

SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<think>", "</think>", "<tool_call>", "</tool_call>"]
FOLDER = folder_task([task.id for task in pwp_env.Client().tasks()])


def make_tokenizer() -> PreTrainedTokenizerFast:
    """One token a byte, and Qwen's chat template, which TRL knows how to read."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    inner = Tokenizer(models.BPE(vocab={letter: number for number, letter in enumerate(letters)}, merges=[]))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    inner.add_special_tokens(SPECIAL)
    made = PreTrainedTokenizerFast(tokenizer_object=inner, eos_token="<|im_end|>", pad_token="<|endoftext|>", padding_side="left")
    made.chat_template = pathlib.Path(trl.__file__).with_name("chat_templates").joinpath("qwen3.jinja").read_text()
    return made


class Scripted(GRPOTrainer):
    """Generates what is written here."""

    def _generate_single_turn(self, prompt_ids, images, multimodal_fields, num_generations, has_tool_images=False):
        said = []
        for number, ids in enumerate(prompt_ids):
            seen = self.processing_class.decode(ids)
            call = json.dumps({"name": "shell", "arguments": {"command": SOLUTION if number % 2 else "true"}})
            answer = "Done." if "<tool_response>" in seen else f"<tool_call>\n{call}\n</tool_call>"
            said.append(self.processing_class.encode(answer + "<|im_end|>"))
        return said, None


with check("two steps of GRPO: tools, rewards of 0 and 1, and none where it is unknown"):
    tokenizer = make_tokenizer()
    config = Qwen3Config(
        **{"vocab_size": len(tokenizer), "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1},
        **{"num_attention_heads": 2, "num_key_value_heads": 2, "head_dim": 16, "max_position_embeddings": 65_536},
        **{"eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id},
    )
    model = Qwen3ForCausalLM(config)
    before = model.lm_head.weight.detach().clone()
    rows = [{"prompt": [{"role": "user", "content": "Solve this task."}], "task": task} for task in (TASK, FOLDER)]
    with tempfile.TemporaryDirectory() as out:
        args = GRPOConfig(
            **{"output_dir": out, "use_cpu": True, "report_to": "none", "save_strategy": "no", "logging_steps": 1},
            **{"per_device_train_batch_size": 4, "num_generations": 2, "max_steps": 2, "learning_rate": 0.01},
            **{"max_completion_length": 20_000, "beta": 0.0, "shuffle_dataset": False},
        )
        trainer = Scripted(model, args=args, train_dataset=Dataset.from_list(rows), processing_class=tokenizer, environment_factory=Env)
        trainer.train()
    logs = [log for log in trainer.state.log_history if "rewards/Env/mean" in log]
    assert len(logs) == 2, trainer.state.log_history
    assert all(log["rewards/Env/mean"] == 0.5 and log["tools/call_frequency"] == 1 for log in logs), logs
    assert all(log["tools/failure_frequency"] == 0 for log in logs), logs
    assert not torch.equal(before, model.lm_head.weight) and not torch.isnan(model.lm_head.weight).any()

with check("every episode is closed with its environment"):
    del trainer
    import gc

    gc.collect()
    assert pwp_env.Client().health()["episodes"] == 0, pwp_env.Client().health()
