"""Long pieces from a chart: a form planned over many bars, reprises that vary, solos in turn, a climax late."""
