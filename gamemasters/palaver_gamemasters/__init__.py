"""Who rules: the game interface, the episode engine, one folder a game, replays and rollouts."""

from .game import Game, Instance, Reply, Scores

__all__ = ["Game", "Instance", "Reply", "Scores"]
