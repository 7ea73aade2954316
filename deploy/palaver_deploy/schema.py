"""``palaver schema``: the messages, for those who write agents in other languages."""

import json

import click

__all__ = ["schema"]


@click.command()
@click.option(
    "--asyncapi", is_flag=True, help="Print AsyncAPI: channels and operations, and the schema of what they carry."
)
def schema(asyncapi: bool) -> None:
    """Print the JSON Schema of all messages, or the AsyncAPI of the bus."""
    from palaver_protocols import schema as schemas

    document = schemas.asyncapi() if asyncapi else schemas.json_schema()
    click.echo(json.dumps(document, indent=2))
