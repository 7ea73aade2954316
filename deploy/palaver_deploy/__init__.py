"""How it is launched: the command line, and later compose, images and dashboards."""
