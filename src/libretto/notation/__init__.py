"""What a copyist decides before a byte is printed: ``legible`` rounds what was played, ``sheet`` lays it out.

    Score -> legible.legible -> sheet.lay_out -> Sheet -> formats.musicxml.write -> engraving.pages

Where to look when a page is wrong:

    a rest or start that nobody would write, played music    legible
    a wrong dot or tie, 7/8 or 3/8 grouped oddly             values (what a meter cuts, beam_group)
    a wrong tuplet, bracket or beam                          rhythm
    too many layers, notes of a chord apart                  values
    one staff or two                                         staves
    the wrong hand                                           hands
    lines that cross on one staff                            layers
    which staff stands above which                           order
    a wrong clef, too many ledger lines, clef changes        clefs
    a missing or needless sharp, flat or natural             staves
    stems, layer numbers, whole-bar rests, bars at the end   sheet
    a drum in the wrong place or with the wrong head         instruments
    a name, a family's bracket, a transposing instrument     instruments
    tempo marks, rit. and accel., chord symbols              marks
    size of page and staff, staves left out                  sheet
    lettering, fonts, what verovio itself does               libretto.engraving
    an element that another program does not take            libretto.formats.musicxml
"""
