"""What promptlint calls: the prompt as the agent sends it, and with the set sorted."""

from agent import ALWAYS_ALLOWED, EXAMPLES, RULES, system_prompt

MODULES = ["csv", "decimal"]

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": description,
            "parameters": {
                "type": "object",
                "properties": {argument: {"type": "string", "description": meaning}},
                "required": [argument],
            },
        },
    }
    for name, description, argument, meaning in (
        ("customers", "The names of all customers.", "like", "A part of the name, or nothing."),
        ("orders", "The orders of a customer, newest first.", "name", "The customer's name."),
        ("invoice_date", "The date on which an invoice was sent.", "invoice", "Such as A-17."),
        ("run_python", "Run a block of Python and see what it prints.", "code", "The block."),
        ("final_answer", "End the task with an answer.", "answer", "What the user will read."),
    )
]


def unsorted():
    """The prompt that the agent sends."""
    return {"system": system_prompt(MODULES), "tools": TOOLS}


def in_order():
    """The same with the cure: one word, `sorted`."""
    modules = sorted(ALWAYS_ALLOWED | set(MODULES))
    return {"system": RULES.format(modules=modules) + EXAMPLES, "tools": TOOLS}
