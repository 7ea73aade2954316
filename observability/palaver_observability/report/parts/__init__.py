"""The parts of a report: each a pure function of the study that returns its section, or None where it has no cells."""
