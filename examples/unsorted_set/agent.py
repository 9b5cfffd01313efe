"""A small agent that runs Python: its system prompt lists the modules that may be imported.

They are kept in a set, and a set is written down in another order in each process. An
earlier version of a well-known agent library did this; nothing but another hash seed shows it.
"""

ALWAYS_ALLOWED = {"collections", "datetime", "itertools", "json", "math", "random", "re"}

RULES = """\
You solve tasks by writing Python. One block of code per step, then you see what it printed.

1. Never guess what a tool returns: print it first.
2. Variables live on between the steps.
3. When the task is done, call `final_answer`.
4. You may import only these modules: {modules}

"""

EXAMPLES = """\
Task: "How many days are there between the two invoices?"
Thought: I read both dates, then I subtract them.
Code:
first, second = invoice_date("A-17"), invoice_date("A-18")
print((second - first).days)

Task: "Which customers have no order this year?"
Thought: I list the customers, then I ask for the orders of each.
Code:
for name in customers():
    if not orders(name, since="2026-01-01"):
        print(name)
"""


def system_prompt(additional_modules: list[str]) -> str:
    """The system prompt of an agent that may import some modules more."""
    modules = ALWAYS_ALLOWED | set(additional_modules)
    return RULES.format(modules=list(modules)) + EXAMPLES
