"""`promptlint rule`: the rules, and the page of one of them."""

import difflib

import click


@click.command("rule", short_help="List the rules, or print one rule's page.")
@click.argument("name", required=False)
@click.option("--all", "every", is_flag=True, help="Print every rule's page.")
def command(name: str | None, every: bool) -> int:
    """List the rules, or print the page of the rule NAME."""
    from promptlint import registry

    rules = registry.rules()
    if every:
        from promptlint.pages import rules_document

        click.echo(rules_document(), nl=False)
    elif name is None:
        width = max(map(len, rules))
        for rule in rules.values():
            click.echo(f"{rule.name:<{width}}  {rule.summary}")
    elif name in rules:
        from promptlint.pages import rule_page

        click.echo(rule_page(name), nl=False)
    else:
        near = difflib.get_close_matches(name, rules, 1)
        raise click.ClickException(
            f"no rule is called {name}" + (f", did you mean {near[0]}?" if near else "")
        )
    return 0
