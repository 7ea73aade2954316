"""PuzzleWorld (Li et al.): puzzlehunt puzzles without instructions, solved step by step and judged step by step."""
