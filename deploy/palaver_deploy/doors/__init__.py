"""The ways in for programs of others, put together: who may come, and the services at the doors."""
