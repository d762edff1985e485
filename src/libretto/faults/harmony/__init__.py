"""Four-part writing checked as a teacher checks it: every fault with its rule, both voices, bar and beat.

The symptom says which file: parallels and hidden intervals are ``motion``; range, spacing, crossing and overlap
``placing``; doubling and resolution ``tendency``; awkward leaps ``leaps``. What the two styles ask is ``styles``.
"""
