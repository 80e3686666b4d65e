"""Groups of verbs, such as ``prandial foods``: one help text, shown when no verb follows."""

from __future__ import annotations

import typer

__all__ = ["new_group"]


def new_group(about: str) -> typer.Typer:
    """Return a group that prints its help when no verb is given."""
    group = typer.Typer(help=about, no_args_is_help=False, rich_markup_mode=None)

    def top(context: typer.Context) -> int:
        if context.invoked_subcommand is None:
            typer.echo(context.get_help())
        return 0

    top.__doc__ = about
    group.callback(invoke_without_command=True)(top)
    return group
