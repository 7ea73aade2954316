"""clembench's multimodal dialogue games and their textual twins (Hakimov et al.).

The paper is "Using Game Play to Investigate Multimodal and Conversational Grounding in Large Multimodal Models". Each
game is announced by itself; what they share is here.
"""
