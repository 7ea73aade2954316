"""Charts as inline SVG, from plain values: heat maps, dots with intervals, curves with baselines, bars."""
