"""Traces by OpenTelemetry: one an episode, a span a turn and a provider call, whatever machine each runs on."""
