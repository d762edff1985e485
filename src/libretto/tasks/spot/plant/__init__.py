"""Plant one fault in a piece: for tests of the ear, a machine's or a student's."""
